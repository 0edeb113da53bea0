/** The tables of reStructuredText, which are drawn with signs. */
import Papa from 'papaparse'
import { dedented, table } from '../by-html.ts'

export const BULLET = /^[-*+•‣⁃](?:\s+|$)/

type Write = (lines: string[]) => string

interface Cell {
  lines: string[]
  columns?: number
  rows?: number
}

const htmlOf = (rows: Cell[][], heads: number, write: Write) =>
  table(
    rows.map(row => row.map(({ lines, ...spans }) => ({ html: write(dedented(lines)), ...spans }))),
    heads,
  )

/** A table in a grid of `+`, `-`, `=` and `|`, whose cells may cover several columns and rows. */
export function gridTable(lines: readonly string[], write: Write): string {
  const isLine = (text: string) => /^\+[-=+]*\+?/.test(text)
  const xs = [
    ...new Set(lines.filter(isLine).flatMap(line => Array.from(line.matchAll(/\+/g), ({ index }) => index))),
  ].sort((a, b) => a - b)
  const ys = lines.flatMap((line, y) => (/\+[-=]+\+/.test(line) ? y : []))
  const headEnd = lines.findIndex((line, y) => y > 0 && /^\+=[=+]+\+\s*$/.test(line))
  const taken = new Set<string>()
  const rows = ys.slice(0, -1).map((top, row) =>
    xs.slice(0, -1).flatMap((left, column): Cell[] => {
      if (taken.has(`${row} ${column}`)) return []
      let columns = 1
      while (column + columns < xs.length - 1 && !/[|+]/.test(lines[top + 1]?.[xs[column + columns]!] ?? '|'))
        columns++
      const right = xs[column + columns]!
      let height = 1
      while (
        row + height < ys.length - 1 &&
        !/^[-=+]+$/.test(lines[ys[row + height]!]!.slice(left + 1, right))
      )
        height++
      for (let y = 0; y < height; y++) for (let x = 0; x < columns; x++) taken.add(`${row + y} ${column + x}`)
      const text = lines.slice(top + 1, ys[row + height]).map(line => line.slice(left + 1, right).trimEnd())
      return [{ lines: text, columns, rows: height }]
    }),
  )
  return htmlOf(rows, Math.max(0, ys.indexOf(headEnd)), write)
}

/** A table between lines of `=`, in which a row begins where its first column is not empty. */
export function simpleTable(lines: readonly string[], write: Write): string {
  const starts = Array.from(lines[0]!.matchAll(/=+/g), ({ index }) => index)
  const isBorder = (line: string) => /^=+(?: +=+)*\s*$/.test(line)
  const rows: Cell[][] = []
  let heads = 0
  let isOpen = false
  for (const [at, line] of lines.slice(1).entries()) {
    if (isBorder(line)) {
      if (heads === 0 && rows.length > 0 && at < lines.length - 2) heads = rows.length
      isOpen = false
    } else if (/^-+(?: +-+)*\s*$/.test(line)) isOpen = false
    else if (line.trim() === '') {
      if (isOpen) for (const cell of rows.at(-1)!) cell.lines.push('')
    } else {
      const cells = starts.map((start, at) => line.slice(start, starts[at + 1] ?? undefined).trimEnd())
      if (isOpen && cells[0] === '')
        for (const [at, cell] of rows.at(-1)!.entries()) cell.lines.push(cells[at]!)
      else rows.push(cells.map(text => ({ lines: [text] })))
      isOpen = true
    }
  }
  return htmlOf(rows, heads, write)
}

/** The items of a list, as lines each. */
function itemsOf(lines: readonly string[]): string[][] {
  const found: string[][] = []
  for (const line of lines)
    if (BULLET.test(line)) found.push([line.replace(BULLET, '')])
    else found.at(-1)?.push(line)
  return found.map(([head = '', ...rest]) => [head, ...dedented(rest)])
}

export const listed = (lines: readonly string[]): string[][][] => itemsOf(trimmed(lines)).map(itemsOf)

export const valuesOf = (lines: readonly string[], header: string | undefined): string[][][] =>
  Papa.parse<string[]>([header ?? [], ...trimmed(lines)].flat().join('\n'), {
    skipEmptyLines: true,
  }).data.map(row => row.map(cell => cell.trim().split('\n')))

/** Rows of cells as a table. */
export const rowsOf = (rows: readonly string[][][], heads: number, write: Write): string =>
  htmlOf(
    rows.map(row => row.map(lines => ({ lines }))),
    heads,
    write,
  )

/** Lines without empty ones at their ends. */
export function trimmed(lines: readonly string[]): string[] {
  const from = lines.findIndex(line => line.trim() !== '')
  return from < 0 ? [] : lines.slice(from, lines.findLastIndex(line => line.trim() !== '') + 1)
}
