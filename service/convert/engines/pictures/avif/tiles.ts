/** Encodes large pictures as tiled AVIF, since the encoder's memory grows with the picture. */

import { PIXEL_LIMIT } from '../../common/limits.ts'
import type { Size } from '../../common/rectangle.ts'
import { type Sharp, sharp } from '../sharp/load.ts'
import { type Grid, writeGrid } from './grid.ts'

/** Bytes that the encoder needs for each pixel, and the factor for pictures with transparency. */
const ENCODER_BYTES = { lossless: 42, lossy: 20, alpha: 1.6 }

/**
 * How much memory the encoder may use; pictures that would need more are split. A conversion then stays within 700 MB
 * whatever the picture's size. Others stay whole, since some programs, such as Firefox, cannot read grids.
 */
const WHOLE_BYTES = 570_000_000

/** Longest edge of a tile in pixels, and how many tiles are encoded at once. */
export interface Tiling {
  edge: number
  parallel: number
}

/**
 * Lossless tiles join invisibly, so they are small. At the borders of lossy tiles the error jumps slightly more than
 * between other pixels, so there are as few tiles as possible.
 */
const TILINGS: Record<'lossless' | 'lossy', Tiling> = {
  lossless: { edge: 1024, parallel: 2 },
  lossy: { edge: 4096, parallel: 1 },
}

/** How to split a picture; undefined if it is to be encoded whole. */
export function tilingOf({ width, height }: Size, alpha: boolean, lossless: boolean): Tiling | undefined {
  const kind = lossless ? 'lossless' : 'lossy'
  const held = width * height * ENCODER_BYTES[kind] * (alpha ? ENCODER_BYTES.alpha : 1)
  return held > WHOLE_BYTES ? TILINGS[kind] : undefined
}

/** Tiles have even edges, as half-resolution chroma requires. */
const tileEdge = (edge: number, count: number) => 2 * Math.ceil(edge / count / 2)

/**
 * Encodes the picture in a file as an AVIF grid.
 * @param source file that libvips can read in any order, such as its own `.v`
 * @param encoding how to encode one tile
 */
export async function writeTiles(
  source: string,
  { width, height }: Size,
  { edge, parallel }: Tiling,
  encoding: (tile: Sharp) => Sharp,
  path: string,
): Promise<void> {
  const [columns, rows] = [Math.ceil(width / edge), Math.ceil(height / edge)]
  const grid: Grid = { width, height, columns, rows }
  const tile = { width: tileEdge(width, columns), height: tileEdge(height, rows) }
  // A grid with half-resolution chroma must have an even size (MIAF, 7.3.11.4.2).
  const odd = width % 2 === 1 || height % 2 === 1
  const encode = (index: number) => {
    const left = (index % columns) * tile.width
    const top = Math.floor(index / columns) * tile.height
    const shown = { width: Math.min(tile.width, width - left), height: Math.min(tile.height, height - top) }
    const part = sharp(source, { limitInputPixels: PIXEL_LIMIT }).extract({ left, top, ...shown })
    // All tiles have the same size; the last ones repeat their edge beyond the picture's.
    const [right, bottom] = [tile.width - shown.width, tile.height - shown.height]
    const full = right || bottom ? part.extend({ right, bottom, extendWith: 'copy' }) : part
    const encoded = encoding(full)
    return (odd ? encoded.avif({ chromaSubsampling: '4:4:4' }) : encoded).toBuffer()
  }
  await writeGrid(path, grid, async add => {
    const waiting = Array(columns * rows).keys()
    const work = async () => {
      for (const index of waiting) await add(index, await encode(index))
    }
    await Promise.all(Array.from({ length: parallel }, work))
  })
}
