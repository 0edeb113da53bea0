import type { FilledBox, PageContent, Rectangle, Ruling } from '../../../../engines/pdf/content/types.ts'
import { running, type Vocabulary } from './content.ts'
import { type Grid, type GridCell, gridsOf } from './grid.ts'
import { type Line, linesOf, type Word } from './lines.ts'
import type { Table, TableCell } from './model.ts'
import { crosses } from './table-heads.ts'
import { segmentsOf } from './table-runs.ts'

/** A table and its position on the page. */
export interface PositionedTable {
  box: Rectangle
  table: Table
}

/** Minimum share of cells with text: grids of charts and blank forms have less. */
const MIN_FILLED = 0.25

/** Share of lines with gaps within cells from which lines do not show all columns. */
const OPEN = 0.5

/** Tables whose cells are separated by lines or by their background, and the words outside of tables. */
export function ruledTables(
  content: PageContent,
  words: readonly Word[],
  vocabulary: Vocabulary,
): { tables: PositionedTable[]; rest: Word[] } {
  const { rulings, boxes, width, height } = content
  const grids = gridsOf(rulings, boxes, { x: 0, y: 0, width, height })
  // Of nested grids, the inner one is a table in a cell or a chart in a frame, so the outer one comes last.
  grids.sort((one, other) => one.width * one.height - other.width * other.height)
  const tables: PositionedTable[] = []
  let rest = [...words]
  for (const grid of grids) {
    const cells = grid.cells.flatMap(cell => split(cell, grid, rest))
    const framed = withoutNotes({ ...grid, cells }, rest)
    const inside = rest.filter(word => isInside(word, framed))
    const table =
      framed.cells.length > 1 &&
      !hasOpenColumns(framed, inside) &&
      inside.length > 0 &&
      !isBand(grid, rulings)
        ? tableOf(framed, inside, vocabulary, content)
        : null
    if (!table) continue
    tables.push({ box: framed, table })
    const used = new Set(inside)
    rest = rest.filter(word => !used.has(word))
  }
  return { tables, rest }
}

/** The cells of a grid; where the ground of a text does not reach to the line below, without the empty rest. */
function withoutGrounds<Cell extends GridCell & { lines: Line[] }>(
  cells: readonly Cell[],
  { xs, ys }: Grid,
  rulings: readonly Ruling[],
): Cell[] {
  const found: Cell[] = []
  for (const cell of cells) {
    const { row, column, columns, lines } = cell
    const above = found.find(
      other => other.row + other.rows === row && other.column === column && other.columns === columns,
    )
    const place = { x: xs[column]!, right: xs[column + columns]! }
    const isDrawn = rulings.some(line => Math.abs(line.y1 - ys[row]!) < 3 && crosses(line, place))
    if (above && !isDrawn && lines.length === 0) above.rows += cell.rows
    else found.push({ ...cell })
  }
  return found
}

/** Characters from which a row of a single cell is a caption above or a note below a table within its frame. */
const NOTE = 40

/** A grid without the rows of long texts across it at its top and bottom. */
function withoutNotes(grid: Grid, words: readonly Word[]): Grid {
  const { xs, ys, cells } = grid
  const width = xs.at(-1)! - xs[0]!
  /** Length of the text across a row of a single cell. */
  const across = (row: number) => {
    const box = { x: grid.x, y: ys[row]!, width, height: ys[row + 1]! - ys[row]! }
    const isWide = cells.some(
      cell =>
        cell.row === row &&
        cell.rows === 1 &&
        xs[cell.column + cell.columns]! - xs[cell.column]! > width * 0.95,
    )
    const own = isWide ? words.filter(word => isInside(word, box, 0)) : []
    return own.reduce((sum, { text }) => sum + text.length + 1, 0)
  }
  const notes = (rows: number[]) => {
    const count = rows.findIndex(row => across(row) === 0)
    return rows.slice(0, count).some(row => across(row) > NOTE) ? count : 0
  }
  const rows = ys.slice(1).map((_, row) => row)
  const [first, last] = [notes(rows), rows.length - notes(rows.toReversed())]
  return {
    ...grid,
    y: ys[first]!,
    height: ys[last]! - ys[first]!,
    ys: ys.slice(first, last + 1),
    cells: cells.flatMap(cell => {
      const [row, end] = [Math.max(cell.row, first), Math.min(cell.row + cell.rows, last)]
      return row < end ? [{ ...cell, row: row - first, rows: end - row }] : []
    }),
  }
}

