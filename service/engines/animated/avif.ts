import { randomUUID } from 'node:crypto'
import { open, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { JobFailure } from '../../errors.ts'
import { decodeFrames, encodeFrames } from '../ffmpeg/frames.ts'
import { ffmpeg } from '../ffmpeg/locate.ts'
import type { Animation } from '../pixels.ts'
import { ivfFrameHeader, ivfHeader, readIvf, sequenceHeader, withoutDelimiter } from './av1.ts'
import { readSequence, type SequenceTables, type Track } from './avifread.ts'
import { type Coded, writeSequence } from './avifwrite.ts'

export interface AvifEncoding {
  /** 1 (smallest) to 100 (best); ignored when lossless. Default 50. */
  quality?: number
  /** Keeps every pixel as it is. */
  lossless?: boolean
  /** Folder for the file and what is needed on the way. */
  folder: string
  signal?: AbortSignal
  onProgress?: (fraction: number) => void
}

/** From this quality on colour is kept at full resolution. */
const FULL_CHROMA = 90
const MAX_SIDE = 16_384

/**
 * Encodes an animation as an AVIF image sequence with its exact delays. Colour and alpha are coded by one ffmpeg run
 * as the frames come in; an animation whose frames all turn out opaque gets no alpha.
 * @returns path of the file inside `folder`
 * @throws JobFailure `jobs.too_large`, `jobs.engine_missing`, or what ffmpeg's run throws
 */
export async function encodeAnimatedAvif(
  animation: Animation,
  { quality = 50, lossless = false, folder, signal, onProgress }: AvifEncoding,
): Promise<string> {
  const { width, height, frameCount, delays, loop } = animation
  if (Math.max(width, height) > MAX_SIDE) {
    throw new JobFailure('jobs.too_large', 'AVIF holds at most 16384 pixels a side. Choose a smaller size.')
  }
  if (!(await ffmpeg()).encoders.has('libaom-av1')) {
    throw new JobFailure(
      'jobs.engine_missing',
      'Animated AVIF needs an ffmpeg with the AV1 encoder libaom. Install a full build of ffmpeg.',
    )
  }
  const path = (name: string) => resolve(join(folder, `${name}-${randomUUID()}`))
  const streams = { color: path('color.ivf'), alpha: path('alpha.ivf') }
  const seen = { opaque: true }
  const sampling = lossless || quality >= FULL_CHROMA ? 'yuv444p' : 'yuv420p'
  try {
    await encodeFrames(
      {
        video: { width, height, pixelFormat: 'rgba', fps: 25 },
        output: streams.alpha,
        options: streamOptions(streams.color, sampling, quality, lossless),
        frameCount,
      },
      watchAlpha(animation.frames, seen),
      { ...(signal ? { signal } : {}), onProgress: ({ fraction }) => onProgress?.(fraction ?? 0) },
    )
    const matrix = lossless ? 0 : 6
    const color: Coded = { samples: await samplesOf(streams.color, frameCount), sampling, matrix }
    const alpha: Coded | undefined = seen.opaque
      ? undefined
      : { samples: await samplesOf(streams.alpha, frameCount), sampling: 'gray', matrix: 2 }
    const output = path('animation').concat('.avif')
    await writeFile(output, writeSequence({ width, height, delays, loop, color, alpha }))
    return output
  } finally {
    await Promise.all(Object.values(streams).map(stream => rm(stream, { force: true })))
  }
}

/** Options for two outputs of one run: colour into `colorPath`, and alpha into the run's own output. */
function streamOptions(
  colorPath: string,
  sampling: 'yuv420p' | 'yuv444p',
  quality: number,
  lossless: boolean,
): string[] {
  // Without full_chroma_inp the last column of an odd width takes its colour from beyond the row.
  const scale = 'scale=flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp'
  const color = lossless ? 'format=gbrp' : `${scale}:out_color_matrix=bt601:out_range=full,format=${sampling}`
  // libavif's scale of quality to AV1's quantizer; alpha gets a better one, because its errors are edges.
  const quantizer = Math.round(((100 - quality) * 63) / 100)
  const coding = (crf: number) => [
    ...['-c:v', 'libaom-av1', '-cpu-used', '8', '-row-mt', '1', '-g', '240', '-b:v', '0'],
    ...['-crf', String(lossless ? 0 : crf), ...(lossless ? ['-aom-params', 'lossless=1'] : [])],
    ...['-color_range', 'pc', '-f', 'ivf'],
  ]
  const space = ['-color_primaries', 'bt709', '-color_trc', 'iec61966-2-1']
  return [
    '-filter_complex',
    `[0:v]split[a][b];[a]${color}[color];[b]alphaextract,format=gray[alpha]`,
    ...['-map', '[color]', ...coding(quantizer), ...space],
    ...['-colorspace', lossless ? 'rgb' : 'smpte170m', '-y', `file:${colorPath}`],
    ...['-map', '[alpha]', ...coding(Math.max(0, quantizer - 12))],
  ]
}

async function* watchAlpha(
  frames: Animation['frames'],
  seen: { opaque: boolean },
): AsyncGenerator<Uint8Array> {
  for await (const frame of frames) {
    for (let at = 3; seen.opaque && at < frame.length; at += 4) if (frame[at] !== 255) seen.opaque = false
    yield frame
  }
}

async function samplesOf(path: string, frameCount: number): Promise<Buffer[]> {
  const samples = [...readIvf(await readFile(path))].map(withoutDelimiter)
  if (samples.length !== frameCount) throw new JobFailure('jobs.engine_crashed')
  return samples
}

/**
 * Decodes an AVIF image sequence. Frames are decoded as they are asked for; each time the animation's frames are
 * walked, decoding begins anew.
 * @throws JobFailure `jobs.corrupt_input`, `jobs.unsupported_input`, `jobs.too_large`, `jobs.too_many_pages`; the same
 *   may come while frames are walked
 */
export async function decodeAnimatedAvif(
  path: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Animation> {
  const tables = await readSequence(path)
  const { width, height, delays, loop } = tables
  const frames = { [Symbol.asyncIterator]: () => decode(path, tables, signal) }
  return { width, height, frameCount: delays.length, frames, delays, loop }
}

async function* decode(
  path: string,
  tables: SequenceTables,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { width, height, delays, color, alpha } = tables
  const pictures = stream(path, tables, color, 'rgba', signal)
  const masks = alpha && stream(path, tables, alpha, 'gray', signal)
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

/** Matrix coefficients of CICP as ffmpeg's scaler names them; the others are left to the stream. */
const matrices: Record<number, string> = {
  1: 'bt709',
  4: 'fcc',
  5: 'bt601',
  6: 'bt601',
  7: 'smpte240m',
  9: 'bt2020',
}

function stream(
  path: string,
  { width, height }: SequenceTables,
  track: Track,
  pixelFormat: 'rgba' | 'gray',
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const matrix = track.nclx && matrices[track.nclx.matrix]
  // Alpha is full range whatever its stream says.
  const range = pixelFormat === 'gray' ? ':in_range=full:out_range=full' : ''
  const colour = matrix ? `:in_color_matrix=${matrix}:in_range=${track.nclx?.full ? 'full' : 'limited'}` : ''
  const scale = `scale=${width}:${height}:flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp`
  return decodeFrames(
    {
      input: ivf(path, width, height, track),
      demuxer: 'ivf',
      options: ['-vf', scale + range + colour],
      pixelFormat,
      frameBytes: width * height * (pixelFormat === 'gray' ? 1 : 4),
    },
    signal ? { signal } : {},
  )
}

/** The samples of a track as an IVF file, which ffmpeg reads from a pipe. */
async function* ivf(path: string, width: number, height: number, track: Track): AsyncGenerator<Buffer> {
  const file = await open(path)
  try {
    yield ivfHeader(width, height)
    for (const [index, { offset, size }] of track.samples.entries()) {
      const sample = Buffer.alloc(size)
      await file.read(sample, 0, size, offset)
      const unit = index > 0 || sequenceHeader(sample) ? sample : Buffer.concat([track.header, sample])
      yield ivfFrameHeader(unit.length, index)
      yield unit
    }
  } finally {
    await file.close()
  }
}
