/**
 * Cubic curves as quadratic splines within a tolerance, by the method of cu2qu and fontTools: the curve is cut into
 * equal parts, each part's control point lies where both its tangents would have it, and the distance is bounded by that of
 * the control points. https://github.com/fonttools/fonttools/blob/main/Lib/fontTools/cu2qu/cu2qu.py (MIT)
 */

/** Parts a curve may be cut into. */
const PART_LIMIT = 32
/** Halvings until two curves are taken for different. */
const DEPTH_LIMIT = 12

/** x and y of four points. */
export type Cubic = ArrayLike<number>

/** Whether a cubic curve that begins and ends within `tolerance` of the origin stays within it. */
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

/** Where the tangents at both ends meet; undefined where they are parallel. */
function tangentsMeet(c: Cubic): [number, number] | undefined {
  const [abX, abY] = [c[2]! - c[0]!, c[3]! - c[1]!]
  const [cdX, cdY] = [c[6]! - c[4]!, c[7]! - c[5]!]
  const across = abX * cdY - abY * cdX
  if (Math.abs(across) < 1e-9) return undefined
  const along = (abX * (c[1]! - c[5]!) - abY * (c[0]! - c[4]!)) / across
  return [c[4]! + cdX * along, c[5]! + cdY * along]
}

/** Polynomial coefficients of a cubic curve, x and y of each. */
function coefficients(c: Cubic) {
  const [ax, ay] = [3 * (c[2]! - c[0]!), 3 * (c[3]! - c[1]!)]
  const [bx, by] = [3 * (c[4]! - c[2]!) - ax, 3 * (c[5]! - c[3]!) - ay]
  return { ax, ay, bx, by, cx: c[6]! - c[0]! - ax - bx, cy: c[7]! - c[1]! - ay - by }
}

/** Part `index` of a curve cut into `parts`. */
function part(c: Cubic, parts: number, index: number): number[] {
  const { ax, ay, bx, by, cx, cy } = coefficients(c)
  const step = 1 / parts
  const [t, u] = [index * step, (index + 1) * step]
  const pointX = (s: number) => ((cx * s + bx) * s + ax) * s + c[0]!
  const pointY = (s: number) => ((cy * s + by) * s + ay) * s + c[1]!
  const slopeX = (s: number) => (((3 * cx * s + 2 * bx) * s + ax) * step) / 3
  const slopeY = (s: number) => (((3 * cy * s + 2 * by) * s + ay) * step) / 3
  const [x0, y0] = [pointX(t), pointY(t)]
  const [x3, y3] = index === parts - 1 ? [c[6]!, c[7]!] : [pointX(u), pointY(u)]
  return [x0, y0, x0 + slopeX(t), y0 + slopeY(t), x3 - slopeX(u), y3 - slopeY(u), x3, y3]
}

/** Control points of the spline with this number of parts: of one, where the tangents meet or, if `linear`, halfway. */
function controlPoints(c: Cubic, parts: number, linear: boolean): number[] | undefined {
  if (parts === 1 && !linear) return tangentsMeet(c)
  const controls: number[] = []
  for (let index = 0; index < parts; index++) {
    const p = parts === 1 ? c : part(c, parts, index)
    const share = parts === 1 ? 0.5 : index / (parts - 1)
    for (const axis of [0, 1]) {
      const fromStart = p[axis]! + (p[axis + 2]! - p[axis]!) * 1.5
      const fromEnd = p[axis + 6]! + (p[axis + 4]! - p[axis + 6]!) * 1.5
      controls.push(fromStart + (fromEnd - fromStart) * share)
    }
  }
  return controls
}

/** Whether a spline from `start` to `end` over these control points stays within `tolerance` of the curve. */
function fits(
  c: Cubic,
  controls: readonly number[],
  start: readonly [number, number],
  end: readonly [number, number],
  tolerance: number,
): boolean {
  const parts = controls.length / 2
  let [x0, y0] = start
  for (let index = 0; index < parts; index++) {
    const p = parts === 1 ? c : part(c, parts, index)
    const [qx, qy] = [controls[2 * index]!, controls[2 * index + 1]!]
    const isLast = index === parts - 1
    const x3 = isLast ? end[0] : (qx + controls[2 * index + 2]!) / 2
    const y3 = isLast ? end[1] : (qy + controls[2 * index + 3]!) / 2
    if (Math.hypot(x0 - p[0]!, y0 - p[1]!) > tolerance || Math.hypot(x3 - p[6]!, y3 - p[7]!) > tolerance)
      return false
    const within = staysWithin(
      x0 - p[0]!,
      y0 - p[1]!,
      x0 + ((qx - x0) * 2) / 3 - p[2]!,
      y0 + ((qy - y0) * 2) / 3 - p[3]!,
      x3 + ((qx - x3) * 2) / 3 - p[4]!,
      y3 + ((qy - y3) * 2) / 3 - p[5]!,
      x3 - p[6]!,
      y3 - p[7]!,
      tolerance,
    )
    if (!within) return false
    x0 = x3
    y0 = y3
  }
  return true
}

/**
 * Control points, in whole units, of the shortest spline that stays within `tolerance` of a cubic curve, with its ends
 * rounded too. Where no rounded spline does, the shortest that would, were it not rounded, is taken.
 */
export function splineOf(c: Cubic, tolerance: number): number[] {
  const ends = [c[0]!, c[1]!, c[6]!, c[7]!] as const
  const [x0, y0, x3, y3] = ends.map(Math.round) as [number, number, number, number]
  let unrounded: number[] | undefined
  for (let parts = 1; parts <= PART_LIMIT; parts++) {
    const controls = controlPoints(c, parts, false)
    if (!controls) continue
    const rounded = controls.map(Math.round)
    if (fits(c, rounded, [x0, y0], [x3, y3], tolerance)) return rounded
    if (!unrounded && fits(c, controls, [ends[0], ends[1]], [ends[2], ends[3]], tolerance / 2))
      unrounded = rounded
    // More parts would only be rounded once more.
    if (unrounded && parts > 8) break
  }
  return unrounded ?? controlPoints(c, PART_LIMIT, false)!.map(Math.round)
}

/**
 * Control points of splines with the same number of parts for variants of one curve. They are the same linear mix of
 * the curve's points for each, so that what lies between the variants fits too.
 */
export function splinesOf(variants: readonly Cubic[], tolerance: number): number[][] {
  for (let parts = 1; parts < PART_LIMIT; parts++) {
    const splines = variants.map(c => controlPoints(c, parts, true)!)
    const allFit = variants.every((c, i) => fits(c, splines[i]!, [c[0]!, c[1]!], [c[6]!, c[7]!], tolerance))
    if (allFit) return splines
  }
  return variants.map(c => controlPoints(c, PART_LIMIT, true)!)
}
