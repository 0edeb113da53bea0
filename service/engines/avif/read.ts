import { open } from 'node:fs/promises'
import { JobFailure } from '../../errors.ts'
import { decodeFrames } from '../ffmpeg/frames.ts'
import type { Animation } from '../pixels.ts'
import { readMoov, readTracks } from './boxes.ts'

/** Most pixels one frame of a sequence may have. */
const FRAME_LIMIT = 64_000_000

/**
 * The animation in an AVIF file, or undefined when it is a still picture. Frames are decoded by ffmpeg: sharp
 * reads no image sequences.
 * @throws JobFailure too_large; while reading frames also corrupt_input, engine_missing
 */
export async function readAvifAnimation(path: string, signal?: AbortSignal): Promise<Animation | undefined> {
  const file = await open(path)
  const moov = await readMoov(file).finally(() => file.close())
  const tracks = moov ? readTracks(moov.content, { start: 0, end: moov.content.length }) : []
  const colour = tracks.find(track => track.handler === 'pict')
  if (!colour || colour.durations.length < 2 || !colour.timescale) return undefined
  const alpha = tracks.some(track => track.handler === 'auxv')
  const width = Math.round(colour.width)
  const height = Math.round(colour.height)
  if (!width || !height) return undefined
  if (width * height > FRAME_LIMIT) throw new JobFailure('jobs.too_large')

  const size = `scale=${width}:${height}:flags=accurate_rnd+full_chroma_int+bicubic`
  const graph = alpha
    ? `[0:v:0]${size},format=rgba[c];[0:v:1]scale=${width}:${height},format=gray[m];[c][m]alphamerge[v]`
    : `[0:v:0]${size},format=rgba[v]`
  const frames = decodeFrames(
    {
      input: path,
      demuxer: 'mov',
      options: ['-filter_complex', graph, '-map', '[v]', '-fps_mode', 'passthrough'],
      pixelFormat: 'rgba',
      frameBytes: width * height * 4,
    },
    signal ? { signal } : {},
  )
  const delays = colour.durations.map(units => (units * 1000) / colour.timescale)
  const plays = colour.passDuration > 0 ? Math.round(colour.duration / colour.passDuration) : 1
  // Without an edit list nothing is said, and viewers repeat for ever.
  const loop = colour.passDuration === 0 || !Number.isFinite(plays) ? 0 : colour.repeats ? plays : 1
  return { width, height, frameCount: delays.length, frames, delays, loop }
}
