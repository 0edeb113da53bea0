/**
 * Decodes a picture's tiles with ffmpeg's HEVC decoder: at native speed, and in a separate process for hostile data.
 */
import { endianness } from 'node:os'
import { Readable, Writable } from 'node:stream'
import { matrixNames } from '../../media/ffmpeg/matrices.ts'
import { pieces } from '../../media/ffmpeg/pipe.ts'
import { run } from '../../media/ffmpeg/run.ts'
import type { Pixels } from '../pixels.ts'
import { corrupt } from './failure.ts'
import { commonSetup, videoOf } from './hevc.ts'
import type { Items } from './items.ts'
import type { HeifPicture } from './picture.ts'

/** Names of the supported matrices: 2 is "unspecified"; others are left to libheif. */
const matrices: Readonly<Record<number, string>> = { ...matrixNames, 2: 'auto' }

/** 4:2:0 (chroma_format_idc of H.265, table 6-1). */
const HALF_CHROMA = 1

/** Whether ffmpeg can decode this picture correctly. */
export function suitsFfmpeg(picture: HeifPicture): boolean {
  const { plain, coding, hasAlpha, codePoints } = picture
  if (!plain || hasAlpha || (coding !== 'hvc1' && coding !== 'hev1')) return false
  if (codePoints && !matrices[codePoints.matrix]) return false
  return commonSetup(picture) !== undefined
}

/**
 * Decodes the picture to RGB, cropped, before rotation. 8 bits per sample, or 16 if more than 8 are coded.
 * @throws JobFailure corrupt_input if any tile is damaged; engine_missing without ffmpeg
 */
export async function decodeWithFfmpeg(
  items: Items,
  picture: HeifPicture,
  fileSize: number,
): Promise<Pixels> {
  const setup = commonSetup(picture)
  const highBitDepth = (setup?.bitDepth ?? 8) > 8
  const stream = Buffer.concat(videoOf(items, picture, 2 * fileSize))
  // A skipped tile would shift all that follow, so the first error ends the run.
  const strict = ['-err_detect', 'explode', '-xerror']
  const pixels = await decodeTiles(picture, {
    stream,
    demuxer: 'matroska',
    highBitDepth,
    inputOptions: strict,
  })
  return { ...pixels, chromaSubsampling420: setup?.chroma === HALF_CHROMA }
}

export interface CodedTiles {
  /** All tiles, one after the other. */
  stream: Uint8Array
  /** ffmpeg's name of the stream's format. */
  demuxer: 'matroska' | 'ivf'
  /** Whether more than 8 bits are coded. */
  highBitDepth: boolean
  inputOptions: readonly string[]
}

/** Decodes coded tiles and joins them: RGB, cropped, before rotation. */
export async function decodeTiles(
  picture: HeifPicture,
  { stream, demuxer, highBitDepth, inputOptions }: CodedTiles,
): Promise<Pixels> {
  const { width, height } = picture.crop ?? picture.size
  const pixels = new Uint8Array(width * height * 3 * (highBitDepth ? 2 : 1))
  let filled = 0
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      pixels.set(chunk.subarray(0, pixels.length - filled), filled)
      filled += chunk.length
      done()
    },
  })
  // A forged parameter set may claim a larger picture than its item; coded sizes are only rounded up slightly.
  const largest = (picture.tile.width + 128) * (picture.tile.height + 128)
  await run({
    input: Readable.from(pieces(stream)),
    demuxer,
    inputOptions: ['-max_pixels', String(largest), ...inputOptions, '-threads', '2'],
    output,
    outputOptions: [
      ...['-vf', filters(picture).join()],
      ...['-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', highBitDepth ? `rgb48${endian}` : 'rgb24'],
    ],
  })
  if (filled !== pixels.length) throw corrupt()
  return { data: highBitDepth ? new Uint16Array(pixels.buffer) : pixels, width, height, channels: 3 }
}

const endian = endianness().toLowerCase()

function filters({ columns, rows, size, crop, codePoints }: HeifPicture): string[] {
  const matrix = (codePoints && matrices[codePoints.matrix]) || 'auto'
  const range = codePoints ? (codePoints.fullRange ? 'full' : 'limited') : 'auto'
  const flags = 'bilinear+accurate_rnd+full_chroma_int'
  return [
    // Tiles are joined before the colour conversion, so that no seam shows in the coarser chroma.
    ...(columns * rows > 1 ? [`tile=${columns}x${rows}`] : []),
    `crop=${size.width}:${size.height}:0:0:exact=1`,
    `scale=in_color_matrix=${matrix}:in_range=${range}:flags=${flags}`,
    ...(crop ? [`format=rgb24|rgb48${endian}`, cropping(crop)] : []),
  ]
}

const cropping = ({ width, height, left, top }: NonNullable<HeifPicture['crop']>) =>
  `crop=${width}:${height}:${left}:${top}:exact=1`
