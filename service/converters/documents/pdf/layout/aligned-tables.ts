/** Tables whose cells are parted by nothing but space. */
import type { Rectangle, Ruling } from '../../../../engines/pdf-content/types.ts'
import { join, type Vocabulary } from './content.ts'
import { type Line, lineOf, spansOf, type Word } from './lines.ts'
import { markerOf } from './markers.ts'
import type { Span, Table, TableCell } from './model.ts'
import { isMonospace } from './paragraphs.ts'

/** Cells are further apart than this share of the size. */
const CELL_GAP = 1
/** Lines further apart than this share of the size belong to different tables. */
const ROW_GAP = 2.6
/** Columns of more text than this are no columns of a table but of a page. */
const LONG_CELL = 45

interface Segment {
  words: Word[]
  x: number
  right: number
}

interface Row {
  line: Line
  segments: Segment[]
}

export interface AlignedTable {
  table: Table
  box: Rectangle
  /** Lines it is made of, from the first to before the last. */
  from: number
  to: number
}

function segmentsOf({ words, size }: Line): Segment[] {
  const segments: Segment[] = []
  for (const word of words) {
    const last = segments.at(-1)
    if (last && word.x - last.right < size * CELL_GAP) {
      last.words.push(word)
      last.right = Math.max(last.right, word.x + word.width)
    } else segments.push({ words: [word], x: word.x, right: word.x + word.width })
  }
  return segments
}

/** Every table among the lines of a column, from the top down. */
export function alignedTables(
  lines: readonly Line[],
  rulings: readonly Ruling[],
  vocabulary: Vocabulary,
  page: number,
): AlignedTable[] {
  const rows = lines.map((line): Row => ({ line, segments: segmentsOf(line) }))
  const tables: AlignedTable[] = []
  for (let from = 0; from < rows.length; ) {
    const to = endOfRun(rows, from)
    const table = to - from >= 2 ? tableOf(rows.slice(from, to), rulings, vocabulary, page) : null
    if (table) {
      const run = lines.slice(from, to)
      const [x, y] = [Math.min(...run.map(line => line.x)), run[0]!.y]
      const right = Math.max(...run.map(line => line.right))
      const bottom = run.at(-1)!.y + run.at(-1)!.height
      tables.push({ table, box: { x, y, width: right - x, height: bottom - y }, from, to })
    }
    from = Math.max(to, from + 1)
  }
  return tables
}

const isRow = ({ line, segments }: Row) =>
  segments.length >= 2 && !isListEntry(segments) && !line.leaders && !isMonospace(line)

/** A mark and its entry are no two cells. */
const isListEntry = (segments: Segment[]) =>
  segments.length === 2 && segments[0]!.words.length === 1 && markerOf(segments[0]!.words[0]!.text) !== null

/** Rows that follow each other closely; lines of one cell may be among them, but do not begin or end them. */
function endOfRun(rows: Row[], from: number): number {
  if (!isRow(rows[from]!)) return from
  let end = from + 1
  for (let next = from + 1; next < rows.length; next++) {
    const [before, row] = [rows[next - 1]!, rows[next]!]
    if (row.line.baseline - before.line.baseline > Math.max(row.line.size, before.line.size) * ROW_GAP) break
    if (isRow(row)) end = next + 1
    else if (next - end >= 2 || row.line.leaders) break
  }
  // A line under the last row that lies within one of its later columns goes on with that cell.
  return end
}

interface Column {
  x: number
  right: number
}

function columnsOf(rows: Row[]): Column[] {
  const counts = new Map<number, number>()
  for (const { segments } of rows)
    if (segments.length >= 2) counts.set(segments.length, (counts.get(segments.length) ?? 0) + 1)
  let usual = 0
  let most = 0
  for (const [count, times] of counts)
    if (times > most || (times === most && count > usual)) {
      usual = count
      most = times
    }
  const columns: Column[] = []
  const parts = rows
    .filter(({ segments }) => segments.length >= usual)
    .flatMap(({ segments }) => segments)
    .toSorted((one, other) => one.x - other.x)
  for (const { x, right } of parts) {
    const last = columns.at(-1)
    if (last && x < last.right) last.right = Math.max(last.right, right)
    else columns.push({ x, right })
  }
  return columns
}

