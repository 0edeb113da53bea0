/** One pass over a part of a media file: reads it, filters it, writes it, and reports problems. */
import { rm } from 'node:fs/promises'
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import type { Task } from '../../catalogue/task.ts'
import { encodeInParallel, type ParallelEncoding, partsFor } from '../../engines/media/ffmpeg/parallel.ts'
import type { AudioTrack, MediaInfo } from '../../engines/media/ffmpeg/recording.ts'
import { type Finished, type Progress, type Run, run } from '../../engines/media/ffmpeg/run.ts'
import { bitsKept, clips } from './codecs.ts'
import { damageOf, PADDING_SAMPLES } from './damage.ts'
import { cut, type Plan } from './plan.ts'
import type { Source } from './source.ts'
import { isWhole, lengthWithin, type TimeRange } from './span.ts'

/** Number of parts in which to encode the span of a media file: 1 if it must be encoded in one run. */
export function partsOf(
  { cores }: Pick<Task, 'cores'>,
  { seconds, seekable }: Pick<MediaInfo, 'seconds' | 'seekable'>,
  { join, track, sampleRate }: Pick<Plan, 'join' | 'track' | 'sampleRate'>,
  span: TimeRange,
  filters: readonly string[],
): number {
  const readable = seekable && track.position === 0
  const whole = seconds !== null && isWhole(span)
  // A limiter depends on earlier audio, and statistics need all of it.
  const steady = !filters.some(filter => /^(alimiter|astats)/.test(filter))
  // MP3 frames are split at the media file's own rate.
  const even = join === 'opus' || sampleRate === track.sampleRate
  if (!join || !readable || !whole || !steady || !even) return 1
  return partsFor({ target: join, sampleRate: track.sampleRate, seconds, cores })
}

/** A media file on its way to its target. */
export interface Encoding {
  task: Task
  source: Source
  plan: Plan
}

/** What every pass over a part needs: how to read it, and the filters that cut it out. */
export function passOver(
  { task, source, plan }: Encoding,
  span: TimeRange,
  progress: (fraction: number) => void,
) {
  const { soundEnd, seconds } = source.media
  const end = span.end ?? (plan.copy || plan.track.position > 0 ? null : soundEnd)
  const part = cut({ ...span, end }, plan)
  const { inputOptions, ...input } = source.open()
  const duration = lengthWithin(span, seconds) ?? undefined
  return {
    reading: {
      ...input,
      inputOptions: [...inputOptions, ...part.inputOptions],
      duration,
      onProgress: ({ time, fraction }: Progress) => {
        // A start beyond the end was not reached.
        if (time > 0) task.consumed({ minutes: (span.start + time) / 60 })
        if (fraction !== null) progress(fraction)
      },
    },
    filters: part.filters,
  }
}

/**
 * Writes a part of the media file to `path`, and warns about losses.
 * @throws JobFailure as `run` does; `corrupt_input` if there is no audio, or more than was charged for; `unsupported_input`
 * if the audio of a video ends before the span
 */
export async function encode(
  encoding: Encoding,
  path: string,
  span: TimeRange,
  gain: readonly string[],
  progress: (fraction: number) => void,
): Promise<void> {
  const { task, plan } = encoding
  const pass = passOver(encoding, span, progress)
  // Floating point can exceed full scale, which has to be checked before it is clipped.
  const watched = !plan.copy && gain.length === 0 && clips(plan.track, plan.output)
  const statistics = watched ? ['astats=measure_perchannel=none:measure_overall=Peak_level'] : []
  const filters = [...pass.filters, ...plan.filters, ...gain, ...statistics, ...plan.lastFilters]
  const { onProgress } = pass.reading
  const writing = {
    ...pass.reading,
    output: path,
    outputOptions: [...(filters.length > 0 ? ['-af', filters.join(',')] : []), ...plan.output],
    verbosity: 'verbose' as const,
  }
  const finished =
    (await encodeInParts(encoding, span, { output: path, filters, onProgress })) ??
    (await (plan.copy ? copyDecoding(writing, plan) : run(writing)))
  const { time } = finished
  if (time <= 0) {
    await rm(path, { force: true })
    if (span.start > 0 || plan.shortens)
      throw new JobFailure('jobs.unsupported_input', message('recording.nothing_left'))
    throw new JobFailure('jobs.corrupt_input', message('recording.no_sound'))
  }
  task.consumed({ minutes: (span.start + time) / 60 })
  warn(encoding, span, pass.reading.duration ?? 0, finished)
}

