/**
 * Finds tables by the level lines that bound them, as of books: above and below the table and under its heads, with no lines between
 * its columns. Where the areas are known, the columns are those of the whole table (Nurminen, 2013: Algorithmic extraction of data in
 * tables in PDF documents).
 */
import type { PageContent, Rectangle } from '../../../../engines/pdf/content/types.ts'
import { tableOf } from './aligned-tables.ts'
import type { Vocabulary } from './content.ts'
import { type GridLine, levelsOf } from './grid.ts'
import { linesOf, type Word } from './lines.ts'
import { isInside, type PositionedTable } from './ruled-tables.ts'
import { columnsOf, rowsOf, type SegmentRow } from './table-runs.ts'

/** Lines and gaps this close count as the same, in points. */
const NEAR = 4
/** Minimum width of a table, in points. */
const MIN_WIDTH = 80

/** Pages with more lines are figures. */
const LIMIT = 1000

/** Tables between level lines of one width, and the words outside of tables. */
export function boundedTables(
  content: PageContent,
  words: readonly Word[],
  vocabulary: Vocabulary,
): { tables: PositionedTable[]; rest: Word[] } {
  const tables: PositionedTable[] = []
  let rest = [...words]
  const long = levelsOf(content.rulings).filter(({ from, to }) => to - from > MIN_WIDTH)
  const left = long.length < LIMIT ? long : []
  while (left.length > 0) {
    const first = left.shift()!
    const same = left.filter(
      ({ from, to }) => Math.abs(from - first.from) < NEAR && Math.abs(to - first.to) < NEAR,
    )
    for (const level of same) left.splice(left.indexOf(level), 1)
    for (const { top, bottom } of runsOf([first, ...same], rest)) {
      const box = { x: first.from, y: top, width: first.to - first.from, height: bottom - top }
      const inside = withAdjacent(box, rest)
      const table = tableOf(rowsOf(linesOf(inside)), content, vocabulary, content.index)
      if (!table) continue
      tables.push({ box, table })
      const used = new Set(inside)
      rest = rest.filter(word => !used.has(word))
    }
  }
  return { tables, rest }
}

/** Words between lines, and of the rows that follow without a line of their own, as sums do. */
function withAdjacent(box: Rectangle, words: readonly Word[]): Word[] {
  const inside = words.filter(word => isInside(word, box, NEAR))
  const columns = columnsOf(rowsOf(linesOf(inside))).length
  const used = new Set(inside)
  const beyond = { ...box, y: box.y + box.height }
  const below = words.filter(word => !used.has(word) && isInside(word, beyond, NEAR))
  let bottom = box.y + box.height
  for (const { line, segments } of rowsOf(linesOf(below))) {
    const isRow = segments.length > 1 && segments.length > columns / 2 && line.y - bottom < line.size
    if (!isRow) break
    inside.push(...line.words)
    bottom = line.baseline
  }
  return inside
}

/** Runs of bands between lines whose text stands in columns. */
function runsOf(levels: readonly GridLine[], words: readonly Word[]): { top: number; bottom: number }[] {
  const runs: { top: number; bottom: number }[] = []
  let open: { top: number; bottom: number } | undefined
  for (const [index, below] of levels.entries()) {
    const above = levels[index - 1]
    if (!above) continue
    const box = { x: above.from, y: above.at, width: above.to - above.from, height: below.at - above.at }
    const inside = words.filter(word => isInside(word, box, 0))
    const rows = rowsOf(linesOf(inside))
    const isOwn = rows.length === 0 ? box.height < 12 : isTabular(rows, box.width)
    if (isOwn && open) open.bottom = below.at
    else if (isOwn && rows.length > 0) {
      open = { top: above.at, bottom: below.at }
      runs.push(open)
    } else open = undefined
  }
  return runs
}

/** Whether text stands in columns: no line, or less than every second one, passes most of the width; group headings are few and short. */
function isTabular(rows: readonly SegmentRow[], width: number): boolean {
  const several = rows.filter(({ segments }) => segments.length >= 2).length
  const long = rows.some(({ segments, line }) => segments.length === 1 && line.right - line.x > width * 0.7)
  return several >= rows.length * 0.4 || (!long && (several > 0 || rows.length <= 2))
}
