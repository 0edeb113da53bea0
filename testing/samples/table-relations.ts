/**
 * Judges tables by the neighbours of their cells, as the table competition of ICDAR 2013 did (Göbel et al.): a relation is two texts, of
 * which the second is the next one to the right of or below the first.
 */
import { readFileSync } from 'node:fs'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { corpus } from './media.ts'

interface Cell {
  row: number
  column: number
  rows: number
  columns: number
  text: string
}

const ENTITIES: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
}

/** The same for letters, dashes and quotation marks of any form, without spaces. */
const plain = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/\s+/g, '')
    .replace(/[‐‑‒–—−]/g, '-')
    .replace(/[’‘]/g, "'")
    .replace(/[“”]/g, '"')

/** The tables of a truth of the competition, `*-str.xml`. */
function expectedTables(xml: string): Cell[][] {
  const parts = (text: string, name: string) => [
    ...text.matchAll(new RegExp(`<${name}\\b([^>]*)>([\\s\\S]*?)</${name}>`, 'g')),
  ]
  const numberOf = (attributes: string, name: string) =>
    Number(new RegExp(`\\b${name}=["']([\\d.]+)`).exec(attributes)?.[1] ?? Number.NaN)
  return parts(xml, 'table').map(([, , table = '']) =>
    parts(table, 'region').flatMap(([, region = '', cells = '']) =>
      parts(cells, 'cell').map(([, cell = '', inner = '']) => {
        const [row, column] = [numberOf(cell, 'start-row'), numberOf(cell, 'start-col')]
        const text = parts(inner, 'content')[0]?.[2] ?? ''
        return {
          row: row + (numberOf(region, 'row-increment') || 0),
          column: column + (numberOf(region, 'col-increment') || 0),
          rows: (numberOf(cell, 'end-row') || row) - row + 1,
          columns: (numberOf(cell, 'end-col') || column) - column + 1,
          text: plain(text.replace(/&\w+;/g, entity => ENTITIES[entity] ?? entity)),
        }
      }),
    ),
  )
}

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

const within = (node: Node, names: readonly string[]): Element[] =>
  'childNodes' in node
    ? node.childNodes.flatMap(child =>
        'tagName' in child && names.includes(child.tagName) ? [child] : within(child, names),
      )
    : []

const textOf = (node: Node): string =>
  'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''

/** The tables of a web page. */
function writtenTables(html: string): Cell[][] {
  return within(parse(html), ['table']).map(table => {
    const taken = new Set<string>()
    return within(table, ['tr']).flatMap((line, row) => {
      let column = 0
      return within(line, ['td', 'th']).map(cell => {
        const spanOf = (name: string) => Number(cell.attrs.find(found => found.name === name)?.value ?? 1)
        const [rows, columns] = [spanOf('rowspan'), spanOf('colspan')]
        while (taken.has(`${row} ${column}`)) column += 1
        const found = { row, column, rows, columns, text: plain(textOf(cell)) }
        for (let y = row; y < row + rows; y++)
          for (let x = column; x < column + columns; x++) taken.add(`${y} ${x}`)
        column += columns
        return found
      })
    })
  })
}

/** How often each relation occurs in a table; empty cells are passed over. */
function relationsOf(all: readonly Cell[]): Map<string, number> {
  const cells = all.filter(({ text }) => text !== '')
  const at = new Map<string, number>()
  const [height, width] = [
    Math.max(0, ...cells.map(({ row, rows }) => row + rows)),
    Math.max(0, ...cells.map(({ column, columns }) => column + columns)),
  ]
  for (const [index, { row, column, rows, columns }] of cells.entries())
    for (let y = row; y < row + rows; y++)
      for (let x = column; x < column + columns; x++) if (!at.has(`${y} ${x}`)) at.set(`${y} ${x}`, index)
  const found = new Set<string>()
  const next = (from: number, y: number, x: number, down: number, right: number) => {
    for (
      let [row, column] = [y + down, x + right];
      row < height && column < width;
      row += down, column += right
    ) {
      const index = at.get(`${row} ${column}`)
      if (index === undefined) continue
      if (index !== from) found.add(`${from} ${index} ${down}`)
      return
    }
  }
  for (const [index, { row, column, rows, columns }] of cells.entries()) {
    for (let y = row; y < row + rows; y++) next(index, y, column + columns - 1, 0, 1)
    for (let x = column; x < column + columns; x++) next(index, row + rows - 1, x, 1, 0)
  }
  const counts = new Map<string, number>()
  for (const relation of found) {
    const [from, to, down] = relation.split(' ').map(Number) as [number, number, number]
    const key = JSON.stringify([cells[from]!.text, cells[to]!.text, down])
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0)

/** Shares of the relations that were found, and that are right, of one document. */
export function scoreOf(xml: string, html: string): { recall: number; precision: number } {
  const [truth, made] = [expectedTables(xml).map(relationsOf), writtenTables(html).map(relationsOf)]
  const pairs = truth.flatMap((one, index) =>
    made.map((other, number) => ({
      index,
      number,
      shared: sum([...one].map(([key, count]) => Math.min(count, other.get(key) ?? 0))),
    })),
  )
  const [known, used] = [new Set<number>(), new Set<number>()]
  let right = 0
  for (const { index, number, shared } of pairs.toSorted((one, other) => other.shared - one.shared)) {
    if (shared === 0 || known.has(index) || used.has(number)) continue
    known.add(index)
    used.add(number)
    right += shared
  }
  const totalOf = (tables: readonly Map<string, number>[]) =>
    sum(tables.flatMap(table => [...table.values()]))
  const [all, given] = [totalOf(truth), totalOf(made)]
  return { recall: all > 0 ? right / all : 1, precision: given > 0 ? right / given : 0 }
}

/** Recall, precision and their harmonic mean over all sample documents with truths; undefined if there are none. */
export async function scoreOfSamples(
  htmlOf: (pdf: string) => Promise<string>,
): Promise<{ recall: number; precision: number; f: number; documents: number } | undefined> {
  const scores: { recall: number; precision: number }[] = []
  for (const path of corpus('pdf-tables').filter(name => name.endsWith('-str.xml'))) {
    const html = await htmlOf(path.replace('-str.xml', '.pdf'))
    scores.push(scoreOf(readFileSync(path, 'utf8'), html))
  }
  if (scores.length === 0) return undefined
  const recall = sum(scores.map(score => score.recall)) / scores.length
  const precision = sum(scores.map(score => score.precision)) / scores.length
  return { recall, precision, f: (2 * recall * precision) / (recall + precision), documents: scores.length }
}