/** Arguments that decode a track to its end, however many of its packets are damaged. */
const decoded = ({ position }: AudioTrack) => ['-map', `0:a:${position}`, '-max_error_rate', '1']

/** Copies packets and decodes them as well, since only that shows which are damaged; what nobody here can decode is only copied. */
async function copyDecoding(writing: Run, { track, output }: Plan): Promise<Finished> {
  const decoding = [...decoded(track), '-f', 'null', '-']
  try {
    return await run({ ...writing, outputOptions: [...decoding, ...output] })
  } catch (error) {
    if (!(error instanceof JobFailure) || error.code === 'jobs.disk_full') throw error
    return run(writing)
  }
}

function warn(encoding: Encoding, span: TimeRange, duration: number, finished: Finished): void {
  const { task, source, plan } = encoding
  const { time, log } = finished
  const damage = damageOf(source, plan, finished)
  if (damage) task.warn(damage)
  if (!plan.shortens) warnOfEarlyEnd(encoding, span, duration, time)
  if (plan.copy) return
  const to = bitsKept(plan.track, plan.output)
  if (to !== null) task.warn(message('recording.bits_lost', { from: plan.track.bits, to }))
  const peak = Number(/Peak level dB: (\S+)/.exec(log.slice(log.lastIndexOf('Overall')))?.[1] ?? 0)
  if (peak > 0.005) task.warn(message('recording.clipped', { decibels: peak.toFixed(1) }))
}

/** Reports that the media file ends too early. */
function warnOfEarlyEnd(
  { task, source: { media } }: Encoding,
  span: TimeRange,
  duration: number,
  time: number,
): void {
  const { promised, seconds, cutOff, estimated, video, container, tracks } = media
  // A part beyond the actual end was also expected to exist.
  const whole = span.end === null
  const expected = whole && promised !== null ? promised - span.start : duration
  // The header of a video has the length of the picture, and its audio may end earlier.
  if (video && !cutOff) return
  // In ASF the audio's length is only approximate.
  const exact = !video && container !== 'asf' && span.start === 0
  const padding = PADDING_SAMPLES / (tracks[0]?.sampleRate || PADDING_SAMPLES)
  const tolerance = exact ? Math.max(0.15, 0.002 * expected, padding) : Math.max(1, 0.02 * expected)
  const missing = estimated || (seconds === null && promised === null) ? 0 : expected - time
  if (missing > tolerance || (whole && promised !== null)) {
    task.warn(
      time < 1
        ? message('recording.ends_at_once', { expected: clock(expected) })
        : message('recording.ends_early', { expected: clock(expected), read: clock(time) }),
    )
  } else if (cutOff && whole) task.warn(message('recording.cut_off'))
}

/** Encodes a long media file on several cores; null if it must be encoded in one run. */
async function encodeInParts(
  { task, source, plan }: Encoding,
  span: TimeRange,
  rest: Pick<ParallelEncoding, 'output' | 'onProgress'> & { filters: readonly string[] },
): Promise<Finished | null> {
  const { seconds, soundEnd } = source.media
  const { sampleRate } = plan.track
  const parts = partsOf(task, source.media, plan, span, rest.filters)
  if (parts === 1 || !plan.join || seconds === null) return null
  const { input, demuxer, inputOptions } = source.open()
  if (typeof input !== 'string') return null
  return encodeInParallel({
    ...{ ...rest, input, demuxer, inputOptions, parts, target: plan.join, sampleRate },
    ...{ seconds: soundEnd ?? seconds, end: soundEnd === null ? null : Math.round(soundEnd * sampleRate) },
    ...{ outputOptions: plan.output },
  })
}

/** Minutes and seconds, with a tenth where a second matters. */
export function clock(seconds: number): string {
  // What would be rounded up to ten seconds has too many digits.
  if (seconds < 9.95) return `0:0${seconds.toFixed(1)}`
  const whole = Math.max(10, Math.floor(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
