/**
 * Finds the reading order of the parts of a page: columns from left to right, and what is above and below them; a kind of X-Y
 * cut (Nagy and Seth, 1984).
 */
import { isRightToLeft } from '../../../../engines/common/language/script.ts'
import type { Rectangle } from '../../../../engines/pdf/content/types.ts'
import { edgesOf, type Line, linesOf, sizeOf, type Word } from './lines.ts'
import { markerOf } from './markers.ts'
import { haveCommonRows } from './table-rows.ts'

/** Anything among the text, such as a table or a picture. */
export interface Placed {
  box: Rectangle
}

/** A part of a page that is read line by line. */
export interface Region<Item extends Placed> {
  lines: Line[]
  items: Item[]
}

const DEPTH_LIMIT = 12
/** Minimum space between columns: as a share of the size, and in points. */
const GUTTER = 0.9
const MIN_GUTTER = 7
/** Maximum number of gutter positions to try, those that most rows share first. */
const CANDIDATES = 24

/** Parts of a page in reading order. */
export function regionsOf<Item extends Placed>(
  words: readonly Word[],
  items: readonly Item[],
): Region<Item>[] {
  const rightToLeft = isRightToLeft(words.map(word => word.text).join(''))
  const regions: Region<Item>[] = []
  const split = (part: readonly Word[], among: readonly Item[], depth: number) => {
    if (part.length === 0 && among.length === 0) return
    const rows = rowsOf(linesOf(part), among)
    const parts = depth < DEPTH_LIMIT ? partsOf(rows, rightToLeft) : null
    if (!parts) {
      regions.push({ lines: rows.flatMap(row => row.line ?? []), items: [...among] })
      return
    }
    for (const { words: inner, items: positioned } of parts) split(inner, positioned, depth + 1)
  }
  split(words, items, 0)
  return regions
}

interface Part<Item> {
  words: Word[]
  items: Item[]
}

/** A line of text, or an item. */
interface Row<Item> {
  top: number
  bottom: number
  /** The occupied intervals: its words, and the items next to it. */
  taken: [from: number, to: number][]
  line?: Line
  item?: Item
}

function rowsOf<Item extends Placed>(lines: Line[], items: readonly Item[]): Row<Item>[] {
  const rows: Row<Item>[] = lines.map(line => {
    const passed = items.filter(({ box }) => box.y < line.baseline && box.y + box.height > line.y)
    return {
      top: line.y,
      bottom: line.y + line.height,
      line,
      taken: [
        ...line.words.map(({ x, width }): [number, number] => [x, x + width]),
        ...passed.map(({ box }): [number, number] => [box.x, box.x + box.width]),
      ],
    }
  })
  for (const item of items) {
    const { x, y, width, height } = item.box
    rows.push({ top: y, bottom: y + height, item, taken: [[x, x + width]] })
  }
  return rows.sort((one, other) => one.top + one.bottom - other.top - other.bottom)
}

/** Consecutive rows that leave a gutter free. */
interface Run {
  from: number
  to: number
  at: number
  /** Number of rows on the side that has fewer. */
  weight: number
}

/** The part above a pair of columns, the columns, and the part below; null if there are no columns. */
function partsOf<Item extends Placed>(rows: Row<Item>[], rightToLeft: boolean): Part<Item>[] | null {
  if (rows.length < 2) return null
  const size = sizeOf(rows.flatMap(({ line }) => line?.words ?? []))
  const gutter = Math.max(MIN_GUTTER, size * GUTTER)
  const runs = guttersOf(rows, gutter)
    .flatMap(at => runsAt(rows, at, gutter))
    .filter(({ weight }) => weight >= 2)
    .sort((one, other) => other.weight - one.weight)
    .slice(0, CANDIDATES)
  const tables: Run[] = []
  for (const run of runs) {
    // A gap within a table is not a gutter.
    if (tables.some(table => run.from >= table.from && run.to <= table.to)) continue
    const { from, to } = trimmedRun(rows, run, size)
    const inside = rows.slice(from, to)
    const sides = [partOf(inside, run.at, 'left'), partOf(inside, run.at, 'right')] as const
    const [left, right] = [linesOf(sides[0].words), linesOf(sides[1].words)]
    if (haveCommonRows(left, right)) {
      tables.push(run)
      continue
    }
    if (!areColumns(left, right)) continue
    const columns = rightToLeft ? sides.toReversed() : sides
    return [partOf(rows.slice(0, from)), ...columns, partOf(rows.slice(to))]
  }
  return null
}

/** Positions that many rows leave free between their words. */
function guttersOf(rows: Row<Placed>[], gutter: number): number[] {
  const counts = new Map<number, number>()
  for (const { taken } of rows) {
    const sorted = taken.toSorted((one, other) => one[0] - other[0])
    let right = sorted[0]?.[1] ?? 0
    for (const [from, to] of sorted) {
      if (from - right >= gutter) {
        // A wide gap contains several positions.
        for (const place of new Set([from - gutter / 2, (from + right) / 2, right + gutter / 2])) {
          const key = Math.round(place / 2) * 2
          counts.set(key, (counts.get(key) ?? 0) + 1)
        }
      }
      right = Math.max(right, to)
    }
  }
  // Columns whose lines are never at the same height have a gap between the edges of their lines.
  const edges = new Map<number, number>()
  for (const { taken } of rows) {
    const left = Math.round(Math.min(...taken.map(([from]) => from)))
    edges.set(left, (edges.get(left) ?? 0) + 1)
  }
  for (const [edge, count] of edges)
    if (count >= 3) {
      const key = Math.round((edge - gutter / 2) / 2) * 2
      counts.set(key, (counts.get(key) ?? 0) + count)
    }
  return [...counts]
    .toSorted((one, other) => other[1] - one[1])
    .slice(0, CANDIDATES)
    .map(([place]) => place)
}

