import { identity, type Matrix, multiply } from '../../../common/matrix.ts'
import type { CubicContour } from '../contours.ts'
import type { CffTable } from './read.ts'

/** If the scale is below this, both matrices are meant for the whole font, so only one counts. */
const SCALE_LIMIT = 0.01

/**
 * Returns a function that transforms contours from the units of a CFF table to those of the font: with the font's
 * matrix and those of the glyphs' dictionaries, unless they map one unit to one. The scale of the font's own matrix does not
 * count, since renderers take that of `head`; those of the dictionaries count relative to it.
 */
export function placer(
  cff: CffTable,
  unitsPerEm: number,
): (contours: readonly CubicContour[], glyph: number) => readonly CubicContour[] {
  const known = new Map<Matrix | undefined, Matrix | undefined>()
  return (contours, glyph) => {
    const own = cff.dictOf(glyph).matrix
    if (!known.has(own)) known.set(own, toUnits(cff.matrix, own, unitsPerEm))
    const matrix = known.get(own)
    return matrix ? contours.map(contour => transformed(contour, matrix)) : contours
  }
}

/** Undefined if nothing changes. */
function toUnits(top: Matrix | undefined, own: Matrix | undefined, unitsPerEm: number): Matrix | undefined {
  let matrix = top && own ? multiply(own, top) : (own ?? top)
  if (!matrix) return undefined
  const isTiny = (m: Matrix) => Math.hypot(m[0], m[1]) * unitsPerEm < SCALE_LIMIT
  if (isTiny(matrix) && own && !isTiny(own)) matrix = own
  const scale = top?.[3] ? 1 / Math.abs(top[3]) : unitsPerEm
  const units = matrix.map(value => value * scale)
  // Matrices are stored with few digits: 0.000488 for 1/2048.
  const isIdentity = units.every((value, i) => Math.abs(value - identity[i]!) < 1e-3)
  const isUsable = Math.abs(units[0]! * units[3]! - units[1]! * units[2]!) > 1e-9
  return isIdentity || !isUsable ? undefined : (units as unknown as Matrix)
}

function transformed({ segments, points }: CubicContour, [a, b, c, d, e, f]: Matrix): CubicContour {
  const moved = new Array<number>(points.length)
  for (let i = 0; i < points.length; i += 2) {
    const [x, y] = [points[i]!, points[i + 1]!]
    moved[i] = a * x + c * y + e
    moved[i + 1] = b * x + d * y + f
  }
  return { segments, points: moved }
}
