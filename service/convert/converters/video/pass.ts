/** One run of ffmpeg over a video, with its progress and its losses. */
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import type { Task } from '../../catalogue/task.ts'
import type { MediaInfo } from '../../engines/media/ffmpeg/recording.ts'
import { type Finished, type Run, run } from '../../engines/media/ffmpeg/run.ts'
import { clock } from '../audio/encode.ts'
import { lengthWithin, type TimeRange, timeWithin } from '../audio/span.ts'
import type { VideoSource } from './source.ts'

export interface VideoTask extends VideoSource {
  task: Task<unknown>
  span: TimeRange
  /** How many times as fast the result is. */
  speed: number
  /** Files of our own, which ffmpeg reads after the video. */
  ownInputs?: readonly string[]
  /** What it reads after those. */
  moreInputs?: Run['moreInputs']
}

/** Length of the result in seconds, if known. */
export function lengthOf({ media, span, speed }: VideoTask): number | undefined {
  const length = lengthWithin(span, media.seconds)
  return length === null ? undefined : length / speed
}

/**
 * Reads the span once, and writes `output`; progress goes from one fraction to another.
 * @throws JobFailure as `run` does; `corrupt_input` if there is no picture, or more than was charged for
 */
export async function pass(
  video: VideoTask,
  output: string | null,
  outputOptions: readonly string[],
  [from, to]: readonly [number, number],
  ownInputs: readonly string[] = video.ownInputs ?? [],
): Promise<Finished> {
  const { task, span, speed, moreInputs = [] } = video
  const finished = await run({
    ...video.open(span),
    ...{ ownInputs, moreInputs, output, outputOptions, duration: lengthOf(video) },
    onProgress: ({ time, fraction }) => {
      // A start beyond the end was not reached.
      if (time > 0) task.consumed({ minutes: (span.start + time * speed) / 60 })
      if (fraction !== null) task.progress(from + (to - from) * fraction)
    },
  })
  task.progress(to)
  return finished
}

/**
 * Whether what was read is all there is, though it may be shorter than the file: a picture may end before its sound, and its last
 * frame may stay for long. Neither FLV nor what is joined says how large it should be, and where less than half can be read, the tables of
 * the file rather promise what is not in it.
 * @param share what was read, as a share of the length of the file
 */
export const isAll = (
  { cutOff, promised, chained, container }: MediaInfo,
  damaged: number,
  share: number,
): boolean => !cutOff && promised === null && damaged === 0 && !chained && container !== 'flv' && share >= 0.5

/**
 * Warns about packets that could not be decoded.
 * @throws JobFailure `unsupported_input` if nothing was written because the part begins beyond the end, otherwise `corrupt_input`
 */
export function checkWritten({ task, span }: VideoTask, isWritten: boolean, damaged: number): void {
  if (!isWritten)
    throw span.start > 0
      ? new JobFailure('jobs.unsupported_input', message('recording.nothing_left'))
      : new JobFailure('jobs.corrupt_input')
  if (damaged > 0) task.warn(message('recording.packets_skipped', { packets: damaged }))
}

/**
 * Warns about what could not be read.
 * @throws JobFailure as `checkWritten` does
 */
export function checkFinished(video: VideoTask, { time, damaged }: Finished): void {
  const { task, media, span, speed } = video
  checkWritten(video, time > 0, damaged)
  const read = time * speed
  task.consumed({ minutes: (span.start + read) / 60 })
  const expected = Math.max(
    (lengthOf(video) ?? 0) * speed,
    span.end === null ? timeWithin(span, media.promised ?? 0) : 0,
  )
  if (isAll(media, damaged, read / expected)) return
  if (!media.estimated && expected - read > Math.max(1, 0.02 * expected)) {
    task.warn(message('recording.ends_early', { expected: clock(expected), read: clock(read) }))
  } else if (media.cutOff && span.end === null) task.warn(message('recording.cut_off'))
}
