/**
 * Approximates cubic curves by quadratic splines within a tolerance, with the method of cu2qu and fontTools: the curve is
 * cut into equal parts, each part's control point is the intersection of its tangents, and the distance is bounded by that
 * of the control points. https://github.com/fonttools/fonttools/blob/main/Lib/fontTools/cu2qu/cu2qu.py (MIT)
 */

/** Maximum number of parts into which a curve is cut. */
const PART_LIMIT = 32
/** Number of halvings until two curves count as different. */
const DEPTH_LIMIT = 12

/** x and y of four points. */
export type Cubic = ArrayLike<number>

/** Maximum number of coordinates in the control points of one spline. */
export const SPLINE_NUMBERS = 2 * PART_LIMIT

/** Whether a cubic curve that starts and ends within `tolerance` of the origin stays within it. */
function staysWithin(
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  x3: number,
  y3: number,
  tolerance: number,
  depth = 0,
): boolean {
  const limit = tolerance * tolerance
  if (x1 * x1 + y1 * y1 <= limit && x2 * x2 + y2 * y2 <= limit) return true
  const midX = (x0 + 3 * (x1 + x2) + x3) / 8
  const midY = (y0 + 3 * (y1 + y2) + y3) / 8
  if (midX * midX + midY * midY > limit || depth === DEPTH_LIMIT) return false
  const turnX = (x3 + x2 - x1 - x0) / 8
  const turnY = (y3 + y2 - y1 - y0) / 8
  const next = depth + 1
  return (
    staysWithin(
      x0,
      y0,
      (x0 + x1) / 2,
      (y0 + y1) / 2,
      midX - turnX,
      midY - turnY,
      midX,
      midY,
      tolerance,
      next,
    ) &&
    staysWithin(midX, midY, midX + turnX, midY + turnY, (x2 + x3) / 2, (y2 + y3) / 2, x3, y3, tolerance, next)
  )
}

/** The intersection of the tangents at both ends. @returns false if they are parallel */
function tangentsMeet(c: Cubic, into: Float64Array): boolean {
  const abX = c[2]! - c[0]!
  const abY = c[3]! - c[1]!
  const cdX = c[6]! - c[4]!
  const cdY = c[7]! - c[5]!
  const across = abX * cdY - abY * cdX
  if (Math.abs(across) < 1e-9) return false
  const along = (abX * (c[1]! - c[5]!) - abY * (c[0]! - c[4]!)) / across
  into[0] = c[4]! + cdX * along
  into[1] = c[5]! + cdY * along
  return true
}

/** Writes part `index` of a curve that is cut into `parts`. */
function cut(c: Cubic, parts: number, index: number, into: Float64Array): void {
  const t = index / parts
  const u = (index + 1) / parts
  for (let axis = 0; axis < 2; axis++) {
    const start = c[axis]!
    const linear = 3 * (c[axis + 2]! - start)
    const square = 3 * (c[axis + 4]! - c[axis + 2]!) - linear
    const cube = c[axis + 6]! - start - linear - square
    const from = ((cube * t + square) * t + linear) * t + start
    const to = index === parts - 1 ? c[axis + 6]! : ((cube * u + square) * u + linear) * u + start
    into[axis] = from
    into[axis + 2] = from + ((3 * cube * t + 2 * square) * t + linear) / parts / 3
    into[axis + 4] = to - ((3 * cube * u + 2 * square) * u + linear) / parts / 3
    into[axis + 6] = to
  }
}

const controlPiece = new Float64Array(8)

/**
 * Writes the control points of the spline with this number of parts; for one part, at the intersection of the tangents or, if
 * `linear`, halfway.
 * @returns false if there is none
 */
function controlPoints(c: Cubic, parts: number, linear: boolean, into: Float64Array): boolean {
  if (parts === 1 && !linear) return tangentsMeet(c, into)
  for (let index = 0; index < parts; index++) {
    if (parts > 1) cut(c, parts, index, controlPiece)
    const p = parts === 1 ? c : controlPiece
    const share = parts === 1 ? 0.5 : index / (parts - 1)
    for (let axis = 0; axis < 2; axis++) {
      const fromStart = p[axis]! + (p[axis + 2]! - p[axis]!) * 1.5
      const fromEnd = p[axis + 6]! + (p[axis + 4]! - p[axis + 6]!) * 1.5
      into[2 * index + axis] = fromStart + (fromEnd - fromStart) * share
    }
  }
  return true
}

const fitPiece = new Float64Array(8)

/** Whether a spline from (x0, y0) to (endX, endY) with these control points stays within `tolerance` of the curve. */
function fits(
  c: Cubic,
  controls: Float64Array,
  parts: number,
  x0: number,
  y0: number,
  endX: number,
  endY: number,
  tolerance: number,
): boolean {
  const limit = tolerance * tolerance
  let [x, y] = [x0, y0]
  for (let index = 0; index < parts; index++) {
    if (parts > 1) cut(c, parts, index, fitPiece)
    const p = parts === 1 ? c : fitPiece
    const qx = controls[2 * index]!
    const qy = controls[2 * index + 1]!
    const isLast = index === parts - 1
    const toX = isLast ? endX : (qx + controls[2 * index + 2]!) / 2
    const toY = isLast ? endY : (qy + controls[2 * index + 3]!) / 2
    const startX = x - p[0]!
    const startY = y - p[1]!
    const stopX = toX - p[6]!
    const stopY = toY - p[7]!
    if (startX * startX + startY * startY > limit || stopX * stopX + stopY * stopY > limit) return false
    const within = staysWithin(
      startX,
      startY,
      x + ((qx - x) * 2) / 3 - p[2]!,
      y + ((qy - y) * 2) / 3 - p[3]!,
      toX + ((qx - toX) * 2) / 3 - p[4]!,
      toY + ((qy - toY) * 2) / 3 - p[5]!,
      stopX,
      stopY,
      tolerance,
    )
    if (!within) return false
    x = toX
    y = toY
  }
  return true
}

const exact = new Float64Array(SPLINE_NUMBERS)

/**
 * Writes the control points, in whole units, of the shortest spline that stays within `tolerance` of a cubic curve whose
 * ends are rounded too. If no rounded spline does, the shortest one that would without rounding is used.
 * @returns the number of control points
 */
export function splineOf(c: Cubic, tolerance: number, into: Float64Array): number {
  const [x0, y0, x3, y3] = [Math.round(c[0]!), Math.round(c[1]!), Math.round(c[6]!), Math.round(c[7]!)]
  let unrounded = 0
  for (let parts = 1; parts <= PART_LIMIT; parts++) {
    if (!controlPoints(c, parts, false, exact)) continue
    for (let i = 0; i < 2 * parts; i++) into[i] = Math.round(exact[i]!)
    if (fits(c, into, parts, x0, y0, x3, y3, tolerance)) return parts
    if (!unrounded && fits(c, exact, parts, c[0]!, c[1]!, c[6]!, c[7]!, tolerance / 2)) unrounded = parts
    // More parts would only be rounded more often.
    if (unrounded && parts > 8) break
  }
  const parts = unrounded || PART_LIMIT
  if (!controlPoints(c, parts, false, exact)) controlPoints(c, parts, true, exact)
  for (let i = 0; i < 2 * parts; i++) into[i] = Math.round(exact[i]!)
  return parts
}
