import type { FilledBox, PageContent, Rectangle, Ruling } from '../../../../engines/pdf/content/types.ts'
import { running, type Vocabulary } from './content.ts'
import { type Grid, gridsOf } from './grid.ts'
import { type Line, linesOf, type Word } from './lines.ts'
import type { Table, TableCell } from './model.ts'

/** A table and its position on the page. */
export interface PlacedTable {
  box: Rectangle
  table: Table
}

/** Minimum share of cells with text: grids of charts and blank forms have less. */
const MIN_FILLED = 0.25

/** Tables whose cells are separated by lines or by their background, and the words outside of tables. */
export function ruledTables(
  { rulings, boxes, width, height, index }: PageContent,
  words: readonly Word[],
  vocabulary: Vocabulary,
): { tables: PlacedTable[]; rest: Word[]; frames: Grid[] } {
  const grids = gridsOf(rulings, boxes, { x: 0, y: 0, width, height })
  // Of nested grids, the inner one is a table in a cell or a chart in a frame, so the outer one comes last.
  grids.sort((one, other) => one.width * one.height - other.width * other.height)
  const tables: PlacedTable[] = []
  const frames: Grid[] = []
  let rest = [...words]
  for (const grid of grids) {
    const inside = rest.filter(word => isInside(word, grid))
    const table =
      grid.cells.length > 1 && inside.length > 0 && !isBand(grid, rulings)
        ? tableOf(grid, inside, vocabulary, index, boxes)
        : null
    if (!table) {
      frames.push(grid)
      continue
    }
    tables.push({ box: grid, table })
    const used = new Set(inside)
    rest = rest.filter(word => !used.has(word))
  }
  return { tables, rest, frames }
}

/** A coloured row without lines, in a table whose other rows have no background or another one. */
const isBand = ({ ys, x, y, width, height }: Grid, rulings: readonly Ruling[]) =>
  ys.length === 2 &&
  !rulings.some(
    line =>
      Math.max(line.y1, line.y2) > y - 2 &&
      Math.min(line.y1, line.y2) < y + height + 2 &&
      Math.max(line.x1, line.x2) > x - 2 &&
      Math.min(line.x1, line.x2) < x + width + 2,
  )

export const isInside = (word: Rectangle, box: Rectangle, margin = 2) => {
  const [x, y] = [word.x + word.width / 2, word.y + word.height / 2]
  return (
    x > box.x - margin &&
    x < box.x + box.width + margin &&
    y > box.y - margin &&
    y < box.y + box.height + margin
  )
}

function tableOf(
  grid: Grid,
  words: Word[],
  vocabulary: Vocabulary,
  page: number,
  boxes: readonly FilledBox[],
): Table | null {
  const { xs, ys } = grid
  const cells = grid.cells.map(cell => {
    const [left, right] = [xs[cell.column]!, xs[cell.column + cell.columns]!]
    const [top, bottom] = [ys[cell.row]!, ys[cell.row + cell.rows]!]
    const inside = words.filter(word => {
      const [x, y] = [word.x + word.width / 2, word.y + word.height / 2]
      return x >= left && x < right && y >= top && y < bottom
    })
    const fill = fillAt(boxes, (left + right) / 2, (top + bottom) / 2)
    return { ...cell, lines: linesOf(inside), ...(fill !== undefined && { fill }) }
  })
  const filled = cells.filter(({ lines }) => lines.length > 0)
  if (filled.length < 2 || filled.length < cells.length * MIN_FILLED) return null
  const columns = xs.length - 1
  const rows: (TableCell | null)[][] = []
  for (let row = 0; row < ys.length - 1; row++) {
    const own = cells.filter(cell => cell.row === row)
    const parts = own.every(cell => cell.rows === 1) ? splitRow(own.map(({ lines }) => lines)) : null
    const count = parts?.length ?? 1
    for (let part = 0; part < count; part++) {
      const line: (TableCell | null)[] = Array.from({ length: columns }, () => null)
      for (const [index, cell] of own.entries()) {
        const lines = parts ? parts[part]![index]! : cell.lines
        line[cell.column] = {
          content: running(lines, vocabulary),
          columns: cell.columns,
          rows: cell.rows,
          ...(cell.fill !== undefined && { fill: cell.fill }),
        }
      }
      rows.push(line)
    }
  }
  const table = withoutEmpty({ kind: 'table', rows, headerRows: headerRowsOf(rows, cells), page })
  if (table?.rows[0]?.length === columns) {
    table.widths = stepsOf(xs)
    if (table.rows.length === ys.length - 1) table.heights = stepsOf(ys)
  }
  return table
}

const stepsOf = (edges: readonly number[]) => edges.slice(1).map((edge, index) => edge - edges[index]!)

const WHITE = 0xffffff

/** The colour at a place on the page, if it is not white. */
function fillAt(boxes: readonly FilledBox[], x: number, y: number): number | undefined {
  const found = boxes.findLast(
    box => x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height,
  )
  return found && found.colour !== WHITE ? found.colour : undefined
}

/** Splits rows without lines between them, if every line of text is a separate row: the lines of all cells, by row. */
function splitRow(cells: Line[][]): Line[][][] | null {
  const filled = cells.filter(lines => lines.length > 0)
  const anchors = cells[0] ?? []
  if (anchors.length < 3 || filled.length < 2) return null
  const rowOf = (line: Line) =>
    anchors.findIndex(anchor => Math.abs(anchor.baseline - line.baseline) < line.size * 0.3)
  const others = filled.filter(lines => lines !== anchors).flat()
  const aligned = others.filter(line => rowOf(line) >= 0).length
  if (aligned < others.length || others.length < anchors.length * 0.7) return null
  return anchors.map((_, row) => cells.map(lines => lines.filter(line => rowOf(line) === row)))
}

const isBold = (lines: readonly Line[]) => lines.every(({ words }) => words.every(word => word.font.bold))

function headerRowsOf(
  rows: (TableCell | null)[][],
  cells: { row: number; rows: number; lines: Line[] }[],
): number {
  const first = cells.filter(cell => cell.row === 0 && cell.lines.length > 0)
  const others = cells.filter(cell => cell.row > 0 && cell.lines.length > 0)
  if (rows.length < 2 || first.length === 0) return 0
  const bold = first.every(({ lines }) => isBold(lines))
  if (bold && !others.every(({ lines }) => isBold(lines))) return Math.max(...first.map(({ rows }) => rows))
  return 0
}

/** Removes rows and columns that are empty and in which no cell starts, since they only serve the layout. */
function withoutEmpty(table: Table): Table | null {
  const isEmpty = (cell: TableCell | null) =>
    !cell || (cell.content.length === 0 && cell.columns === 1 && cell.rows === 1)
  const spans = table.rows.some(row => row.some(cell => cell && (cell.columns > 1 || cell.rows > 1)))
  const rows = spans ? table.rows : table.rows.filter(row => !row.every(isEmpty))
  const width = rows[0]?.length ?? 0
  const kept = Array.from(
    { length: width },
    (_, column) => spans || !rows.every(row => isEmpty(row[column] ?? null)),
  )
  const result = rows.map(row => row.filter((_, column) => kept[column]))
  if (result.length === 0 || (result[0]?.length ?? 0) < 2) return null
  return { ...table, rows: result }
}
