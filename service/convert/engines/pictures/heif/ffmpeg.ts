/**
 * Decodes a picture's tiles with ffmpeg's HEVC decoder: at native speed, and in a separate process for hostile data.
 */
import { mkdtempDisposable, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { matrixNames } from '../../media/ffmpeg/matrices.ts'
import { pieces } from '../../media/ffmpeg/pipe.ts'
import { run } from '../../media/ffmpeg/run.ts'
import { type Area, type Moves, UPRIGHT } from '../moves.ts'
import { type Pixels, samples } from '../pixels.ts'
import { commonSetup, videoOf } from './hevc.ts'
import { corrupt, type Items } from './items.ts'
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

/** The moves that make a picture upright as ffmpeg's filters, which take a fraction of what sharp needs for another order of rows. */
const turns: Readonly<Record<string, string>> = {
  x: 'hflip',
  xy: 'hflip,vflip',
  y: 'vflip',
  t: 'transpose=cclock_flip',
  tx: 'transpose=clock',
  txy: 'transpose=clock_flip',
  ty: 'transpose=cclock',
}

/**
 * Decodes the picture to RGB, cropped and upright. 8 bits per sample, or 16 if more than 8 are coded.
 * @throws JobFailure corrupt_input if any tile is damaged; engine_missing without ffmpeg
 */
export async function decodeWithFfmpeg(
  items: Items,
  picture: HeifPicture,
  fileSize: number,
  repeatsChroma = false,
): Promise<Pixels> {
  const setup = commonSetup(picture)
  const highBitDepth = (setup?.bitDepth ?? 8) > 8
  const stream = Buffer.concat(videoOf(items, picture, 2 * fileSize))
  const moves: Moves = UPRIGHT[picture.orientation] ?? ''
  const coded = picture.crop ?? picture.size
  const [width, height] = moves.includes('t') ? [coded.height, coded.width] : [coded.width, coded.height]
  const pixels = samples(width * height * 3 * (highBitDepth ? 2 : 1))
  // A file holds the rows at half the processor time of a pipe, which Node reads in pieces of 64 kB.
  await using folder = await mkdtempDisposable(join(tmpdir(), 'refile-heif-'))
  const rows = join(folder.path, 'rows')
  // A forged parameter set may claim a larger picture than its item; coded sizes are only rounded up slightly.
  const largest = (picture.tile.width + 128) * (picture.tile.height + 128)
  await run({
    input: Readable.from(pieces(stream)),
    demuxer: 'matroska',
    verbosity: 'info',
    // A skipped tile would shift all that follow, so the first error ends the run.
    inputOptions: [
      ...['-max_pixels', String(largest), '-err_detect', 'explode', '-xerror'],
      ...['-threads', '2'],
    ],
    output: rows,
    outputOptions: [
      ...['-vf', [...filters(picture, repeatsChroma), ...after(picture, moves)].join()],
      ...['-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', highBitDepth ? 'rgb48' : 'rgb24'],
    ],
  })
  await using file = await open(rows)
  const { bytesRead } = await file.read(pixels)
  if (bytesRead !== pixels.length) throw corrupt()
  return {
    data: highBitDepth ? new Uint16Array(pixels.buffer, pixels.byteOffset, bytesRead / 2) : pixels,
    width,
    height,
    channels: 3,
    chromaSubsampling420: setup?.chroma === HALF_CHROMA,
  }
}

function filters({ columns, rows, size, codePoints }: HeifPicture, repeatsChroma: boolean): string[] {
  const matrix = (codePoints && matrices[codePoints.matrix]) || 'auto'
  const range = codePoints ? (codePoints.fullRange ? 'full' : 'limited') : 'auto'
  const flags = `${repeatsChroma ? 'neighbor' : 'bilinear'}+accurate_rnd+full_chroma_int`
  return [
    // Tiles are joined before the colour conversion, so that no seam shows in the coarser chroma.
    ...(columns * rows > 1 ? [`tile=${columns}x${rows}`] : []),
    `crop=${size.width}:${size.height}:0:0:exact=1`,
    `scale=in_color_matrix=${matrix}:in_range=${range}:flags=${flags}`,
  ]
}

/** What is done with RGB, so that no sample of coarser chroma is divided. */
const after = ({ crop }: HeifPicture, moves: Moves): string[] =>
  [crop && cropping(crop), turns[moves]].flatMap(filter => (filter ? ['format=rgb24|rgb48', filter] : []))

const cropping = ({ width, height, left, top }: Area) => `crop=${width}:${height}:${left}:${top}:exact=1`