/** Whether lines part only some of the columns: most lines of text have further columns within a cell. */
function hasOpenColumns({ xs, ys, cells }: Grid, words: readonly Word[]): boolean {
  const open = new Set<number>()
  const all = new Set<number>()
  for (const cell of cells) {
    const [x, y] = [xs[cell.column]!, ys[cell.row]!]
    const box = { x, y, width: xs[cell.column + cell.columns]! - x, height: ys[cell.row + cell.rows]! - y }
    for (const line of linesOf(words.filter(word => isInside(word, box, 0)))) {
      const baseline = Math.round(line.baseline)
      all.add(baseline)
      const parts = segmentsOf(line).filter(({ words }) =>
        words.some(({ text }) => /[\p{L}\p{N}]/u.test(text)),
      )
      if (parts.length > 1) open.add(baseline)
    }
  }
  return open.size > 2 && open.size > all.size * OPEN
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
  { index: page, boxes, rulings }: PageContent,
): Table | null {
  const { xs, ys } = grid
  const drawn = grid.cells.map(cell => {
    const [left, right] = [xs[cell.column]!, xs[cell.column + cell.columns]!]
    const [top, bottom] = [ys[cell.row]!, ys[cell.row + cell.rows]!]
    const inside = words.filter(word => {
      const [x, y] = [word.x + word.width / 2, word.y + word.height / 2]
      return x >= left && x < right && y >= top && y < bottom
    })
    const fill = fillAt(boxes, (left + right) / 2, (top + bottom) / 2)
    return { ...cell, lines: linesOf(inside), ...(fill !== undefined && { fill }) }
  })
  const filled = drawn.filter(({ lines }) => lines.length > 0)
  if (filled.length < 2 || filled.length < drawn.length * MIN_FILLED) return null
  const cells = withoutGrounds(drawn, grid, rulings)
  const columns = xs.length - 1
  const rows: (TableCell | null)[][] = []
  for (let row = 0; row < ys.length - 1; row++) {
    const own = cells.filter(cell => cell.row === row)
    const parts = own.every(cell => cell.rows === own[0]!.rows)
      ? splitRow(own.map(({ lines }) => lines))
      : null
    const count = parts?.length ?? 1
    for (let part = 0; part < count; part++) {
      const line: (TableCell | null)[] = Array.from({ length: columns }, () => null)
      for (const [index, cell] of own.entries()) {
        const lines = parts ? parts[part]![index]! : cell.lines
        line[cell.column] = {
          content: running(lines, vocabulary),
          columns: cell.columns,
          rows: parts ? 1 : cell.rows,
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

/** A cell without lines inside whose words leave the edges of the grid's columns free, as below heads that alone have lines. */
function split(cell: GridCell, { xs, ys }: Grid, words: readonly Word[]): GridCell[] {
  if (cell.columns === 1) return [cell]
  const [top, bottom] = [ys[cell.row]!, ys[cell.row + cell.rows]!]
  const own = words.filter(({ y, height }) => y + height / 2 >= top && y + height / 2 < bottom)
  const starts = [cell.column]
  for (let edge = cell.column + 1; edge < cell.column + cell.columns; edge++) {
    const at = xs[edge]!
    const within = (from: number, to: number) =>
      own.filter(({ x, width }) => x + width / 2 > xs[from]! && x + width / 2 < xs[to]!)
    const before = within(starts.at(-1)!, edge)
    const after = within(edge, cell.column + cell.columns)
    const end = Math.max(...before.map(({ x, width }) => x + width))
    const start = Math.min(...after.map(({ x }) => x))
    const size = before[0]?.size ?? 0
    if (before.length > 0 && after.length > 0 && end < at && start > at && start - end > size)
      starts.push(edge)
  }
  if (starts.length === 1) return [cell]
  return starts.map((column, index) => ({
    ...cell,
    column,
    columns: (starts[index + 1] ?? cell.column + cell.columns) - column,
  }))
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
  const bands = bandsOf(cells)
  if (bands) return bands
  if (anchors.length < 3 || filled.length < 2 || goesOn(filled.flatMap(lines => lines.slice(1)))) return null
  const rowOf = (line: Line) =>
    anchors.findIndex(anchor => Math.abs(anchor.baseline - line.baseline) < line.size * 0.3)
  const others = filled.filter(lines => lines !== anchors).flat()
  const aligned = others.filter(line => rowOf(line) >= 0).length
  if (aligned < others.length || others.length < anchors.length * 0.7) return null
  return anchors.map((_, row) => cells.map(lines => lines.filter(line => rowOf(line) === row)))
}

/** Rows apart by empty lines, each with a name in the first column. */
function bandsOf(cells: Line[][]): Line[][][] | null {
  const lines = cells.flat().sort((one, other) => one.baseline - other.baseline)
  const pitches = cells.flatMap(own =>
    own.slice(1).map((line, index) => line.baseline - own[index]!.baseline),
  )
  const starts = lines.filter(
    (line, index) => index === 0 || line.baseline - lines[index - 1]!.baseline > Math.min(...pitches) * 1.5,
  )
  const bands = starts.map(({ baseline }, index) => {
    const end = starts[index + 1]?.baseline ?? Number.POSITIVE_INFINITY
    return cells.map(own => own.filter(line => line.baseline >= baseline && line.baseline < end))
  })
  const named = bands.filter(([first]) => first!.length > 0)
  const full = bands.filter(band => band.filter(own => own.length > 0).length > 1)
  return bands.length > 1 && named.length === bands.length && full.length > 1 ? bands : null
}

/** Whether lines continue sentences, not begin rows. */
const goesOn = (lines: readonly Line[]) =>
  lines.filter(({ words }) => /^\p{Ll}/u.test(words[0]!.text)).length > lines.length * 0.4

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

/** Removes rows and columns in which no text begins: they only serve the layout, as the second line of a double border. */
function withoutEmpty(table: Table): Table | null {
  const { rows } = table
  const width = rows[0]?.length ?? 0
  const starts = (cell: TableCell | null | undefined) =>
    cell !== null && cell !== undefined && cell.content.length > 0
  const columns = Array.from({ length: width }, (_, column) => rows.some(row => starts(row[column])))
  const lines = rows.map(row => row.some(starts))
  const kept = (flags: readonly boolean[], from: number, count: number) =>
    flags.slice(from, from + count).filter(Boolean).length
  const result = rows.flatMap((row, index) =>
    lines[index]
      ? [
          row.flatMap((cell, column) =>
            columns[column]
              ? [
                  cell && {
                    ...cell,
                    columns: kept(columns, column, cell.columns),
                    rows: kept(lines, index, cell.rows),
                  },
                ]
              : [],
          ),
        ]
      : [],
  )
  if (result.length === 0 || (result[0]?.length ?? 0) < 2) return null
  return { ...table, rows: result, headerRows: kept(lines, 0, table.headerRows) }
}
