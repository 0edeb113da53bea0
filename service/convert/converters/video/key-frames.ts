/** Where a video can be cut without being encoded again. */
import { text } from 'node:stream/consumers'
import { outputOf } from '../../engines/media/ffmpeg/pipe.ts'
import type { Run } from '../../engines/media/ffmpeg/run.ts'
import { type TimeRange, withGapsAt } from '../audio/span.ts'
import type { VideoTask } from './pass.ts'

/** A packet of a picture, in the order in which they are decoded. */
export interface Packet {
  /** When it is shown and decoded, in seconds. */
  time: number
  decoded: number
  isKey: boolean
}

/**
 * Reads the packets of a picture.
 * @param start when what is read begins, in seconds
 * @param filters bitstream filters; for each there is a list of the packets that it leaves something of
 * @returns also how many units of time a second has; 1 if a unit is no fraction of one
 * @throws JobFailure as `run` does
 */
export async function packetsOf(
  input: Pick<Run, 'input' | 'demuxer' | 'inputOptions'>,
  map: string,
  start: number,
  filters: readonly string[] = ['null'],
): Promise<{ lists: Packet[][]; units: number }> {
  const outputOptions = [
    ...filters.flatMap((filter, index) => ['-map', map, `-bsf:v:${index}`, filter]),
    ...['-c', 'copy', '-f', 'framecrc'],
  ]
  const list = await text(outputOf({ ...input, outputOptions }, () => {}))
  const [, one = 1, of = 1] = list.match(/^#tb 0: (\d+)\/(\d+)$/m)?.map(Number) ?? []
  const lists: Packet[][] = filters.map(() => [])
  for (const [, stream, decoded, time, rest] of list.matchAll(/^(\d+), *(-?\d+), *(-?\d+),(.*)$/gm))
    lists[Number(stream)]!.push({
      time: start + (Number(time) * one) / of,
      decoded: start + (Number(decoded) * one) / of,
      // Flags are only written of other packets than plain key frames.
      isKey: (Number.parseInt(/F=0x([\dA-F]+)/.exec(rest!)?.[1] ?? '1', 16) & 1) === 1,
    })
  return { lists, units: one === 1 ? of : 1 }
}

/**
 * What is kept of a video whose packets are copied: what is cut out begins and ends with key frames. Null if none can be: in H.264 whose
 * frames need others across key frames, decoders take what is missing for lost, and leave out more.
 * @throws JobFailure as `run` does
 */
export async function cutAtKeyFrames({ media, open, span }: VideoTask): Promise<TimeRange | null> {
  const { lists } = await packetsOf(open(span), `0:v:${media.picture!.position}`, span.start)
  const frames = lists[0]!
  const places = frames.flatMap(({ isKey }, index) => (isKey ? [index] : []))
  // Frames that follow a key frame and are shown before it need those of both sides, and go with it.
  const keys = places.map((place, nth) => {
    const group = frames.slice(place, places[nth + 1])
    return { time: group[0]!.time, first: group.reduce((least, { time }) => Math.min(least, time), Infinity) }
  })
  const isOpen = keys.some(({ time, first }) => first < time)
  return isOpen && media.picture!.codec === 'h264' ? null : withGapsAt(span, keys)
}
