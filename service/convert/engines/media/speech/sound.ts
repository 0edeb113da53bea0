/** The decoded audio of a media file, kept on disk so that its length costs no memory. */

import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { type Finished, type Progress, type Run, run } from '../ffmpeg/run.ts'
import { SAMPLE_RATE } from './speech.ts'

/** Time between two values of the loudness curve. */
export const STEP_SECONDS = 0.02

const STEP_SAMPLES = SAMPLE_RATE * STEP_SECONDS

/** Samples read at a time while loudness is measured. */
const BLOCK_SAMPLES = STEP_SAMPLES * 4096

export interface Decoding {
  /** Index of the audio track. */
  track: number
  duration?: number | undefined
  /** Longest accepted media file, in seconds. */
  limit: number
  onProgress: (progress: Progress) => void
}

/**
 * Decodes an audio track to mono 16-bit samples at 16 kHz, without a header.
 * @throws JobFailure as `run` does; `too_long`, and `corrupt_input` if there is no audio at all
 */
export async function decodeSpeech(
  input: Pick<Run, 'input' | 'demuxer' | 'inputOptions'>,
  output: string,
  { track, duration, limit, onProgress }: Decoding,
): Promise<Finished> {
  const finished = await run({
    ...input,
    output,
    outputOptions: [
      ...['-map', `0:a:${track}`, '-vn', '-sn', '-dn'],
      ...['-t', String(limit + 1), '-ac', '1', '-ar', String(SAMPLE_RATE)],
      ...['-c:a', 'pcm_s16le', '-f', 's16le'],
    ],
    duration,
    onProgress,
    verbosity: 'verbose',
  })
  const { size } = await stat(output)
  if (size === 0) {
    await rm(output, { force: true })
    throw new JobFailure('jobs.corrupt_input', message('recording.no_sound'))
  }
  if (size / 2 / SAMPLE_RATE > limit) throw new JobFailure('jobs.too_long')
  return finished
}

/** A file written by `decodeSpeech`. */
export class Sound implements AsyncDisposable {
  readonly #file: FileHandle
  readonly seconds: number

  private constructor(file: FileHandle, samples: number) {
    this.#file = file
    this.seconds = samples / SAMPLE_RATE
  }

  static async open(path: string): Promise<Sound> {
    const file = await open(path)
    return new Sound(file, (await file.stat()).size >> 1)
  }

  /** Samples between two times in seconds. */
  async read(start: number, end: number): Promise<Int16Array<ArrayBuffer>> {
    const first = Math.max(0, Math.round(start * SAMPLE_RATE))
    const samples = new Int16Array(Math.max(0, Math.round(Math.min(end, this.seconds) * SAMPLE_RATE) - first))
    await this.#file.read(samples, 0, samples.byteLength, first * 2)
    return samples
  }

  /** Loudness of each `STEP_SECONDS`, in dB relative to full scale; −100 is silence. */
  async levels(): Promise<Float32Array> {
    const levels = new Float32Array(Math.ceil((this.seconds * SAMPLE_RATE) / STEP_SAMPLES))
    for (let step = 0; step < levels.length; ) {
      const start = (step * STEP_SAMPLES) / SAMPLE_RATE
      const samples = await this.read(start, start + BLOCK_SAMPLES / SAMPLE_RATE)
      for (let at = 0; at < samples.length; at += STEP_SAMPLES) {
        levels[step++] = levelOf(samples.subarray(at, at + STEP_SAMPLES))
      }
    }
    return levels
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#file.close()
  }
}

function levelOf(samples: Int16Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return Math.max(-100, 10 * Math.log10(sum / Math.max(1, samples.length) / 32_768 ** 2 + 1e-10))
}
