import { toInt16 } from '../sfnt/data.ts'
import type { Font } from '../sfnt/font.ts'
import type { MetricsTable } from './metrics-table.ts'
import { toCubic, type VariableContour } from './quadratic-to-cubic.ts'
import type { TrueTypeOutline, TrueTypeOutlines } from './truetype.ts'

/** A font with TrueType outlines, for the writers of CFF and CFF2. */
export interface TrueTypeSource {
  font: Font
  outlines: TrueTypeOutlines
  metrics: MetricsTable
  unitsPerEm: number
  /** Fraction of a unit to which coordinates are rounded. */
  grid: number
  /** Vertical metrics, if the font has them. */
  vertical: MetricsTable | undefined
  /** Height of each glyph's vertical origin, recorded when its contours are placed. */
  origins: number[]
}

/**
 * Cubic contours of a glyph at the position that TrueType gives them: with the left edge at the bearing.
 * @param regions numbers of the regions whose changes are needed
 */
export function placedContours(
  { metrics, vertical, origins }: TrueTypeSource,
  glyph: number,
  outline: TrueTypeOutline,
  regions: readonly number[],
): VariableContour[] {
  if (vertical) origins.push(toInt16(vertical.bearing(glyph) + outline.yMax))
  const shift = outline.ends.length > 0 ? metrics.bearing(outline.placedBy) - outline.xMin : 0
  const contours = toCubic(outline, regions)
  const moved = (points: number[], dx: number) => (dx ? points.map((v, i) => (i % 2 ? v : v + dx)) : points)
  return contours.map(({ segments, points, moves }) => ({
    segments,
    points: moved(points, shift),
    moves: moves.map((own, i) => moved(own, -(outline.metricMoves.get(regions[i]!)?.left ?? 0))),
  }))
}
