/** Places components of composite glyphs, and appends them to an outline. */
import { type Component, componentFlags } from '../sfnt/glyf/read.ts'
import type { Moves, QuadraticOutline } from './contours.ts'

/** A copy, transformed as the component specifies. */
export function transformed<T extends QuadraticOutline>(outline: T, { matrix }: Component): T {
  const [a, b, c, d] = matrix
  const { xs, ys } = outline
  return {
    ...outline,
    xs: xs.map((x, i) => a * x + c * ys[i]!),
    ys: ys.map((y, i) => b * xs[i]! + d * y),
    moves: new Map(
      [...outline.moves].map(([region, moves]) => [
        region,
        {
          xs: moves.xs.map((x, i) => a * x + c * moves.ys[i]!),
          ys: moves.ys.map((y, i) => b * moves.xs[i]! + d * y),
        },
      ]),
    ),
  }
}

/** The shift of a component that is placed by an offset. */
export function offsetOf({ flags, arguments: [dx, dy], matrix: [a, b, c, d] }: Component): [number, number] {
  const isScaled = flags & componentFlags.scaledOffset && !(flags & componentFlags.unscaledOffset)
  return isScaled ? [dx * Math.hypot(a, b), dy * Math.hypot(c, d)] : [dx, dy]
}

/** Moves a component so that one of its points meets one of the existing points, in every region. */
export function attach(
  part: QuadraticOutline,
  there: QuadraticOutline,
  [first, second]: Component['arguments'],
): void {
  const count = part.xs.length
  if (first >= there.xs.length || second >= count) return
  move(part, there.xs[first]! - part.xs[second]!, there.ys[first]! - part.ys[second]!)
  for (const region of new Set([...there.moves.keys(), ...part.moves.keys()])) {
    const at = (moves: Moves | undefined, point: number): [number, number] => [
      moves?.xs[point] ?? 0,
      moves?.ys[point] ?? 0,
    ]
    const [toX, toY] = at(there.moves.get(region), first)
    const [fromX, fromY] = at(part.moves.get(region), second)
    addMoves(part.moves, region, {
      xs: new Float64Array(count).fill(toX - fromX),
      ys: new Float64Array(count).fill(toY - fromY),
    })
  }
}

export function move(outline: QuadraticOutline, dx: number, dy: number): void {
  if (dx) outline.xs = outline.xs.map(x => x + dx)
  if (dy) outline.ys = outline.ys.map(y => y + dy)
}

export function append(outline: QuadraticOutline, part: QuadraticOutline): void {
  const [before, added] = [outline.xs.length, part.xs.length]
  outline.ends = outline.ends.concat(part.ends.map(end => end + before))
  outline.onCurve = outline.onCurve.concat(part.onCurve)
  outline.xs = outline.xs.concat(part.xs)
  outline.ys = outline.ys.concat(part.ys)
  for (const region of new Set([...outline.moves.keys(), ...part.moves.keys()])) {
    const [known, more] = [outline.moves.get(region), part.moves.get(region)]
    const moves = { xs: new Float64Array(before + added), ys: new Float64Array(before + added) }
    if (known) {
      moves.xs.set(known.xs)
      moves.ys.set(known.ys)
    }
    if (more) {
      moves.xs.set(more.xs, before)
      moves.ys.set(more.ys, before)
    }
    outline.moves.set(region, moves)
  }
}

/** Adds changes of all points in a region. */
export function addMoves(moves: Map<number, Moves>, region: number, added: Moves): void {
  const known = moves.get(region)
  if (!known) {
    moves.set(region, added)
    return
  }
  moves.set(region, {
    xs: known.xs.map((value, i) => value + added.xs[i]!),
    ys: known.ys.map((value, i) => value + added.ys[i]!),
  })
}
