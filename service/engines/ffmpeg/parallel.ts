/**
 * Encodes one long recording on several cores: encoders work on one sample after the other, so parts of it are
 * encoded at the same time and joined by whole frames. Each part starts a little early, so that where it is joined its
 * encoder is in the same state as if it had encoded everything before.
 */
import { rm } from 'node:fs/promises'
import { JobFailure } from '../../errors.ts'
import { type Finished, type Progress, type Run, run } from './run.ts'
import { CannotJoinError } from './splice/blocks.ts'
import { joinMp3, mp3FrameSamples } from './splice/mp3.ts'
import { joinOpus, OPUS_PACKET_SAMPLES } from './splice/opus.ts'

/** How encoded parts are joined: by the frames of which format. */
export type JoinMethod = 'mp3' | 'opus'

export interface ParallelEncoding {
  /** Path of a file that can be read from any sample on: `Recording.seekable`. */
  input: string
  /** Forces this demuxer. */
  demuxer?: string
  /** Path of the file to write; parts are written beside it. */
  output: string
  target: JoinMethod
  /** Filters that keep no state from earlier samples. */
  filters?: readonly string[]
  /** Output arguments: mapping, encoder, container. */
  outputOptions: readonly string[]
  /** Samples per second of the recording; of the MP3 as well. */
  sampleRate: number
  /** Length of the recording in seconds, as far as known. */
  seconds: number
  /** Number of samples to encode from the start; all when null or absent. */
  end?: number | null
  /** Number of parts, at most one for each core. */
  parts: number
  onProgress?: ((progress: Progress) => void) | undefined
}

/** Frames a part repeats of the one before it: half a second, which is more than any encoder remembers. */
const OVERLAP_FRAMES = { mp3: 16, opus: 25 }

/** Shortest part that is worth a core of its own. */
const SHORTEST_PART_SECONDS = 300

/** Number of parts a recording is to be encoded in on `cores` cores: 1 when it is short, or cannot be cut into frames. */
export function partsFor({
  target,
  sampleRate,
  seconds,
  cores,
}: Pick<ParallelEncoding, 'target' | 'sampleRate' | 'seconds'> & { cores: number }): number {
  const whole = target === 'mp3' || Number.isInteger(sampleRate / 50)
  if (!whole) return 1
  return Math.max(1, Math.min(cores, Math.floor(seconds / SHORTEST_PART_SECONDS)))
}

/** How much shorter a part may be than asked for: times are rounded, while a lost block of FLAC is longer. */
const TOLERANCE_SECONDS = 0.02

/**
 * Encodes like one `run`, with the same number of samples, in about the time of the longest part. MP3 frames cannot share
 * a bit reservoir then, which costs some quality at a constant bit rate (a variable one takes the bits it needs), so
 * constant rates below 160 kbit/s are better encoded in one run.
 * @returns null when the recording is damaged, shorter than `seconds` says, begins late or has gaps, and has to be
 *   encoded in one run
 * @throws what `run` throws; no part is left behind
 */
export async function encodeInParallel(options: ParallelEncoding): Promise<Finished | null> {
  const { input, output, target, filters = [], outputOptions, sampleRate, seconds, end, parts } = options
  const { onProgress } = options
  // Samples of the source in a frame of the target; Opus has 50 frames a second at any rate.
  const frame = target === 'mp3' ? mp3FrameSamples(sampleRate) : (sampleRate * OPUS_PACKET_SAMPLES) / 48_000
  const outputRate = target === 'mp3' ? sampleRate : 48_000
  const length = Math.floor((seconds * sampleRate) / parts / frame)
  const stop = new AbortController()
  const times = Array<number>(parts).fill(0)
  const started = performance.now()
  const report = (index: number, { time }: Progress) => {
    times[index] = time
    const done = Math.min(1, times.reduce((sum, value) => sum + value, 0) / seconds)
    const eta = done > 0 ? ((performance.now() - started) / 1000) * (1 / done - 1) : null
    onProgress?.({ time: done * seconds, fraction: done, eta })
  }
  const plans = Array.from({ length: parts }, (_, index) => {
    const skip = index === 0 ? 0 : OVERLAP_FRAMES[target]
    const last = index === parts - 1
    const from = (index * length - skip) * frame
    // The part's own frames, and some more, since the encoder's delay pushes the sound back by a frame or two.
    const to = ((index + 1) * length + OVERLAP_FRAMES[target]) * frame
    return {
      path: `${output}.part${index}`,
      skip,
      from,
      to: last ? (end ?? null) : to,
      // The end of the last part is only known roughly, and no part follows it.
      ...(last ? {} : { take: length, samples: Math.round(((to - from) * outputRate) / sampleRate) }),
      /** Seconds it has to have at least. */
      least: ((last ? seconds * sampleRate : to) - from) / sampleRate - TOLERANCE_SECONDS,
    }
  })
  try {
    const results = await Promise.allSettled(
      plans.map(async ({ path, from, to, least }, index) => {
        const part: Run = {
          input,
          ...(options.demuxer ? { demuxer: options.demuxer } : {}),
          ...cut(from, to, sampleRate, filters, outputOptions),
          output: path,
          duration: seconds,
          signal: stop.signal,
          onProgress: progress => report(index, progress),
        }
        if (target === 'mp3') part.outputOptions = [...(part.outputOptions ?? []), '-reservoir', '0']
        try {
          const finished = await run(part)
          if (finished.time < least || finished.log.trim() !== '') throw new CannotJoinError()
          return finished.time
        } catch (error) {
          stop.abort(error)
          throw error
        }
      }),
    )
    if (stop.signal.aborted) throw stop.signal.reason
    await (target === 'mp3' ? joinMp3 : joinOpus)(plans, output)
    const rest = results.at(-1)
    const before = (plans.at(-1)?.from ?? 0) / sampleRate
    return { time: before + (rest?.status === 'fulfilled' ? rest.value : 0), log: '', damaged: 0 }
  } catch (error) {
    await rm(output, { force: true })
    const damaged = error instanceof JobFailure && error.code === 'jobs.corrupt_input'
    if (damaged || error instanceof CannotJoinError) return null
    throw error
  } finally {
    await Promise.all(plans.map(({ path }) => rm(path, { force: true })))
  }
}

/**
 * Reads the samples `from` to `to`: seeks to a whole second before them and cuts by timestamps from there, since damage
 * may have left a gap.
 */
function cut(
  from: number,
  to: number | null,
  sampleRate: number,
  filters: readonly string[],
  outputOptions: readonly string[],
) {
  const second = Math.max(0, Math.floor(from / sampleRate) - 1)
  const start = from - second * sampleRate
  const end = to === null ? '' : `:end_pts=${to - second * sampleRate}`
  return {
    inputOptions: second > 0 ? ['-ss', String(second)] : [],
    outputOptions: [
      '-af',
      [`atrim=start_pts=${start}${end}`, 'asetpts=N/SR/TB', ...filters].join(','),
      ...outputOptions,
    ],
  }
}