/** Whether a row has something on each side of a position, and how much space is free there. */
function freeAt(taken: Row<Placed>['taken'], at: number) {
  let from = Number.NEGATIVE_INFINITY
  let to = Number.POSITIVE_INFINITY
  for (const [left, right] of taken) {
    if (left < at && right > at) return null
    if (right <= at) from = Math.max(from, right)
    else to = Math.min(to, left)
  }
  return { from, to }
}

function runsAt(rows: Row<Placed>[], at: number, gutter: number): Run[] {
  const runs: Run[] = []
  let start = 0
  let free = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }
  let left = 0
  let right = 0
  const close = (end: number) => {
    if (left > 0 && right > 0) runs.push({ from: start, to: end, at, weight: Math.min(left, right) })
  }
  const open = (index: number) => {
    start = index
    free = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }
    left = 0
    right = 0
  }
  for (const [index, { taken }] of rows.entries()) {
    const gap = freeAt(taken, at)
    const common = gap && { from: Math.max(free.from, gap.from), to: Math.min(free.to, gap.to) }
    if (!gap || !common || common.to - common.from < gutter) {
      close(index)
      open(gap && gap.to - gap.from >= gutter ? index : index + 1)
      if (!gap || gap.to - gap.from < gutter) continue
    }
    free = { from: Math.max(free.from, gap.from), to: Math.min(free.to, gap.to) }
    if (Number.isFinite(gap.from)) left += 1
    if (Number.isFinite(gap.to)) right += 1
  }
  close(rows.length)
  return runs
}

/** Space above a line that separates it from the columns, as a share of the size. */
const APART = 2.2

/** Removes rows at both ends that are on one side only and apart from the others: titles, and what follows the columns. */
function trimmedRun(rows: Row<Placed>[], { from, to, at }: Run, size: number): { from: number; to: number } {
  const isOn = (row: Row<Placed>, side: 'left' | 'right') =>
    row.taken.some(([left]) => (side === 'left' ? left < at : left >= at))
  const both = { left: [] as number[], right: [] as number[] }
  for (let index = from; index < to; index++)
    for (const side of ['left', 'right'] as const) if (isOn(rows[index]!, side)) both[side].push(index)
  const isApart = (index: number) => {
    let above = Number.NEGATIVE_INFINITY
    for (let before = from; before < index; before++) above = Math.max(above, rows[before]!.bottom)
    return rows[index]!.top - above > size * (APART - 1)
  }
  let [first, last] = [from, to]
  for (let index = both.right.at(-1)! + 1; index < to; index++)
    if (isApart(index)) {
      last = index
      break
    }
  for (let index = both.left[0]!; index > from; index--)
    if (isApart(index)) {
      first = index
      break
    }
  return { from: first, to: last }
}

function partOf<Item extends Placed>(rows: Row<Item>[], at = 0, side?: 'left' | 'right'): Part<Item> {
  const belongs = (x: number) => side === undefined || (side === 'left' ? x < at : x >= at)
  return {
    words: rows.flatMap(({ line }) => line?.words.filter(word => belongs(word.x)) ?? []),
    items: rows.flatMap(({ item }) => (item && belongs(item.box.x) ? [item] : [])),
  }
}

/** Whether two sides are columns of text, not cells of a table whose rows are read across. */
function areColumns(left: Line[], right: Line[]): boolean {
  // A picture next to text, or two next to each other.
  if (left.length === 0 || right.length === 0) return left.length + right.length > 0
  const beside = alignment(left, right)
  const [proseLeft, proseRight] = [isProse(left), isProse(right)]
  if (proseLeft && proseRight) return true
  const lists = isList(left) && isList(right)
  if (lists) return true
  const fewest = Math.min(left.length, right.length)
  if (proseLeft || proseRight) return beside < 0.75
  return fewest >= 2 && beside < 0.5
}

/** Share of the lines on the shorter side that have a line at the same height on the other side. */
function alignment(one: Line[], other: Line[]): number {
  const [few, many] = one.length <= other.length ? [one, other] : [other, one]
  const aligned = few.filter(line =>
    many.some(near => Math.abs(near.baseline - line.baseline) < line.size * 0.2),
  )
  return aligned.length / few.length
}

const isList = (lines: Line[]) =>
  lines.filter(({ words }) => words.length > 1 && markerOf(words[0]!.text)).length >= lines.length * 0.3

/** Running text: lines of several words that fill their column. */
function isProse(lines: Line[]): boolean {
  if (lines.length < 3) return false
  const { left, right } = edgesOf(lines)
  const lengths = lines
    .map(({ words }) => words.reduce((sum, { text }) => sum + text.length + 1, 0))
    .sort((a, b) => a - b)
  const full = lines.filter(line => line.right - line.x > (right - left) * 0.8)
  return lengths[lengths.length >> 1]! >= 16 && full.length >= lines.length * 0.5
}
