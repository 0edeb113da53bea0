import { literal } from '../../../engines/documents/typst/index.ts'
import type { Context } from './context.ts'
import { type HtmlPart, htmlParts } from './html.ts'
import { setTag } from './html-tags.ts'
import type { Scope } from './links.ts'
import { Nesting } from './nesting.ts'

/** Elements that start and end a paragraph. */
const blocks = new Set(
  `address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form
  header hgroup html legend li main nav ol p section summary table tbody td tfoot th thead tr ul`.split(
    /\s+/,
  ),
)

const BREAK = '\n\n'

/** Sets a block of HTML: its text, with headings, lists, tables and inline markup. */
export function setHtmlBlock(html: string, context: Context): string {
  return setParts(htmlParts(html), context)
}

function setParts(parts: readonly HtmlPart[], context: Context): string {
  const out = new Nesting()
  const scope: Scope = { out, context, inHeading: false }
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!
    const name = part.kind === 'text' ? '' : part.name
    if (part.kind === 'open' && name === 'pre') {
      const end = endOf(parts, at)
      out.write(
        `${BREAK}#raw(block: true, ${literal(context.showable(textOf(parts.slice(at, end))))});${BREAK}`,
      )
      at = end
    } else if (part.kind === 'open' && name === 'table' && endOf(parts, at) < parts.length) {
      const end = endOf(parts, at)
      out.write(BREAK + setTable(parts.slice(at + 1, end), context) + BREAK)
      at = end
    } else if (/^h[1-6]$/.test(name)) {
      if (part.kind === 'open') {
        out.write(BREAK + context.anchor([part.attributes.id ?? ''].filter(Boolean)))
        out.open(name, `#heading(level: ${name[1]})[`, `];${BREAK}`)
        scope.inHeading = true
      } else {
        out.close(name)
        scope.inHeading = false
      }
    } else if (name === 'hr') out.write(`${BREAK}#rule;${BREAK}`)
    else if (blocks.has(name)) setBoundary(part, scope)
    else setTag(part, scope)
  }
  return out.finish() + BREAK
}

function setBoundary(part: HtmlPart, { out, context }: Scope): void {
  if (part.kind === 'text') return
  const isOpening = part.kind === 'open'
  out.write(BREAK)
  if (isOpening) out.write(context.anchor([part.attributes.id ?? ''].filter(Boolean)))
  const isCentred = isOpening && (part.name === 'center' || part.attributes.align?.toLowerCase() === 'center')
  if (part.name === 'summary') isOpening ? out.open('summary', '#strong[') : out.close('summary')
  else if (isCentred) out.open(part.name, '#align(center)[', `];${BREAK}`)
  else if (isOpening) out.open(part.name, '', '')
  else out.close(part.name)
  if (isOpening && part.name === 'li') out.write(`#${literal('•  ')};`)
  if (part.kind === 'close') out.write(BREAK)
}

/** Where the element that starts at `start` ends; the number of parts if it does not. */
function endOf(parts: readonly HtmlPart[], start: number): number {
  const { name } = parts[start] as { name: string }
  let depth = 0
  for (let at = start; at < parts.length; at++) {
    const part = parts[at]!
    if (part.kind === 'text' || part.name !== name) continue
    depth += part.kind === 'open' ? 1 : -1
    if (depth === 0) return at
  }
  return parts.length
}

const textOf = (parts: readonly HtmlPart[]) =>
  parts
    .map(part => (part.kind === 'text' ? part.text : part.kind === 'open' && part.name === 'br' ? '\n' : ''))
    .join('')
    .replace(/^\n|\n$/g, '')

interface Cell {
  parts: HtmlPart[]
  isHead: boolean
  columns: number
  rows: number
}

/** Maximum number of columns of a table, and that a cell may span. */
const MAX_COLUMNS = 64
/** Maximum depth of tables within tables; deeper ones become text. */
const MAX_TABLE_DEPTH = 3

function setTable(parts: readonly HtmlPart[], context: Context): string {
  const rows: Cell[][] = []
  let cell: Cell | undefined
  let inner = 0
  for (const part of parts) {
    const name = part.kind === 'text' ? '' : part.name
    // A table within a cell is part of the cell's content.
    if (name === 'table') inner += part.kind === 'open' ? 1 : -1
    if (inner > 0 || !/^(?:table|tr|td|th|thead|tbody|tfoot|colgroup|col|caption)$/.test(name))
      cell?.parts.push(part)
    else if (name === 'tr' && part.kind === 'open') rows.push([])
    else if ((name === 'td' || name === 'th') && part.kind === 'open') {
      const span = (value: string | undefined) =>
        Math.min(MAX_COLUMNS, Math.max(1, Number.parseInt(value ?? '', 10) || 1))
      cell = {
        parts: [],
        isHead: name === 'th',
        columns: span(part.attributes.colspan),
        rows: span(part.attributes.rowspan),
      }
      if (rows.length === 0) rows.push([])
      rows.at(-1)!.push(cell)
    } else if (part.kind === 'close') cell = undefined
  }
  const placed =
    context.tableDepth < MAX_TABLE_DEPTH ? placeCells(rows.filter(row => row.length > 0)) : undefined
  if (!placed)
    return setParts(
      parts.filter(part => part.kind === 'text' || part.name !== 'table'),
      context,
    )
  const cells = placed.cells.map(({ cell: { parts: content, isHead, columns, rows: height }, x, y }) => {
    context.tableDepth++
    const body = setParts(content, context).trim()
    context.tableDepth--
    const at = `x: ${x}, y: ${y}, colspan: ${columns}, rowspan: ${height}`
    return `table.cell(${at})[${isHead ? `#strong[${body}];` : body}],`
  })
  return `#table(columns: ${placed.columns}, fill: none, ${cells.join('\n')});`
}

/** Places every cell in the grid; undefined if the cells do not fit into one. */
function placeCells(
  rows: Cell[][],
): { columns: number; cells: { cell: Cell; x: number; y: number }[] } | undefined {
  const taken = new Set<number>()
  const cells: { cell: Cell; x: number; y: number }[] = []
  let columns = 0
  for (const [y, row] of rows.entries()) {
    let x = 0
    for (const cell of row) {
      while (taken.has(y * MAX_COLUMNS + x)) x++
      cell.rows = Math.min(cell.rows, rows.length - y)
      if (x + cell.columns > MAX_COLUMNS) return undefined
      for (let down = 0; down < cell.rows; down++) {
        for (let right = 0; right < cell.columns; right++) {
          const place = (y + down) * MAX_COLUMNS + x + right
          if (taken.has(place)) return undefined
          taken.add(place)
        }
      }
      cells.push({ cell, x, y })
      x += cell.columns
      columns = Math.max(columns, x)
    }
  }
  return columns > 0 ? { columns, cells } : undefined
}
