/** The parts of a media file that are kept: where each begins and ends, one after the other, in seconds from the beginning. */
import type { Values } from '../schema.ts'
import { beginOf } from './frames.ts'
import { secondsOf, timeText } from './time.ts'

/** Recordings up to this length use finer steps. */
const SHORT_SECONDS = 120

/** Seconds of one step in a media file of this length: a frame, if it has any. */
export const stepOf = (total: number, fps = 0): number =>
  fps > 0 ? 1 / fps : total <= SHORT_SECONDS ? 0.1 : 1

function rounded(seconds: number, total: number, fps = 0): number {
  if (seconds >= total) return total
  const steps = Math.round(seconds / stepOf(total, fps))
  return fps > 0 ? beginOf(steps, fps) : Math.round(steps * stepOf(total) * 10) / 10
}

/** An edge moved to a position: on a step, between those around it, and at least a step away from the other one of its part. */
export function moved(
  nth: number,
  to: number,
  edges: readonly number[],
  total: number,
  fps?: number,
): number[] {
  const step = stepOf(total, fps)
  const least = nth === 0 ? 0 : edges[nth - 1]! + (nth % 2) * step
  const most = nth + 1 === edges.length ? total : edges[nth + 1]! - (1 - (nth % 2)) * step
  const at = Math.max(Math.min(least, total), Math.min(Math.max(0, most), to))
  return edges.with(nth, rounded(at, total, fps))
}

/** The edge that is nearest to a position. @param side only of beginnings, 0, or ends, 1 */
export const nearest = (at: number, edges: readonly number[], side?: 0 | 1): number =>
  edges.reduce((best, edge, nth) => {
    const isNearer = Math.abs(edge - at) < Math.abs(edges[best]! - at)
    return isNearer && (side === undefined || nth % 2 === side) ? nth : best
  }, side ?? 0)

/** Each part, or each stretch between parts if they are given with what is around them. */
export const partsOf = (edges: readonly number[]): { part: number; from: number; to: number }[] =>
  edges.flatMap((to, nth) => (nth % 2 ? { part: (nth + 1) / 2, from: edges[nth - 1]!, to } : []))

/** What values describe: parts of a list such as `0:10-0:20, 1:05-`, or else the one between two times. */
export function edgesOf({ start, end, parts }: Values, total: number): number[] {
  const listed = typeof parts === 'string' ? parts.split(/[-,]/).map(secondsOf) : []
  const isRead = listed.length >= 2 && listed.length % 2 === 0 && !listed.some(Number.isNaN)
  const times = (isRead ? listed : [start, end]).map((time, nth) => time ?? (nth === 0 ? 0 : total))
  return times
    .map(Number)
    .map((time, nth, all) => Math.min(total, Math.max(time, nth % 2 ? all[nth - 1]! : 0)))
}

/** Values that describe these; one at an end of the media file means the default. */
export function valuesOf(edges: readonly number[], total: number): Values {
  const [start, end] = edges
  const parts = partsOf(edges).map(({ from, to }) => `${timeText(from)}-${timeText(to)}`)
  return edges.length > 2
    ? { parts: parts.join(', ') }
    : { ...(start! > 0 && { start }), ...(end! < total && { end }) }
}

/** One part more: the middle of the longest is cut out. */
export function divided(edges: readonly number[], total: number, fps?: number): number[] {
  const { part, from, to } = partsOf(edges).reduce((longest, each) =>
    each.to - each.from > longest.to - longest.from ? each : longest,
  )
  const at = (share: number) => rounded(to - (to - from) * share, total, fps)
  return edges.toSpliced(2 * part - 1, 0, at(2 / 3), at(1 / 3))
}
