/** Finds lines that may belong to a table whose cells are separated by space. */
import { isNumber, type Line, type Word } from './lines.ts'
import { markerOf } from './markers.ts'
import { isMonospace } from './paragraphs.ts'

/** Cells are further apart than this share of the size. */
const CELL_GAP = 1
/** Lines further apart than this share of the size belong to different tables. */
const ROW_GAP = 2.6
/** Rows of three cells or more may be further apart. */
const FAR = 4.5

export interface RowSegment {
  words: Word[]
  x: number
  right: number
}

export interface SegmentRow {
  line: Line
  segments: RowSegment[]
}

export const rowsOf = (lines: readonly Line[]): SegmentRow[] =>
  lines.map(line => ({ line, segments: segmentsOf(line) }))

/** Parts of a line that are further apart than a share of its size. */
export function segmentsOf({ words, size }: Line, gap = CELL_GAP): RowSegment[] {
  const segments: RowSegment[] = []
  for (const word of words) {
    const last = segments.at(-1)
    if (last && word.x - last.right < size * gap) {
      last.words.push(word)
      last.right = Math.max(last.right, word.x + word.width)
    } else segments.push({ words: [word], x: word.x, right: word.x + word.width })
  }
  return segments
}

const isRow = ({ line, segments }: SegmentRow) =>
  segments.length >= 2 &&
  !isListEntry(segments) &&
  !hasLeaders({ line, segments }) &&
  !isMonospace(line) &&
  !isJustified(segments)

/** Whether dots lead to a single number, as in a table of contents. */
const hasLeaders = ({ line, segments }: SegmentRow) => line.leaders && segments.length < 3

const isAlike = (one: SegmentRow, other: SegmentRow) =>
  Math.min(one.segments.length, other.segments.length) > 2 &&
  Math.abs(one.segments.length - other.segments.length) < 2

/** Whether the same wide space stands between all words, as in a justified line of few words. */
function isJustified(segments: RowSegment[]): boolean {
  if (segments.length < 4 || segments.some(({ words }) => words.length > 1)) return false
  if (segments.filter(({ words }) => isNumber(words[0]!.text)).length > segments.length / 2) return false
  const gaps = segments.slice(1).map(({ x }, index) => x - segments[index]!.right)
  return Math.max(...gaps) - Math.min(...gaps) < 1
}

/** A list marker and its entry are not two cells. */
const isListEntry = (segments: RowSegment[]) =>
  segments.length === 2 && segments[0]!.words.length === 1 && markerOf(segments[0]!.words[0]!.text) !== null

/** Maximum number of consecutive lines within a single cell. */
const CELL_LINES = 8

/** The end of closely spaced rows; lines of a single cell may be among them, but not at either end. */
export function endOfRun(rows: SegmentRow[], from: number): number {
  if (!isRow(rows[from]!)) return from
  let end = from + 1
  for (let next = from + 1; next < rows.length; next++) {
    const [before, row] = [rows[next - 1]!, rows[next]!]
    const reach = isAlike(before, row) ? FAR : ROW_GAP
    if (row.line.baseline - before.line.baseline > Math.max(row.line.size, before.line.size) * reach) break
    if (isRow(row)) end = next + 1
    else if (hasLeaders(row) || next - end >= CELL_LINES) break
    else if (
      (next - end >= 2 || isAcross(rows.slice(from, end), row)) &&
      !isWithinCell(rows.slice(from, end), row)
    )
      break
  }
  return end
}

/** Whether a line stands over several columns but the first, as the head of the next table does. */
function isAcross(table: SegmentRow[], { line }: SegmentRow): boolean {
  const [first, ...others] = columnsOf(table)
  return line.x > first!.right && others.filter(({ x, right }) => line.x < right && line.right > x).length > 1
}

/** Lines of a cell in the first row that are above its other cells, as in vertically centred cells. */
export function startOfRun(rows: SegmentRow[], from: number, end: number, least: number): number {
  let start = from
  while (
    start > least &&
    (isNextLine(rows, start - 1, start)
      ? isWithinCell(rows.slice(from, end), rows[start - 1]!) ||
        isSpanner(rows.slice(from, end), rows[start - 1]!)
      : isNextLine(rows, start - 1, start, ROW_GAP) && isSpanner(rows.slice(from, end), rows[start - 1]!))
  )
    start -= 1
  return start
}

/** Whether a line is the head of several columns, beside the empty corner above the first one. */
function isSpanner(table: SegmentRow[], { line }: SegmentRow): boolean {
  const columns = columnsOf(table)
  return (
    line.x > columns[0]!.right &&
    line.right < columns.at(-1)!.right + line.size &&
    !hasLeaders({ line, segments: segmentsOf(line) })
  )
}

export function tailOfRun(rows: SegmentRow[], from: number, end: number): number {
  const table = rows.slice(from, end)
  let to = end
  while (to < rows.length && isNextLine(rows, to - 1, to)) {
    const isOwn =
      isWithinCell(table, rows[to]!) || (isTighter(rows, from, to) && isWithinCell(table, rows[to]!, 0))
    if (!isOwn) break
    to += 1
  }
  return to
}

/** Whether a line is closer to the one above than to what follows, and closer than the rows are to each other. */
function isTighter(rows: SegmentRow[], from: number, at: number): boolean {
  const gapAt = (index: number) => rows[index]!.line.baseline - rows[index - 1]!.line.baseline
  const gap = gapAt(at)
  if (gap < rows[at]!.line.size * 0.95) return true
  const wide = rows.slice(from + 1, at).filter((_, index) => gapAt(from + 1 + index) > gap * 1.12).length
  const isLast = at + 1 >= rows.length || gapAt(at + 1) > gap * 1.3
  return isLast && wide >= 2
}

const isNextLine = (rows: SegmentRow[], above: number, below: number, gap = 1.45) =>
  rows[below]!.line.baseline - rows[above]!.line.baseline < rows[below]!.line.size * gap

/** Whether a line is within one column of a table, from the given column on. */
function isWithinCell(table: SegmentRow[], { segments, line }: SegmentRow, first = 1): boolean {
  if (segments.length !== 1 || line.leaders) return false
  const columns = columnsOf(table)
  const { x, right } = segments[0]!
  return columns.some(
    (column, index) =>
      index >= first &&
      x > (columns[index - 1]?.right ?? column.x - line.size) + line.size * 0.5 &&
      x < column.right &&
      right < (columns[index + 1]?.x ?? column.right + line.size * 4) - line.size * 0.5,
  )
}

export interface Column {
  x: number
  right: number
}

export function columnsOf(rows: SegmentRow[]): Column[] {
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
