/**
 * Encodes one long recording on several cores: encoders work on one sample after the other, so parts of it are
 * encoded at the same time and joined by whole frames. Each part starts a little early, until the encoder has
 * forgotten that something came before.
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { type Progress, type Run, run } from './run.ts'
import { joinMp3, mp3FrameSamples } from './splice/mp3.ts'
import { joinOpus, OPUS_PACKET_SAMPLES } from './splice/opus.ts'

export interface ParallelEncoding {
  /** Path of a file that can be read from any sample on, as WAV and FLAC can. */
  input: string
  /** Path of the file to write; parts are written beside it. */
  output: string
  target: 'mp3' | 'opus'
  /** Output arguments: mapping, encoder, container. */
  outputOptions: readonly string[]
  sampleRate: number
  /** Length of the recording in seconds, as far as known. */
  seconds: number
  /** Number of parts, at most one for each core. */
  parts: number
  signal?: AbortSignal | undefined
  onProgress?: (progress: Progress) => void
}

/** Frames a part repeats of the one before it: half a second, which is more than any encoder remembers. */
const OVERLAP = { mp3: 16, opus: 25 }

/** Shortest part worth starting a process for, in seconds. */
const SHORTEST = 30

/** Longest recording whose parts are joined in memory, in seconds. */
const LONGEST = 3 * 3600

/** Whether a recording can be encoded in parts: long, but not too long, and cut into whole frames at its rate. */
export function canSplit({
  target,
  sampleRate,
  seconds,
  parts,
}: Omit<ParallelEncoding, 'output' | 'input' | 'outputOptions'>) {
  const whole = target === 'mp3' || Number.isInteger(sampleRate / 50)
  return parts > 1 && whole && seconds / parts >= SHORTEST && seconds <= LONGEST
}

/**
 * Encodes like one `run`, sample for sample as long, in about the time of its longest part. MP3 frames must not
 * borrow bits from each other for this, which costs a constant bit rate some quality (a variable one takes the bits
 * it needs), so constant rates below 160 kbit/s are better encoded at once.
 * @throws what `run` throws; no part is left behind
 */
export async function encodeInParallel(options: ParallelEncoding): Promise<void> {
  const { input, output, target, outputOptions, sampleRate, seconds, parts, signal, onProgress } = options
  // Samples of the source in a frame of the target; Opus has 50 frames a second at any rate.
  const frame = target === 'mp3' ? mp3FrameSamples(sampleRate) : (sampleRate * OPUS_PACKET_SAMPLES) / 48_000
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
    const skip = index === 0 ? 0 : OVERLAP[target]
    const last = index === parts - 1
    return {
      path: `${output}.part${index}`,
      skip,
      from: (index * length - skip) * frame,
      // The part's own frames, and some more, since the encoder's delay pushes the sound back by a frame or two.
      to: last ? null : ((index + 1) * length + OVERLAP[target]) * frame,
      ...(last ? {} : { take: length }),
    }
  })
  try {
    await Promise.all(
      plans.map(async ({ path, from, to }, index) => {
        const part: Run = {
          input,
          ...cut(from, to, sampleRate, outputOptions),
          output: path,
          duration: seconds,
          signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
          onProgress: progress => report(index, progress),
        }
        if (target === 'mp3') part.outputOptions = [...(part.outputOptions ?? []), '-reservoir', '0']
        try {
          await run(part)
        } catch (error) {
          stop.abort(error)
          throw error
        }
      }),
    )
    const pieces = await Promise.all(
      plans.map(async ({ path, ...plan }) => ({ ...plan, bytes: await readFile(path) })),
    )
    await writeFile(output, (target === 'mp3' ? joinMp3 : joinOpus)(pieces))
  } catch (error) {
    await rm(output, { force: true })
    throw error
  } finally {
    await Promise.all(plans.map(({ path }) => rm(path, { force: true })))
  }
}

/** Reads the samples `from` to `to`: seeks to a whole second before them, and counts from there. */
function cut(from: number, to: number | null, sampleRate: number, outputOptions: readonly string[]) {
  const second = Math.max(0, Math.floor(from / sampleRate) - 1)
  const start = from - second * sampleRate
  const end = to === null ? '' : `:end_sample=${to - second * sampleRate}`
  return {
    inputOptions: second > 0 ? ['-ss', String(second)] : [],
    outputOptions: ['-af', `atrim=start_sample=${start}${end},asetpts=N/SR/TB`, ...outputOptions],
  }
}
