/** Encodes large pictures as AVIF in tiles: the encoder's memory grows with what it is given at once. */
import { PIXEL_LIMIT, type Sharp, sharp } from '../sharp/load.ts'
import { type Grid, writeGrid } from './grid.ts'

/**
 * When and how a picture is cut, in pixels, so that a conversion stays within 700 MB whatever the picture's size: the
 * encoder holds about 20 bytes for each pixel, 42 when lossless. Lossless tiles join without a trace and are small,
 * two encoded at once. Where lossy ones meet, the error jumps a little more than between other pixels, so that there
 * are as few of them as can be, and only in pictures that are looked at reduced.
 */
const TILING = {
  lossless: { above: 8_000_000, edge: 1024, parallel: 2 },
  lossy: { above: 28_000_000, edge: 4096, parallel: 1 },
}

export type Tiling = (typeof TILING)[keyof typeof TILING]

interface Size {
  width: number
  height: number
}

/** How to cut a picture; undefined when it is to be encoded whole. */
export function tilingOf({ width, height }: Size, lossless: boolean): Tiling | undefined {
  const tiling = TILING[lossless ? 'lossless' : 'lossy']
  return width * height > tiling.above ? tiling : undefined
}

/** Tiles' edges are even, as colour at half resolution wants them. */
const tileEdge = (edge: number, count: number) => 2 * Math.ceil(edge / count / 2)

/**
 * Encodes the picture in a file as an AVIF grid.
 * @param source file that libvips reads in any order, as its own `.v` is
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
  // A grid with colour at half resolution has to have an even size (MIAF, 7.3.11.4.2).
  const odd = width % 2 === 1 || height % 2 === 1
  const encode = (index: number) => {
    const left = (index % columns) * tile.width
    const top = Math.floor(index / columns) * tile.height
    const shown = { width: Math.min(tile.width, width - left), height: Math.min(tile.height, height - top) }
    const part = sharp(source, { limitInputPixels: PIXEL_LIMIT }).extract({ left, top, ...shown })
    // All tiles have one size; the last ones repeat their edge beyond the picture's.
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
