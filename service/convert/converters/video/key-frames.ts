/** Where a video can be cut without being encoded again. */
import { text } from 'node:stream/consumers'
import { outputOf } from '../../engines/media/ffmpeg/output.ts'
import { type TimeRange, withGapsAt } from '../audio/span.ts'
import type { VideoTask } from './pass.ts'

/**
 * What is kept of a video whose packets are copied: what is cut out begins and ends with key frames. Null if none can be: in H.264 whose
 * frames need others across key frames, decoders take what is missing for lost, and leave out more.
 * @throws JobFailure as `run` does
 */
export async function cutAtKeyFrames({ media, open, span }: VideoTask): Promise<TimeRange | null> {
  const outputOptions = ['-map', `0:v:${media.picture!.position}`, '-c', 'copy', '-f', 'framecrc']
  const list = await text(outputOf({ ...open(span), outputOptions }, () => {}))
  const [, one = 1, of = 1] = list.match(/^#tb 0: (\d+)\/(\d+)$/m)?.map(Number) ?? []
  const frames = Array.from(list.matchAll(/^0, *-?\d+, *(-?\d+),(.*)$/gm), ([, time, rest]) => ({
    time: span.start + (Number(time) * one) / of,
    // Flags are only written of other packets than plain key frames.
    isKey: (Number.parseInt(/F=0x([\dA-F]+)/.exec(rest!)?.[1] ?? '1', 16) & 1) === 1,
  }))
  const places = frames.flatMap(({ isKey }, index) => (isKey ? [index] : []))
  // Frames that follow a key frame and are shown before it need those of both sides, and go with it.
  const keys = places.map((place, nth) => {
    const group = frames.slice(place, places[nth + 1])
    return { time: group[0]!.time, first: group.reduce((least, { time }) => Math.min(least, time), Infinity) }
  })
  const isOpen = keys.some(({ time, first }) => first < time)
  return isOpen && media.picture!.codec === 'h264' ? null : withGapsAt(span, keys)
}
