import { damagedFont } from '../sfnt/data.ts'
import type { CubicContour, VariableOutline } from './contours.ts'
import { splinesOf } from './quadratic.ts'

/** Share of the tolerance for the splines of a variable glyph; the rest is for rounding its changes. */
const VARIABLE_SHARE = 0.5

/**
 * Converts a variable cubic outline to TrueType in whole units. The direction of contours is reversed, as TrueType requires.
 * @param variants the default contours, then those with the changes of each region
 * @param regions numbers of these regions
 * @param tolerance distance in units by which curves may differ
 */
export function toVariableQuadratic(
  variants: readonly (readonly CubicContour[])[],
  regions: readonly number[],
  tolerance: number,
): VariableOutline {
  const all = variants.map((): Points => ({ xs: [], ys: [] }))
  const outline: VariableOutline = { ends: [], onCurve: [], ...all[0]!, moves: new Map() }
  for (let index = 0; index < variants[0]!.length; index++) {
    const contours = variants.map(contour => contour[index])
    const quadratic = trace(contours, tolerance)
    if (!quadratic) continue
    for (let i = quadratic.onCurve.length - 1; i >= 0; i--) {
      outline.onCurve.push(quadratic.onCurve[i]!)
      for (const [variant, { xs, ys }] of quadratic.variants.entries()) {
        all[variant]!.xs.push(xs[i]!)
        all[variant]!.ys.push(ys[i]!)
      }
    }
    outline.ends.push(outline.onCurve.length - 1)
  }
  outline.xs = all[0]!.xs.map(Math.round)
  outline.ys = all[0]!.ys.map(Math.round)
  for (const [i, region] of regions.entries()) {
    const { xs, ys } = all[i + 1]!
    outline.moves.set(region, {
      xs: Float64Array.from(xs, (x, point) => Math.round(x - all[0]!.xs[point]!)),
      ys: Float64Array.from(ys, (y, point) => Math.round(y - all[0]!.ys[point]!)),
    })
  }
  return outline
}

interface Points {
  xs: number[]
  ys: number[]
}

interface Traced {
  onCurve: number[]
  variants: Points[]
}

/** The points of one contour in all its variants; undefined if it has no extent. */
function trace(contours: readonly (CubicContour | undefined)[], tolerance: number): Traced | undefined {
  const first = contours[0]!
  const sources = contours.map(contour => {
    if (contour?.points.length !== first.points.length) throw damagedFont()
    return contour.points
  })
  const quadratic: Traced = {
    onCurve: [1],
    variants: sources.map(points => ({ xs: [points[0]!], ys: [points[1]!] })),
  }
  const add = (on: number, points: readonly (readonly [number, number])[]) => {
    quadratic.onCurve.push(on)
    for (const [i, [x, y]] of points.entries()) {
      quadratic.variants[i]!.xs.push(x)
      quadratic.variants[i]!.ys.push(y)
    }
  }
  let at = 0
  for (const kind of first.segments) {
    if (kind === 3) {
      const curves = sources.map(points => points.slice(at, at + 8))
      const splines = splinesOf(curves, tolerance * VARIABLE_SHARE)
      for (let i = 0; i < splines[0]!.length; i += 2) {
        add(
          0,
          splines.map(spline => [spline[i]!, spline[i + 1]!]),
        )
      }
    }
    at += 2 * kind
    const ends = sources.map(points => [points[at]!, points[at + 1]!] as const)
    if (kind === 3 || !isAt(quadratic, quadratic.onCurve.length - 1, ends)) add(1, ends)
  }
  const start = quadratic.variants.map(({ xs, ys }) => [xs[0]!, ys[0]!] as const)
  // The closing line is not stored.
  while (quadratic.onCurve.length > 1 && isAt(quadratic, quadratic.onCurve.length - 1, start)) {
    quadratic.onCurve.pop()
    for (const { xs, ys } of quadratic.variants) {
      xs.pop()
      ys.pop()
    }
  }
  return quadratic.onCurve.length > 1 ? quadratic : undefined
}

/** Whether a point of the contour is on the curve and has, in all variants, this position. */
const isAt = (
  { onCurve, variants }: Traced,
  index: number,
  points: readonly (readonly [number, number])[],
): boolean =>
  onCurve[index] === 1 &&
  variants.every(({ xs, ys }, i) => xs[index] === points[i]![0] && ys[index] === points[i]![1])
