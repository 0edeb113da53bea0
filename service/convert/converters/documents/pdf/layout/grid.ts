/** Finds tables with lines between their cells. */
import { inRuns } from '../../../../engines/common/runs.ts'
import type { FilledBox, Rectangle, Ruling } from '../../../../engines/pdf/content/types.ts'

/** Lines this close to each other count as one, in points. */
const NEAR = 3
/** The ground of a cell may end this far from its lines. */
const INSET = 8
const EDGE_LIMIT = 400

/** A level or upright line. */
export interface GridLine {
  /** y of a horizontal line, x of a vertical one. */
  at: number
  from: number
  to: number
}

export interface Grid extends Rectangle {
  /** Edges of its columns and rows. */
  xs: number[]
  ys: number[]
  cells: GridCell[]
}

export interface GridCell {
  row: number
  column: number
  rows: number
  columns: number
}

/** Grids made of lines and the edges of filled boxes; a grid of a single column has only one interval between its `xs`. */
export function gridsOf(rulings: readonly Ruling[], boxes: readonly FilledBox[], page: Rectangle): Grid[] {
  const level = rulings.flatMap(levelOf)
  const upright: GridLine[] = []
  for (const { x1, y1, x2, y2 } of rulings) {
    if (Math.abs(x1 - x2) < 1 && Math.abs(y1 - y2) >= 1)
      upright.push({ at: (x1 + x2) / 2, from: Math.min(y1, y2), to: Math.max(y1, y2) })
  }
  const [levelLines, uprightLines] = [[...level], [...upright]]
  for (const { x, y, width, height } of joined(boxes, upright)) {
    if (width < 10 || height < 6 || height > page.height * 0.3) continue
    const [left, right] = [x, x + width].map(at => drawnAt(at, y, y + height, uprightLines)) as [
      number,
      number,
    ]
    const [top, bottom] = [y, y + height].map(at => drawnAt(at, x, x + width, levelLines)) as [number, number]
    level.push({ at: top, from: left, to: right }, { at: bottom, from: left, to: right })
    upright.push({ at: left, from: top, to: bottom }, { at: right, from: top, to: bottom })
  }
  const levels = merged(level)
  const uprights = merged(upright)
  if (levels.length * uprights.length > 4_000_000) return []
  return groups(levels, uprights).flatMap(group => gridOf(group.levels, group.uprights) ?? [])
}

/** Where an edge of a cell's ground is: at the line beside it, if there is one. */
function drawnAt(at: number, from: number, to: number, lines: readonly GridLine[]): number {
  const beside = lines.filter(
    line => Math.abs(line.at - at) < INSET && line.from < from + 1 && line.to > to - 1,
  )
  return beside.toSorted((one, other) => Math.abs(one.at - at) - Math.abs(other.at - at))[0]?.at ?? at
}

/** Boxes of one colour below each other between upright lines, such as those of the lines of a cell, show no edge between them. */
function joined(boxes: readonly FilledBox[], upright: readonly GridLine[]): FilledBox[] {
  if (boxes.length * upright.length > 4_000_000) return [...boxes]
  const found: FilledBox[] = []
  const last = new Map<string, FilledBox>()
  for (const box of boxes) {
    const key = [box.colour, Math.round(box.x), Math.round(box.width)].join()
    const above = last.get(key)
    const isWithin = upright.some(({ from, to }) => from < box.y - NEAR && to > box.y + NEAR)
    if (above && isWithin && Math.abs(above.y + above.height - box.y) < 1)
      above.height = box.y + box.height - above.y
    else {
      const own = { ...box }
      last.set(key, own)
      found.push(own)
    }
  }
  return found
}

/** Level lines, joined where they touch, from top to bottom. */
export const levelsOf = (rulings: readonly Ruling[]): GridLine[] => merged(rulings.flatMap(levelOf))

const levelOf = ({ x1, x2, y1, y2 }: Ruling): GridLine[] =>
  Math.abs(y1 - y2) < 1 ? [{ at: (y1 + y2) / 2, from: Math.min(x1, x2), to: Math.max(x1, x2) }] : []

