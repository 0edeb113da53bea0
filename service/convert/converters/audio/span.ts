/** What is kept of a media file: a part of it, without what is cut out within. */
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import type { Stretch } from '../../engines/media/speech/pauses.ts'

/** Part of a media file, in seconds. */
export interface TimeRange {
  start: number
  /** Null is the end of the media file. */
  end: number | null
  /** What is cut out within it, in order; absent if nothing is. */
  gaps?: readonly Stretch[]
}

/** Options of what is kept: a part, several within it, and what is cut out of those. */
export interface Trim {
  start: number
  end?: number
  parts?: string
  cuts?: string
}

/** Times differ by less where they are meant to be the same. */
export const MOMENT = 1e-4

/** Seconds of a time such as `83.5`, `1:23.5` or `0:01:23.5`. */
export const secondsOf = (clock: string): number =>
  clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)

/** Reads `0:10-0:20, 1:05-`, where the last one goes on to the end. */
const stretchesOf = (list: string): Stretch[] =>
  list
    .split(',')
    .map(each => each.trim().split('-') as [string, string])
    .map(([from, to]) => ({ start: secondsOf(from), end: to === '' ? Infinity : secondsOf(to) }))
    .filter(({ start, end }) => end > start)

/** What no stretch covers, in order. */
function outside(stretches: readonly Stretch[]): Stretch[] {
  const left: Stretch[] = []
  let from = 0
  for (const { start, end } of stretches.toSorted((a, b) => a.start - b.start)) {
    if (start > from) left.push({ start: from, end: start })
    from = Math.max(from, end)
  }
  return from < Infinity ? [...left, { start: from, end: Infinity }] : left
}

const around = ({ start, end }: Stretch): Stretch[] => [
  { start: 0, end: start },
  { start: end, end: Infinity },
]

/** What is left of a media file of so many seconds; null if nothing is. */
function left(removed: readonly Stretch[], seconds: number | null): TimeRange | null {
  const kept = outside(removed).filter(({ start }) => seconds === null || start === 0 || start < seconds)
  const [first, last] = [kept[0], kept.at(-1)]
  if (!first || !last) return null
  const gaps = kept.slice(1).map((part, index) => ({ start: kept[index]!.end, end: part.start }))
  const end = last.end < (seconds ?? Infinity) ? last.end : null
  return { start: first.start, end, ...(gaps.length > 0 ? { gaps } : {}) }
}

/**
 * What is asked for of a media file of so many seconds.
 * @throws JobFailure `unsupported_input` if nothing would be left
 */
export function spanOf({ start, end = Infinity, parts, cuts }: Trim, seconds: number | null): TimeRange {
  const span = left(
    [
      ...around({ start, end }),
      ...(parts ? outside(stretchesOf(parts)) : []),
      ...(cuts ? stretchesOf(cuts) : []),
    ],
    seconds,
  )
  if (!span) throw new JobFailure('jobs.unsupported_input', message('recording.nothing_left'))
  return span
}

/** What of a span lies in a stretch of the media file; null if nothing does. */
export const within = ({ start, end, gaps = [] }: TimeRange, stretch: Stretch): TimeRange | null =>
  left([...around({ start, end: end ?? Infinity }), ...gaps, ...around(stretch)], null)

export const isWhole = ({ start, end, gaps }: TimeRange): boolean => start === 0 && end === null && !gaps

/** What is kept, piece by piece. */
export const partsOf = ({ start, end, gaps = [] }: TimeRange): Stretch[] =>
  [start, ...gaps.map(gap => gap.end)].map((from, index) => ({
    start: from,
    end: gaps[index]?.start ?? end ?? Infinity,
  }))

/** Where a time of the media file comes in what is kept, in seconds from its beginning. */
export function timeWithin({ start, end, gaps = [] }: TimeRange, seconds: number): number {
  const until = Math.min(Math.max(seconds, start), end ?? Infinity)
  return gaps.reduce((sum, gap) => sum - Math.max(0, Math.min(until, gap.end) - gap.start), until - start)
}

/** Length of what is kept, in seconds; null if that of the media file is not known. */
export const lengthWithin = (span: TimeRange, seconds: number | null): number | null =>
  (span.end ?? seconds) === null ? null : timeWithin(span, (span.end ?? seconds)!)

/** The gaps, from where the span begins, in microseconds' precision. */
const gapsOf = ({ start, gaps = [] }: TimeRange): Stretch[] => {
  const since = (time: number) => Number((time - start).toFixed(6))
  return gaps.map(gap => ({ start: since(gap.start), end: since(gap.end) }))
}

/** ffmpeg's expressions of whether a time lies in a gap, and of how many seconds are cut out before it. */
const inGap = (span: TimeRange, time: string): string =>
  gapsOf(span)
    .map(({ start, end }) => `gte(${time},${start - MOMENT})*lt(${time},${end - MOMENT})`)
    .join('+')
const cutBefore = (span: TimeRange, time: string): string =>
  gapsOf(span)
    .map(({ start, end }) => `gte(${time},${end - MOMENT})*${(end - start).toFixed(6)}`)
    .join('+')

/** Filters that cut the gaps out of pictures whose times begin with the span. */
export const cutPictures = (span: TimeRange): string[] =>
  span.gaps ? [`select='not(${inGap(span, 't')})'`, `setpts='round(PTS-(${cutBefore(span, 'T')})/TB)'`] : []

/** The filter that cuts them out of sound, at the sample; silence stands where it has none. */
export function cutSound(span: TimeRange): string[] {
  if (!span.gaps) return []
  const kept = outside(gapsOf(span))
  const pads = (name: string) => kept.map((_, index) => `[${name}${index}]`).join('')
  const parts = kept.map(
    ({ start, end }, index) =>
      `[whole${index}]atrim=start=${start}${end === Infinity ? '' : `:end=${end}`},asetpts=PTS-STARTPTS[part${index}]`,
  )
  return [
    [
      `aresample=async=1:first_pts=0,asplit=${kept.length}${pads('whole')}`,
      ...parts,
      `${pads('part')}concat=n=${kept.length}:v=0:a=1,asettb=1/sr`,
    ].join(';'),
  ]
}

/** Arguments that cut them out of the packets of a stream of the output; before version 6.1, ffmpeg mistakes the times of packets. */
export const cutPackets = (span: TimeRange, stream: string): string[] => {
  if (!span.gaps) return []
  const moved = ['PTS', 'DTS'].map(
    time => `${time.toLowerCase()}='round(${time}-(${cutBefore(span, 'PTS*TB')})/TB)'`,
  )
  return [`-bsf:${stream}`, `noise=drop='${inGap(span, 'pts*tb')}',setts=${moved.join(':')}`]
}

/**
 * The same span with gaps that pictures can be cut at without being encoded again: what begins in a gap stays up to the next key frame,
 * and what ends in one from the key frame before.
 * @param keys times of key frames in order, and of the first frame that is shown of those that follow each of them
 */
export function withGapsAt(
  { gaps = [], ...whole }: TimeRange,
  keys: readonly { time: number; first: number }[],
): TimeRange {
  const possible = gaps.flatMap(gap => {
    const from = keys.find(({ first }) => first >= gap.start - MOMENT)
    const to = keys.findLast(({ time }) => time <= gap.end + MOMENT)
    return from && to && to.time > from.time ? [{ start: from.first, end: to.time }] : []
  })
  return possible.length > 0 ? { ...whole, gaps: possible } : whole
}
