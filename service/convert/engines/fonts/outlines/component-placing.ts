/** Places components of composite glyphs, and appends them to an outline. */
import { type Component, componentFlags } from '../sfnt/glyf/read.ts'
import type { QuadraticOutline } from './contours.ts'

/** A copy, transformed as the component specifies. */
export function transformed<T extends QuadraticOutline>(outline: T, { matrix }: Component): T {
  const [a, b, c, d] = matrix
  const { xs, ys } = outline
  return {
    ...outline,
    xs: xs.map((x, i) => a * x + c * ys[i]!),
    ys: ys.map((y, i) => b * xs[i]! + d * y),
  }
}

/** The shift of a component with an offset. */
export function offsetOf({ flags, arguments: [dx, dy], matrix: [a, b, c, d] }: Component): [number, number] {
  const isScaled = flags & componentFlags.scaledOffset && !(flags & componentFlags.unscaledOffset)
  return isScaled ? [dx * Math.hypot(a, b), dy * Math.hypot(c, d)] : [dx, dy]
}

/** Moves a component so that one of its points meets one of the existing points. */
export function attach(
  part: QuadraticOutline,
  there: QuadraticOutline,
  [first, second]: Component['arguments'],
): void {
  if (first >= there.xs.length || second >= part.xs.length) return
  move(part, there.xs[first]! - part.xs[second]!, there.ys[first]! - part.ys[second]!)
}

export function move(outline: QuadraticOutline, dx: number, dy: number): void {
  if (dx) outline.xs = outline.xs.map(x => x + dx)
  if (dy) outline.ys = outline.ys.map(y => y + dy)
}

export function append(outline: QuadraticOutline, part: QuadraticOutline): void {
  const before = outline.xs.length
  outline.ends = outline.ends.concat(part.ends.map(end => end + before))
  outline.onCurve = outline.onCurve.concat(part.onCurve)
  outline.xs = outline.xs.concat(part.xs)
  outline.ys = outline.ys.concat(part.ys)
}