/** Merges touching segments on one line. */
function merged(segments: GridLine[]): GridLine[] {
  const sorted = segments.toSorted((one, other) => one.at - other.at || one.from - other.from)
  const bands = inRuns(sorted, ([first], segment) => segment.at - first!.at < NEAR / 2)
  return bands.flatMap(band => {
    const result: GridLine[] = []
    for (const segment of band.sort((one, other) => one.from - other.from)) {
      const last = result.at(-1)
      if (last && segment.from <= last.to + NEAR) last.to = Math.max(last.to, segment.to)
      else result.push({ ...segment })
    }
    return result
  })
}

/** Groups of lines that are connected by crossing or touching. */
function groups(levels: GridLine[], uprights: GridLine[]): { levels: GridLine[]; uprights: GridLine[] }[] {
  const parents = [...levels, ...uprights].map((_, index) => index)
  const rootOf = (index: number): number => {
    let root = index
    while (parents[root] !== root) root = parents[root]!
    parents[index] = root
    return root
  }
  for (const [index, level] of levels.entries())
    for (const [other, upright] of uprights.entries()) {
      const crosses =
        upright.at > level.from - NEAR &&
        upright.at < level.to + NEAR &&
        level.at > upright.from - NEAR &&
        level.at < upright.to + NEAR
      if (crosses) parents[rootOf(index)] = rootOf(levels.length + other)
    }
  const found = new Map<number, { levels: GridLine[]; uprights: GridLine[] }>()
  const groupOf = (index: number) => {
    const root = rootOf(index)
    let group = found.get(root)
    if (!group) {
      group = { levels: [], uprights: [] }
      found.set(root, group)
    }
    return group
  }
  for (const [index, level] of levels.entries()) groupOf(index).levels.push(level)
  for (const [index, upright] of uprights.entries()) groupOf(levels.length + index).uprights.push(upright)
  return [...found.values()]
}

function distinct(values: number[]): number[] {
  const sorted = values.toSorted((one, other) => one - other)
  const result: number[] = []
  for (const value of sorted) if (result.length === 0 || value - result.at(-1)! > NEAR) result.push(value)
  return result
}

function gridOf(levels: GridLine[], uprights: GridLine[]): Grid | null {
  if (levels.length < 2 && uprights.length < 2) return null
  // A table may be open at its sides.
  const xs = distinct([...uprights.map(({ at }) => at), ...levels.flatMap(({ from, to }) => [from, to])])
  const ys = distinct([...levels.map(({ at }) => at), ...uprights.flatMap(({ from, to }) => [from, to])])
  if (xs.length < 2 || ys.length < 2 || xs.length > EDGE_LIMIT || ys.length > EDGE_LIMIT * 5) return null
  const covers = (segments: GridLine[], at: number, middle: number) =>
    segments.some(
      segment => Math.abs(segment.at - at) <= NEAR && segment.from < middle && segment.to > middle,
    )
  const middle = (edges: number[], index: number) => (edges[index]! + edges[index + 1]!) / 2
  const [columns, rows] = [xs.length - 1, ys.length - 1]
  // Whether a cell has no border to the one on its right, or to the one below.
  const opensRight = (row: number, column: number) =>
    column + 1 < columns && !covers(uprights, xs[column + 1]!, middle(ys, row))
  const opensDown = (row: number, column: number) =>
    row + 1 < rows && !covers(levels, ys[row + 1]!, middle(xs, column))
  const taken = new Set<number>()
  const cells: GridCell[] = []
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      if (taken.has(row * columns + column)) continue
      let across = 1
      while (opensRight(row, column + across - 1) && !taken.has(row * columns + column + across)) across++
      let down = 1
      const spanOpens = (below: number) => {
        for (let next = column; next < column + across; next++) if (!opensDown(below, next)) return false
        for (let next = column; next < column + across - 1; next++)
          if (!opensRight(below + 1, next)) return false
        return true
      }
      while (row + down < rows && spanOpens(row + down - 1)) down++
      for (let y = row; y < row + down; y++)
        for (let x = column; x < column + across; x++) taken.add(y * columns + x)
      cells.push({ row, column, rows: down, columns: across })
    }
  const [x, y] = [xs[0]!, ys[0]!]
  return { x, y, width: xs.at(-1)! - x, height: ys.at(-1)! - y, xs, ys, cells }
}
