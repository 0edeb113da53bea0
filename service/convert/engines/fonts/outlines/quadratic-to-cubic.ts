import type { CubicContour, QuadraticOutline } from './contours.ts'

/**
 * Converts a TrueType outline to cubic contours with exactly the same curves. Their direction is reversed, as CFF
 * requires. Contours with a single point, which some fonts use as anchors, draw nothing and are left out.
 */
export function toCubic(outline: QuadraticOutline): CubicContour[] {
  const contours: CubicContour[] = []
  let start = 0
  for (const end of outline.ends) {
    if (end > start) contours.push(trace(outline, start, end))
    start = end + 1
  }
  return contours
}

type Point = readonly [x: number, y: number]

function trace({ onCurve, xs, ys }: QuadraticOutline, start: number, end: number): CubicContour {
  const count = end - start + 1
  const first = firstOnCurve(onCurve, start, end)
  // Point `i` of the contour in reverse from the first one.
  const indexOf = (i: number) => start + (((((first ?? end) - start - i) % count) + count) % count)
  const at = (i: number): Point => [xs[indexOf(i)]!, ys[indexOf(i)]!]
  const isOn = (i: number) => onCurve[indexOf(i)] === 1
  // Without an on-curve point it starts halfway between two control points.
  const origin = first === undefined ? between(at(0), at(-1), 0.5) : at(0)
  const points = [...origin]
  const segments: number[] = []
  let from = origin
  const last = first === undefined ? count - 1 : count
  for (let i = first === undefined ? 0 : 1; i <= last; i++) {
    if (isOn(i)) {
      from = at(i)
      segments.push(1)
      points.push(...from)
      continue
    }
    const control = at(i)
    let to: Point
    if (i === last && first === undefined) to = origin
    else if (isOn(i + 1)) to = at(++i)
    else to = between(control, at(i + 1), 0.5)
    segments.push(3)
    points.push(...between(from, control, 2 / 3), ...between(to, control, 2 / 3), ...to)
    from = to
  }
  return { segments, points }
}

function firstOnCurve(onCurve: readonly number[], start: number, end: number): number | undefined {
  for (let i = start; i <= end; i++) if (onCurve[i] === 1) return i
  return undefined
}

/** The point at a share of the way from one point to another. */
const between = ([x, y]: Point, [toX, toY]: Point, share: number): Point => [
  x + (toX - x) * share,
  y + (toY - y) * share,
]
