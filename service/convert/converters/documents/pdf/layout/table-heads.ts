/** Finds the rows of the heads of a table whose columns are known. */
import { inRuns } from '../../../../engines/common/runs.ts'
import type { Ruling } from '../../../../engines/pdf/content/types.ts'
import { isNumber, type Line, type Word } from './lines.ts'
import type { Column } from './table-runs.ts'

/** The content of a cell, and how many columns it covers. */
export interface Placed {
  words: Word[]
  columns: number
}

/** A line by the columns of its table. */
export interface PositionedRow {
  line: Line
  cells: (Placed | null)[]
}

/** Lines of heads above the first line across the table. */
const HEAD_LINES = 8

/** Number of lines above the first line across a table, if they are heads. */
export function headLines(positioned: readonly PositionedRow[], separators: readonly number[]): number {
  const first = positioned[0]!.line
  const end = Math.min(...separators.filter(y => y > first.baseline - 1))
  const count = positioned.filter(({ line }) => line.baseline - line.size * 0.3 < end).length
  if (count < 2 || count > HEAD_LINES || count > positioned.length - 1) return 0
  const isBody = ({ cells }: PositionedRow) => {
    const filled = cells.slice(1).filter(cell => cell !== null)
    const numbers = filled.filter(({ words }) =>
      words.every(({ text }) => isNumber(text) && !/^(19|20)\d\d/.test(text)),
    )
    return filled.length > 1 && numbers.length > filled.length / 2
  }
  return positioned.slice(0, count).some(isBody) ? 0 : count
}

/** Heads as rows: a cell of several lines ends at a line below it, or where it stands over several columns. */
export function headRows(
  positioned: readonly PositionedRow[],
  columns: readonly Column[],
  rulings: readonly Ruling[],
): PositionedRow[][] {
  const isRuled = (above: Line, below: Line, column: Column) =>
    rulings.some(
      line =>
        line.y1 > above.baseline - 1 && line.y1 < below.baseline - below.size * 0.3 && crosses(line, column),
    )
  return inRuns(positioned, (rows, row) => {
    const above = rows.at(-1)!
    const isOver = above.cells.some(cell => cell && cell.columns > 1)
    return !isOver && !columns.some(column => isRuled(above.line, row.line, column))
  })
}

/** Whether a level line passes the middle of a column. */
export const crosses = ({ x1, x2, y1, y2 }: Ruling, { x, right }: Column) =>
  Math.abs(y1 - y2) < 1 && Math.min(x1, x2) < (x + right) / 2 && Math.max(x1, x2) > (x + right) / 2
