/**
 * Groups the lines of a table without a full grid into rows: cells may have several lines, aligned at their top, middle or
 * bottom.
 */
import { inRuns } from '../../../../engines/common/runs.ts'
import type { Rectangle, Ruling } from '../../../../engines/pdf/content/types.ts'
import { type Line, NUMERIC } from './lines.ts'
import type { PositionedRow } from './table-heads.ts'

/** Minimum length of a line between rows, as a share of the table's width. */
const RULE_WIDTH = 0.6
/** Lines of a cell are no further apart than this share of the size; rows are further apart by this factor. */
const LINE_PITCH = 1.5
const APART = 1.12
/** If the median number of lines between separators is at most this, each separator divides two rows. */
const USUAL_LINES = 3

/** Heights at which lines or the edges of coloured bands cross a table. */
export function separatorsOf(
  { x, width }: { x: number; width: number },
  rulings: readonly Ruling[],
  boxes: readonly Rectangle[],
): number[] {
  const across = new Map<number, number>()
  const add = (y: number, from: number, to: number) => {
    const share = Math.min(to, x + width) - Math.max(from, x)
    if (share <= 0) return
    const key = Math.round(y)
    // Segments of single cells add up to one separator.
    across.set(key, (across.get(key) ?? 0) + share)
  }
  for (const { x1, x2, y1, y2 } of rulings)
    if (Math.abs(y1 - y2) < 1) add(y1, Math.min(x1, x2), Math.max(x1, x2))
  for (const box of boxes) for (const y of [box.y, box.y + box.height]) add(y, box.x, box.x + box.width)
  return [...across].flatMap(([y, share]) => (share > width * RULE_WIDTH ? [y] : []))
}

/** The lines of each row; null if only their columns distinguish rows. */
export function rowGroups(
  lines: readonly PositionedRow[],
  separators: readonly number[],
): PositionedRow[][] | null {
  const parted = splitAt(lines, (above, below) =>
    separators.some(y => y > above.baseline - 1 && y < below.baseline - below.size * 0.3),
  )
  const counts = parted.map(part => part.length).toSorted((one, other) => one - other)
  const isRuled = parted.length >= 3 && counts[counts.length >> 1]! <= USUAL_LINES
  const groups = parted.flatMap((part): (PositionedRow[] | null)[] => {
    if (isRuled && isOneRow(part)) return [part]
    return bySpace(part) ?? [null]
  })
  if (groups.every(group => group !== null)) return groups
  return isRuled
    ? groups.flatMap((group, index) => (group ? [group] : (parted[index] ?? []).map(line => [line])))
    : null
}

function splitAt(
  lines: readonly PositionedRow[],
  parts: (above: Line, below: Line) => boolean,
): PositionedRow[][] {
  return inRuns(lines, (rows, { line }) => !parts(rows.at(-1)!.line, line))
}

/** Groups rows that are further apart than the lines of a cell. */
function bySpace(lines: readonly PositionedRow[]): PositionedRow[][] | null {
  if (lines.length === 1) return [[lines[0]!]]
  const columns = lines[0]!.cells.map((_, column) =>
    lines.flatMap(({ line, cells }) => (cells[column] ? [line] : [])),
  )
  const pitch = pitchOf(columns)
  if (pitch === undefined) return null
  const groups = splitAt(lines, (above, below) => below.baseline - above.baseline > pitch * APART)
  const several = groups.filter(group => group.length > 1)
  // If most groups have several names in the first column, they are several rows under a common heading.
  const named = several.filter(group => group.filter(({ cells }) => cells[0]).length <= 1)
  if (groups.length < 2 || named.length < several.length / 2) return null
  if (several.some(hasNumbers) || several.filter(isUneven).length < several.length / 2) return null
  return groups
}

/** Line pitch within cells: the smallest of any column; undefined if no cell has several lines. */
function pitchOf(columns: readonly (readonly Line[])[]): number | undefined {
  let least = Number.POSITIVE_INFINITY
  let size = 0
  for (const lines of columns)
    for (const [index, line] of lines.entries()) {
      size = Math.max(size, line.size)
      const gap = index > 0 ? line.baseline - lines[index - 1]!.baseline : 0
      if (gap > line.size * 0.9) least = Math.min(least, gap)
    }
  return least < size * LINE_PITCH ? least : undefined
}

/** Minimum number of rows with content on both sides for a table. */
const MIN_BANDS = 4
const MAX_LINES = 5

/**
 * Whether two sides are cells of common rows, not columns of text: both are separated by the same gaps, and most rows have a
 * single line on one of the sides.
 */
export function haveCommonRows(left: readonly Line[], right: readonly Line[]): boolean {
  const pitch = pitchOf([left, right])
  if (pitch === undefined) return false
  const lines = [...left, ...right].sort((one, other) => one.baseline - other.baseline)
  const bands: { left: number; right: number }[] = []
  const onLeft = new Set(left)
  for (const [index, line] of lines.entries()) {
    const above = lines[index - 1]
    if (!above || line.baseline - above.baseline > pitch * APART) bands.push({ left: 0, right: 0 })
    bands.at(-1)![onLeft.has(line) ? 'left' : 'right'] += 1
  }
  // Content above and below the rows may be on one side only.
  const isWhole = (band: { left: number; right: number }) => band.left > 0 && band.right > 0
  while (bands.length > 0 && !isWhole(bands[0]!)) bands.shift()
  while (bands.length > 0 && !isWhole(bands.at(-1)!)) bands.pop()
  const share = (test: (band: { left: number; right: number }) => boolean) =>
    bands.filter(test).length / bands.length
  return (
    bands.length >= MIN_BANDS &&
    share(isWhole) >= 0.8 &&
    share(band => Math.min(band.left, band.right) <= 1) >= 0.5 &&
    share(band => Math.max(band.left, band.right) <= MAX_LINES) >= 0.9
  )
}

const isOneRow = (lines: readonly PositionedRow[]) =>
  lines.length === 1 || (!hasNumbers(lines) && isUneven(lines))

const cellsOf = (lines: readonly PositionedRow[]) =>
  lines[0]!.cells.map((_, column) => lines.flatMap(({ cells }) => cells[column] ?? []))

/** Whether a column has numbers on several lines, which means several rows. */
const hasNumbers = (lines: readonly PositionedRow[]) =>
  cellsOf(lines).some(
    cells => cells.filter(({ words }) => NUMERIC.test(words.map(({ text }) => text).join(' '))).length > 1,
  )

/** Whether a column has fewer lines than others. */
const isUneven = (lines: readonly PositionedRow[]) =>
  cellsOf(lines).some(cells => cells.length > 0 && cells.length < lines.length)
