/** The part of a media file between two handles. */

export interface TrimSpan {
  /** Seconds from the beginning. */
  start: number
  end: number
}

export type Handle = keyof TrimSpan

/** Recordings up to this length use finer steps. */
const SHORT_SECONDS = 120

/** Seconds of one step in a media file of this length. */
export const stepOf = (total: number): number => (total <= SHORT_SECONDS ? 0.1 : 1)

const rounded = (seconds: number, total: number): number =>
  seconds >= total ? total : Math.round(Math.round(seconds / stepOf(total)) * stepOf(total) * 10) / 10

/** A handle moved to a position: on a step, within the media file, and at least a step away from the other one. */
export function moved(handle: Handle, to: number, { start, end }: TrimSpan, total: number): number {
  const [least, most] = handle === 'start' ? [0, end - stepOf(total)] : [start + stepOf(total), total]
  return rounded(Math.max(Math.min(least, total), Math.min(Math.max(0, most), to)), total)
}

/** The handle that is nearer to a position. */
export const nearer = (at: number, { start, end }: TrimSpan): Handle =>
  Math.abs(at - start) <= Math.abs(at - end) ? 'start' : 'end'
