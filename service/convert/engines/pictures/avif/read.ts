import { open } from 'node:fs/promises'
import { JobFailure } from '../../../../shared/errors.ts'
import { decodeFrames } from '../../media/ffmpeg/frames.ts'
import { matrixNames } from '../../media/ffmpeg/matrices.ts'
import type { Animation } from '../pixels.ts'
import { ivfFrameHeader, ivfHeader, sequenceHeader } from './av1.ts'
import { readSequence, type SequenceTables, type Track } from './container-read.ts'

/**
 * The animation in an AVIF file, or undefined for a still picture: sharp cannot read image sequences. The tracks are
 * parsed here and decoded by ffmpeg frame by frame; each iteration over the frames starts decoding again.
 * @param onDamage called if the file is truncated and only the frames before that point are there
 * @throws JobFailure corrupt_input, unsupported_input, too_large, too_many_pages, engine_missing; also while iterating
 */
export async function readAvifAnimation(
  path: string,
  onDamage: () => void = () => {},
): Promise<Animation | undefined> {
  const tables = await readSequence(path)
  if (!tables) return undefined
  if (!tables.complete) onDamage()
  const { width, height, delays, loop } = tables
  const frames = { [Symbol.asyncIterator]: () => decode(path, tables) }
  return { width, height, frameCount: delays.length, frames, delays, loop }
}

async function* decode(path: string, tables: SequenceTables): AsyncGenerator<Uint8Array> {
  const { width, height, delays, color, alpha } = tables
  const pictures = stream(path, tables, color, 'rgba')
  const masks = alpha && stream(path, tables, alpha, 'gray')
  try {
    for (let index = 0; index < delays.length; index++) {
      const picture = await pictures.next()
      const mask = await masks?.next()
      if (picture.done || mask?.done) throw new JobFailure('jobs.corrupt_input')
      if (mask) for (let at = 0; at < width * height; at++) picture.value[at * 4 + 3] = mask.value[at]!
      yield picture.value
    }
  } finally {
    await pictures.return(undefined)
    await masks?.return(undefined)
  }
}

function stream(
  path: string,
  tables: SequenceTables,
  track: Track,
  pixelFormat: 'rgba' | 'gray',
): AsyncGenerator<Uint8Array> {
  const { width, height } = tables
  // Alpha always has full range, whatever its stream says.
  const range = pixelFormat === 'gray' ? ':in_range=full:out_range=full' : ''
  const matrix = track.nclx && matrixNames[track.nclx.matrix]
  const colour =
    (track.nclx ? `:in_range=${track.nclx.full ? 'full' : 'limited'}` : '') +
    (matrix ? `:in_color_matrix=${matrix}` : '')
  const scale = `scale=${width}:${height}:flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp`
  return decodeFrames({
    input: ivf(path, tables, track),
    demuxer: 'ivf',
    options: ['-vf', scale + (range || colour)],
    pixelFormat,
    frameBytes: width * height * (pixelFormat === 'gray' ? 1 : 4),
  })
}

/** The samples of a track as an IVF file, which ffmpeg reads from a pipe. */
async function* ivf(
  path: string,
  { width, height, delays: { length: count } }: SequenceTables,
  track: Track,
): AsyncGenerator<Buffer> {
  await using file = await open(path)
  yield ivfHeader(width, height)
  for (const [index, { offset, size }] of track.samples.slice(0, count).entries()) {
    const sample = Buffer.alloc(size)
    await file.read(sample, 0, size, offset)
    const unit = index > 0 || sequenceHeader(sample) ? sample : Buffer.concat([track.header, sample])
    yield ivfFrameHeader(unit.length, index)
    yield unit
  }
}
