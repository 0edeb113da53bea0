/**
 * Points that a variation does not mention move with their neighbours: OpenType 1.9.1, "Inferred deltas for un-referenced point
 * numbers".
 */
import type { TupleChanges } from './gvar-read.ts'

/** Changes of all points of a simple glyph along one axis. */
export function allChanges(
  { points }: TupleChanges,
  changes: Float64Array,
  coordinates: ArrayLike<number>,
  ends: ArrayLike<number>,
): Float64Array {
  const count = coordinates.length
  if (!points) return changes.subarray(0, count)
  const all = new Float64Array(count)
  const touched = new Uint8Array(count)
  for (const [i, point] of points.entries()) {
    if (point >= count) continue
    all[point] = changes[i]!
    touched[point] = 1
  }
  let start = 0
  for (let contour = 0; contour < ends.length; contour++) {
    const end = ends[contour]!
    const named: number[] = []
    for (let point = start; point <= end; point++) if (touched[point]) named.push(point)
    for (const [i, from] of named.entries()) {
      const to = named[(i + 1) % named.length]!
      for (let point = from === end ? start : from + 1; point !== to && !touched[point]; ) {
        all[point] = between(coordinates[point]!, from, to, coordinates, all)
        point = point === end ? start : point + 1
      }
    }
    start = end + 1
  }
  return all
}

/** Change of a point at `at` between two that are mentioned. */
function between(
  at: number,
  from: number,
  to: number,
  coordinates: ArrayLike<number>,
  changes: Float64Array,
): number {
  const [low, high] = coordinates[from]! <= coordinates[to]! ? [from, to] : [to, from]
  const [lowAt, highAt] = [coordinates[low]!, coordinates[high]!]
  const [lowChange, highChange] = [changes[low]!, changes[high]!]
  if (lowAt === highAt) return lowChange === highChange ? lowChange : 0
  if (at <= lowAt) return lowChange
  if (at >= highAt) return highChange
  return lowChange + ((highChange - lowChange) * (at - lowAt)) / (highAt - lowAt)
}