function tableOf(
  rows: Row[],
  rulings: readonly Ruling[],
  vocabulary: Vocabulary,
  page: number,
): Table | null {
  const columns = columnsOf(rows)
  if (columns.length < 2 || columns.length > 40) return null
  const placed = rows.map(row => ({ row, cells: place(row, columns) }))
  if (placed.some(({ cells }) => cells === null)) return null
  const full = placed.filter(({ cells }) => cells!.filter(Boolean).length >= 2).length
  if (full < (columns.length > 2 ? 2 : 3) || full < rows.length * 0.5) return null
  const lengths = columns.map((_, column) =>
    median(placed.flatMap(({ cells }) => (cells![column] ? [lengthOf(cells![column].words)] : []))),
  )
  if (lengths.filter(length => length > LONG_CELL).length > 1) return null
  if (columns.length === 2 && lengths[0]! > LONG_CELL * 0.8) return null
  // Marks of a list are no column.
  if (columns.length === 2 && placed.every(({ cells }) => !cells![0] || markerOf(cells![0].words[0]!.text)))
    return null

  const result: { baseline: number; cells: (Placed | null)[]; content: (Span[] | null)[] }[] = []
  for (const { row, cells } of placed) {
    const last = result.at(-1)
    const content = cells!.map(cell => cell && spansOf(lineOf([...cell.words])))
    if (last && goesOn(last, { baseline: row.line.baseline, cells: cells! }, row.line.size)) {
      for (const [column, spans] of content.entries())
        if (spans) {
          const before = last.content[column]
          if (before) join(before, spans, vocabulary)
          else last.content[column] = spans
        }
      last.baseline = row.line.baseline
    } else result.push({ baseline: row.line.baseline, cells: [...cells!], content })
  }
  if (result.length < 2) return null
  const table = result.map(({ cells, content }) => rowOf(cells, content, columns.length))
  return { kind: 'table', rows: table, headerRows: headerRows(placed, columns, rulings), page }
}

interface Placed {
  words: Word[]
  columns: number
}

/** Segments of a row by the first column each covers; null when they do not fit the columns. */
function place({ segments }: Row, columns: Column[]): (Placed | null)[] | null {
  const cells: (Placed | null)[] = columns.map(() => null)
  for (const { words, x, right } of segments) {
    const covered = columns.flatMap((column, index) => (x < column.right && right > column.x ? [index] : []))
    const first = covered[0] ?? nearest(columns, x, right)
    if (cells[first]) return null
    for (const index of covered.slice(1)) if (cells[index]) return null
    cells[first] = { words, columns: Math.max(1, covered.length) }
  }
  // A cell must not cover one that is filled.
  for (const [index, cell] of cells.entries())
    for (let next = index + 1; cell && next < index + cell.columns; next++) if (cells[next]) return null
  return cells
}

const nearest = (columns: Column[], x: number, right: number) => {
  let best = 0
  let least = Number.POSITIVE_INFINITY
  for (const [index, column] of columns.entries()) {
    const distance = Math.max(column.x - right, x - column.right)
    if (distance < least) {
      least = distance
      best = index
    }
  }
  return best
}

/** Whether a line goes on with cells of the row above: it has no first cell, and little else. */
function goesOn(
  above: { baseline: number; cells: (Placed | null)[] },
  row: { baseline: number; cells: (Placed | null)[] },
  size: number,
): boolean {
  if (row.cells[0] || row.baseline - above.baseline > size * 1.5) return false
  const filled = row.cells.flatMap((cell, index) => (cell ? [index] : []))
  return filled.length * 2 <= row.cells.length && filled.every(index => above.cells[index] !== null)
}

function rowOf(cells: (Placed | null)[], content: (Span[] | null)[], columns: number): (TableCell | null)[] {
  const row: (TableCell | null)[] = []
  for (let column = 0; column < columns; ) {
    const across = cells[column]?.columns ?? 1
    row.push({ content: content[column] ?? [], columns: across, rows: 1 })
    for (let covered = 1; covered < across; covered++) row.push(null)
    column += across
  }
  return row
}

const NUMERIC = /^[\p{Sc}\s()+\-–−\d.,%/:']+$/u

function headerRows(
  rows: { row: Row; cells: (Placed | null)[] | null }[],
  columns: Column[],
  rulings: readonly Ruling[],
): number {
  const [left, right] = [columns[0]!.x, columns.at(-1)!.right]
  const ruledAfter = (index: number) => {
    const [above, below] = [rows[index]!.row.line, rows[index + 1]?.row.line]
    if (!below) return false
    return rulings.some(
      ({ x1, x2, y1, y2 }) =>
        Math.abs(y1 - y2) < 1 &&
        y1 > above.baseline - 1 &&
        y1 < below.baseline - below.size * 0.3 &&
        Math.min(x2, right) - Math.max(x1, left) > (right - left) * 0.6,
    )
  }
  const ruled = rows.flatMap((_, index) => (ruledAfter(index) ? [index] : []))
  if (ruled.length > 0 && ruled.length <= 2 && ruled[0]! < 3) return ruled[0]! + 1
  const bold = ({ line }: Row) => line.words.every(word => word.font.bold)
  if (bold(rows[0]!.row) && !rows.every(({ row }) => bold(row))) return 1
  const isNumeric = (cell: Placed | null) =>
    cell !== null && NUMERIC.test(cell.words.map(({ text }) => text).join(' '))
  const [first, ...others] = rows
  const named = first!.cells!.every(cell => !isNumeric(cell))
  const counted = columns.some(
    (_, column) => others.filter(({ cells }) => isNumeric(cells![column]!)).length >= others.length * 0.6,
  )
  return named && counted && first!.cells!.filter(Boolean).length >= columns.length - 1 ? 1 : 0
}

const lengthOf = (words: Word[]) => words.reduce((sum, { text }) => sum + text.length + 1, -1)

function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[sorted.length >> 1] ?? 0
}
