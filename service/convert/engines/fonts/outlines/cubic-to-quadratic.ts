import type { CubicContour, QuadraticOutline } from './contours.ts'
import { SPLINE_NUMBERS, splineOf } from './quadratic.ts'

/**
 * Converts a cubic outline to a TrueType outline in whole units. The direction of contours is reversed, as TrueType
 * requires.
 * @param tolerance distance in units by which curves may differ, including rounding
 */
export function toQuadratic(contours: readonly CubicContour[], tolerance: number): QuadraticOutline {
  const outline: QuadraticOutline = { ends: [], onCurve: [], xs: [], ys: [] }
  for (const contour of contours) {
    const points = trace(contour, tolerance)
    if (points.on.length < 2) continue
    append(outline, points)
    outline.ends.push(outline.xs.length - 1)
  }
  return outline
}

/** Points of one contour. */
interface Points {
  xs: number[]
  ys: number[]
  on: number[]
}

const curve = new Float64Array(8)
const controls = new Float64Array(SPLINE_NUMBERS)

function trace({ segments, points }: CubicContour, tolerance: number): Points {
  const [startX, startY] = [Math.round(points[0]!), Math.round(points[1]!)]
  const xs = [startX]
  const ys = [startY]
  const on = [1]
  let at = 0
  for (let i = 0; i < segments.length; i++) {
    const isCurve = segments[i] === 3
    if (isCurve) {
      for (let k = 0; k < 8; k++) curve[k] = points[at + k]!
      const count = splineOf(curve, tolerance, controls)
      for (let k = 0; k < count; k++) {
        xs.push(controls[2 * k]!)
        ys.push(controls[2 * k + 1]!)
        on.push(0)
      }
    }
    at += 2 * segments[i]!
    const x = Math.round(points[at]!)
    const y = Math.round(points[at + 1]!)
    const last = xs.length - 1
    if (!isCurve && on[last] === 1 && xs[last] === x && ys[last] === y) continue
    xs.push(x)
    ys.push(y)
    on.push(1)
  }
  // The closing line is not stored.
  for (
    let last = xs.length - 1;
    last > 0 && on[last] === 1 && xs[last] === startX && ys[last] === startY;
    last--
  ) {
    xs.pop()
    ys.pop()
    on.pop()
  }
  return { xs, ys, on }
}

/** Appends a contour in reverse, without on-curve points halfway between two control points. */
function append(outline: QuadraticOutline, { xs, ys, on }: Points): void {
  const count = xs.length
  let left = count
  for (let i = count - 1; i >= 0; i--) {
    const before = i === 0 ? count - 1 : i - 1
    const after = i === count - 1 ? 0 : i + 1
    const isImplied =
      on[i] === 1 &&
      on[before] === 0 &&
      on[after] === 0 &&
      xs[before]! + xs[after]! === 2 * xs[i]! &&
      ys[before]! + ys[after]! === 2 * ys[i]! &&
      left > 3
    if (isImplied) {
      left--
      continue
    }
    outline.xs.push(xs[i]!)
    outline.ys.push(ys[i]!)
    outline.onCurve.push(on[i]!)
  }
}
