/** Finds tables whose cells are separated by space only. */

import { median } from '../../../../engines/common/median.ts'
import { inRuns } from '../../../../engines/common/runs.ts'
import type { PageContent, Rectangle, Ruling } from '../../../../engines/pdf/content/types.ts'
import { join, type Vocabulary } from './content.ts'
import { edgesOf, isNumber, type Line, lineOf, NUMERIC, spansOf, type Word } from './lines.ts'
import { markerOf } from './markers.ts'
import type { Table, TableCell, TextSpan } from './model.ts'
import { crosses, headLines, headRows, type Placed, type PositionedRow } from './table-heads.ts'
import { rowGroups, separatorsOf } from './table-rows.ts'
import {
  type Column,
  columnsOf,
  endOfRun,
  type RowSegment,
  rowsOf,
  type SegmentRow,
  startOfRun,
  tailOfRun,
} from './table-runs.ts'

/** Columns with more text per cell are columns of a page, not of a table. */
const LONG_CELL = 45

/** Least share of filled cells. */
const FILLED = 0.4

export interface AlignedTable {
  table: Table
  box: Rectangle
  /** The range of its lines: the first, and the one after the last. */
  from: number
  to: number
  words: Word[]
}

/** All tables among the lines of a column, from top to bottom. */
export function alignedTables(
  lines: readonly Line[],
  drawn: Pick<PageContent, 'rulings' | 'boxes'>,
  vocabulary: Vocabulary,
  page: number,
): AlignedTable[] {
  const rows = rowsOf(lines)
  const tables: AlignedTable[] = []
  let before = 0
  for (let from = 0; from < rows.length; ) {
    const end = endOfRun(rows, from)
    let to = end
    let table: Table | null = null
    if (end - from >= 2) {
      // The first and the last row may have lines of a single cell above and below.
      const first = startOfRun(rows, from, end, before)
      to = tailOfRun(rows, from, end)
      table = tableOf(rows.slice(first, to), drawn, vocabulary, page)
      if (table) from = first
    }
    if (table) {
      const run = lines.slice(from, to)
      const { left: x, right } = edgesOf(run)
      const { y } = run[0]!
      const bottom = run.at(-1)!.y + run.at(-1)!.height
      tables.push({
        table,
        box: { x, y, width: right - x, height: bottom - y },
        from,
        to,
        words: run.flatMap(line => line.words),
      })
    }
    from = Math.max(to, from + 1)
    if (table) before = from
  }
  return tables
}

/** The table that rows of text make; null if they are none. */
export function tableOf(
  rows: SegmentRow[],
  { rulings, boxes }: Pick<PageContent, 'rulings' | 'boxes'>,
  vocabulary: Vocabulary,
  page: number,
): Table | null {
  const columns = columnsOf(rows)
  if (columns.length < 2 || columns.length > 40) return null
  const positioned = rows.map((row): PositionedRow => ({ line: row.line, cells: place(row, columns) }))
  const [left, right] = [columns[0]!.x, columns.at(-1)!.right]
  const separators = separatorsOf({ x: left, width: right - left }, rulings, boxes)
  const ends = [columns[0]!, columns.at(-1)!]
  const whole = separators.filter(y =>
    ends.every(column => rulings.some(line => Math.abs(line.y1 - y) < 2 && crosses(line, column))),
  )
  const headed = headLines(positioned, whole)
  const body = positioned.slice(headed)
  const groups = rowGroups(body, separators) ?? inRuns(body, continuesRow)
  const head = headRows(positioned.slice(0, headed), columns, rulings)
  const merged = [...head, ...groups].map(group => mergedRow(group, vocabulary))
  const full = merged.filter(({ cells }) => cells.filter(Boolean).length >= 2).length
  // Two lines are only a table between lines.
  if (full < (separators.length > 1 ? 2 : 3) || full < merged.length * 0.5) return null
  const lengths = columns.map(
    (_, column) =>
      median(positioned.flatMap(({ cells }) => (cells[column] ? [lengthOf(cells[column].words)] : []))) ?? 0,
  )
  if (lengths.filter(length => length > LONG_CELL).length > 1) return null
  if (columns.length === 2 && lengths[0]! > LONG_CELL * 0.8) return null
  // Markers of lists and numbers of sections are not a column.
  const isMark = (text: string) => markerOf(text) !== null || /^\d+(\.\d+)*$/.test(text)
  if (
    columns.length === 2 &&
    merged.every(({ cells }) => !cells[0] || isMark(cells[0].words[0]!.text)) &&
    merged.every(({ cells }) => !cells[1] || !NUMERIC.test(cells[1].words[0]!.text))
  )
    return null
  const filled = merged.flatMap(({ cells }) => cells.filter(cell => cell !== null))
  // Labels of a figure stand here and there.
  if (filled.length < merged.length * columns.length * FILLED) return null
  if (merged.length < 2) return null
  const table = merged.map(({ cells, content }) => rowOf(cells, content, columns.length))
  const widths = columns.map(({ x, right: end }, index) => (columns[index + 1]?.x ?? end) - x)
  return { kind: 'table', rows: table, headerRows: headerRows(merged, columns, rulings), page, widths }
}

