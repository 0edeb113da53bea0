/** Excerpts of media files. */
import { open, rm } from 'node:fs/promises'
import { JobFailure } from '../../../shared/errors.ts'
import type { PreviewContent } from '../../catalogue/preview.ts'
import type { TaskInput } from '../../catalogue/task.ts'
import { run } from '../../engines/media/ffmpeg/run.ts'
import { openSource, type Source } from './source.ts'

/** Part of a media file, in seconds. */
export interface Excerpt {
  from: number
  seconds: number
}

/** Longest excerpt. */
const EXCERPT_SECONDS = 8
/**
 * Many media files begin with silence, so the excerpt starts after this share of them, but no later than a maximum time.
 */
const BEGIN_SHARE = 0.2
const BEGIN_SECONDS = 30
/** Parts of a waveform. */
const PEAKS = 400
/** Highest sample rate of excerpts. */
const HERTZ = 48_000

export const openRecording = (input: TaskInput): Promise<Source> =>
  openSource({ input, source: input.format })

/** Length of a media file in seconds, as far as known. */
export const secondsOf = ({ media }: Source): number | null => (media.estimated ? null : media.seconds)

/** The excerpt to listen to, within the requested part of a media file. */
export function excerptOf(source: Source, wanted: { start: number; end: number | null }): Excerpt {
  const end = wanted.end ?? secondsOf(source) ?? wanted.start + EXCERPT_SECONDS
  const length = Math.max(0, end - wanted.start)
  // A short part is used in full.
  if (length <= EXCERPT_SECONDS * 1.25) return { from: wanted.start, seconds: length }
  const skipped = Math.min(BEGIN_SECONDS, length * BEGIN_SHARE, length - EXCERPT_SECONDS)
  return { from: wanted.start + skipped, seconds: EXCERPT_SECONDS }
}

/**
 * Writes an excerpt as a 16-bit WAV file.
 * @param path of the file to write
 * @param track number of the audio track, from 0
 * @throws JobFailure
 */
export async function sound(
  source: Source,
  { from, seconds }: Excerpt,
  path: string,
  track = 0,
): Promise<PreviewContent> {
  const { channels = 2, sampleRate = 0 } = source.media.tracks[track] ?? {}
  const shape = [...(channels > 2 ? ['-ac', '2'] : []), ...(sampleRate > HERTZ ? ['-ar', String(HERTZ)] : [])]
  const wave = await waveOf(source, path, { from, seconds }, track, shape)
  return { kind: 'sound', file: path, from, ...wave }
}

/** Writes a part of a track as a 16-bit WAV file. @throws JobFailure */
async function waveOf(
  source: Source,
  path: string,
  { from, seconds }: Excerpt,
  track: number,
  shape: readonly string[],
): Promise<{ seconds: number; peaks: number[] }> {
  const { inputOptions, ...input } = source.open()
  await run({
    ...input,
    inputOptions: [...inputOptions, '-ss', String(from)],
    output: path,
    outputOptions: [
      ...['-t', String(seconds), '-map', `0:a:${track}`, '-vn', '-sn', '-dn'],
      ...['-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact'],
      ...[...shape, '-c:a', 'pcm_s16le', '-f', 'wav'],
    ],
    seconds: 20,
  })
  return readWave(path)
}

/** Longest media file whose whole waveform is shown, and the sample rate that is enough for it. */
const WHOLE_SECONDS = 2 * 3600
const WHOLE_HERTZ = 2000

/**
 * The waveform of a whole media file; none if it is too long to be read while somebody waits.
 * @param path of a temporary file
 */
export async function wholePeaks(source: Source, path: string): Promise<number[] | undefined> {
  const length = secondsOf(source)
  if (length === null || length > WHOLE_SECONDS) return undefined
  const shape = ['-ac', '1', '-ar', String(WHOLE_HERTZ)]
  try {
    return (await waveOf(source, path, { from: 0, seconds: length }, 0, shape)).peaks
  } catch (error) {
    if (error instanceof JobFailure) return undefined
    throw error
  } finally {
    await rm(path, { force: true })
  }
}

/** Size of the header of a WAV file that ffmpeg writes in bitexact mode. */
const HEADER_BYTES = 44

async function readWave(path: string): Promise<{ seconds: number; peaks: number[] }> {
  await using file = await open(path)
  const bytes = await file.readFile()
  const [channels, rate] = [bytes.readUInt16LE(22), bytes.readUInt32LE(24)]
  const start = bytes.indexOf('data', HEADER_BYTES - 8, 'latin1') + 8
  const samples = new Int16Array(
    bytes.buffer.slice(
      bytes.byteOffset + start,
      bytes.byteOffset + bytes.length - ((bytes.length - start) % 2),
    ),
  )
  const frames = Math.floor(samples.length / channels)
  const peaks = Array.from(
    { length: Math.min(PEAKS, frames) },
    (_, index, parts = Math.min(PEAKS, frames)) => {
      let most = 0
      const end = Math.floor(((index + 1) * frames) / parts) * channels
      for (let at = Math.floor((index * frames) / parts) * channels; at < end; at++)
        most = Math.max(most, Math.abs(samples[at]!))
      return Math.round((most / 32_768) * 1000) / 1000
    },
  )
  return { seconds: frames / rate, peaks }
}
