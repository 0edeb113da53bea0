/**
 * Encodes one long media file on several cores: an encoder processes samples in order, so parts are encoded at the same
 * time and joined at frame boundaries. Each part starts slightly early, so that at the join its encoder is in the same
 * state as if it had encoded everything before.
 */
import { rm } from 'node:fs/promises'
import { JobFailure } from '../../../../shared/errors.ts'
import { type Finished, type Progress, type Run, run } from './run.ts'
import { CannotJoinError } from './splice/blocks.ts'
import { joinMp3, mp3FrameSamples } from './splice/mp3.ts'
import { joinOpus, OPUS_PACKET_SAMPLES } from './splice/opus.ts'

/** How encoded parts are joined: by frames of this format. */
export type JoinMethod = 'mp3' | 'opus'

export interface ParallelEncoding {
  /** Path of a file that can be read from any sample on: `Recording.seekable`. */
  input: string
  /** Forces this demuxer. */
  demuxer?: Run['demuxer']
  /** Options before the input. */
  inputOptions?: readonly string[]
  /** Path of the file to write; the parts are written next to it. */
  output: string
  target: JoinMethod
  /** Filters that keep no state of earlier samples. */
  filters?: readonly string[]
  /** Output arguments: mapping, encoder, container. */
  outputOptions: readonly string[]
  /** Samples per second of the media file, and of the MP3. */
  sampleRate: number
  /** Length of the media file in seconds, as far as known. */
  seconds: number
  /** Number of samples to encode from the start; all if null or absent. */
  end?: number | null
  /** Number of parts, at most one for each core. */
  parts: number
  onProgress?: ((progress: Progress) => void) | undefined
}

/** Frames that a part repeats from the previous one: half a second, more than any encoder remembers. */
const OVERLAP_FRAMES = { mp3: 16, opus: 25 }

/** Shortest part that is worth a separate core. */
const SHORTEST_PART_SECONDS = 300

/** Number of parts in which to encode a media file on `cores` cores: 1 if it is short or cannot be split into frames. */
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

/** How much shorter than requested a part may be: times are rounded, while a lost FLAC block is longer. */
const TOLERANCE_SECONDS = 0.02

/**
 * Encodes like a single `run`, with the same number of samples, in about the time of the longest part. MP3 frames then
 * cannot share a bit reservoir, which costs some quality at a constant bit rate (a variable one uses the bits it needs),
 * so constant rates below 160 kbit/s are better encoded in one run.
 * @returns null if the media file is damaged, shorter than `seconds` says, begins late or has gaps, and must be encoded in
 * one run
 * @throws what `run` throws; no part is left behind
 */
export async function encodeInParallel(options: ParallelEncoding): Promise<Finished | null> {
  const {
    input,
    inputOptions = [],
    output,
    target,
    filters = [],
    outputOptions,
    sampleRate,
    seconds,
    end,
    parts,
  } = options
  const { onProgress } = options
  // Source samples in a target frame; Opus has 50 frames a second at any rate.
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
    // The part's own frames and some more, since the encoder's delay shifts the audio by a frame or two.
    const to = ((index + 1) * length + OVERLAP_FRAMES[target]) * frame
    return {
      path: `${output}.part${index}`,
      skip,
      from,
      to: last ? (end ?? null) : to,
      // The end of the last part is only known roughly, and no part follows it.
      ...(last ? {} : { take: length, samples: Math.round(((to - from) * outputRate) / sampleRate) }),
      /** Minimum length in seconds. */
      least: ((last ? seconds * sampleRate : to) - from) / sampleRate - TOLERANCE_SECONDS,
    }
  })
  try {
    const results = await Promise.allSettled(
      plans.map(async ({ path, from, to, least }, index) => {
        const part: Run = {
          input,
          demuxer: options.demuxer,
          ...cut({ from, to, sampleRate, filters, inputOptions, outputOptions }),
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
    return {
      time: before + (rest?.status === 'fulfilled' ? rest.value : 0),
      log: '',
      damaged: 0,
      decoded: null,
    }
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
function cut({
  from,
  to,
  sampleRate,
  filters,
  inputOptions,
  outputOptions,
}: {
  from: number
  to: number | null
  sampleRate: number
  filters: readonly string[]
  inputOptions: readonly string[]
  outputOptions: readonly string[]
}) {
  const second = Math.max(0, Math.floor(from / sampleRate) - 1)
  const start = from - second * sampleRate
  const end = to === null ? '' : `:end_pts=${to - second * sampleRate}`
  return {
    inputOptions: [...inputOptions, ...(second > 0 ? ['-ss', String(second)] : [])],
    outputOptions: [
      '-af',
      [`atrim=start_pts=${start}${end}`, 'asetpts=N/SR/TB', ...filters].join(','),
      ...outputOptions,
    ],
  }
}