interface MergedRow {
  lines: Line[]
  cells: (Placed | null)[]
  content: (TextSpan[] | null)[]
}

/** Merges the lines of a row, cell by cell. */
function mergedRow(group: readonly PositionedRow[], vocabulary: Vocabulary): MergedRow {
  const cells = group[0]!.cells.map((): Placed | null => null)
  const content = cells.map((): TextSpan[] | null => null)
  for (const { cells: own } of group)
    for (const [column, cell] of own.entries()) {
      if (!cell) continue
      const spans = spansOf(lineOf([...cell.words]))
      const before = content[column]
      if (before) join(before, spans, vocabulary)
      else content[column] = spans
      const known = cells[column]
      cells[column] = known
        ? { words: [...known.words, ...cell.words], columns: Math.max(known.columns, cell.columns) }
        : cell
    }
  return { lines: group.map(({ line }) => line), cells, content }
}

/** Segments of a row by the first column that each covers; null if they do not fit the columns. */
function place(row: SegmentRow, columns: Column[]): (Placed | null)[] {
  const cells: (Placed | null)[] = columns.map(() => null)
  for (const { words, x, right } of row.segments.flatMap(segment => cut(segment, columns, row.line.size))) {
    const covered = columns.flatMap((column, index) => (x < column.right && right > column.x ? [index] : []))
    const first = covered[0] ?? nearest(columns, x, right)
    const known = cells.findLastIndex((cell, index) => cell && index <= first && index + cell.columns > first)
    const own = cells[known]
    if (own) own.words.push(...words)
    else cells[first] = { words: [...words], columns: Math.max(1, covered.length) }
  }
  return cells
}

/** Parts of a segment that stand in different columns. */
function cut(segment: RowSegment, columns: readonly Column[], size: number): RowSegment[] {
  const parts: RowSegment[] = []
  const indexOf = ({ x, width }: Word) => {
    const covered = columns.flatMap((column, index) =>
      x < column.right && x + width > column.x ? [index] : [],
    )
    return covered.length === 1 ? covered[0]! : -1
  }
  for (const word of segment.words) {
    const last = parts.at(-1)
    const before = last?.words.at(-1)
    const gap = before ? word.x - before.x - before.width : 0
    const [one, other] = before ? [indexOf(before), indexOf(word)] : [-1, -1]
    const parted = one >= 0 && other >= 0 && one !== other
    const numbers = before && isNumber(before.text) && isNumber(word.text)
    if (last && !(parted && (gap > size * 0.33 || (numbers && gap > size * 0.2)))) {
      last.words.push(word)
      last.right = Math.max(last.right, word.x + word.width)
    } else parts.push({ words: [word], x: word.x, right: word.x + word.width })
  }
  return parts
}

const nearest = (columns: Column[], x: number, right: number) => {
  const distances = columns.map(column => Math.max(column.x - right, x - column.right))
  return distances.indexOf(Math.min(...distances))
}

/** Whether a line continues the cells of the row above: it has no first cell, and little else. */
function continuesRow(above: readonly PositionedRow[], { line, cells }: PositionedRow): boolean {
  if (cells[0] || line.baseline - above.at(-1)!.line.baseline > line.size * 1.5) return false
  const filled = cells.flatMap((cell, index) => (cell ? [index] : []))
  return (
    filled.length * 2 <= cells.length &&
    filled.every(index => above.some(({ cells: known }) => known[index] !== null))
  )
}

function rowOf(
  cells: (Placed | null)[],
  content: (TextSpan[] | null)[],
  columns: number,
): (TableCell | null)[] {
  const row: (TableCell | null)[] = []
  for (let column = 0; column < columns; ) {
    const across = cells[column]?.columns ?? 1
    row.push({ content: content[column] ?? [], columns: across, rows: 1 })
    for (let covered = 1; covered < across; covered++) row.push(null)
    column += across
  }
  return row
}

function headerRows(rows: MergedRow[], columns: Column[], rulings: readonly Ruling[]): number {
  const [left, right] = [columns[0]!.x, columns.at(-1)!.right]
  const ruledAfter = (index: number) => {
    const [above, below] = [rows[index]!.lines.at(-1)!, rows[index + 1]?.lines[0]]
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
  const bold = ({ lines }: MergedRow) => lines.every(line => line.words.every(word => word.font.bold))
  if (bold(rows[0]!) && !rows.every(bold)) return 1
  const isNumeric = (cell: Placed | null) =>
    cell !== null && NUMERIC.test(cell.words.map(({ text }) => text).join(' '))
  const [first, ...others] = rows
  const named = first!.cells.every(cell => !isNumeric(cell))
  const counted = columns.some(
    (_, column) =>
      others.filter(({ cells }) => isNumeric(cells[column] ?? null)).length >= others.length * 0.6,
  )
  return named && counted && first!.cells.filter(Boolean).length >= columns.length - 1 ? 1 : 0
}

const lengthOf = (words: Word[]) => words.reduce((sum, { text }) => sum + text.length + 1, -1)
