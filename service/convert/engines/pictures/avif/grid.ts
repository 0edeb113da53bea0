/**
 * Writes still AVIF pictures that consist of tiles: a `grid` item (HEIF, ISO/IEC 23008-12, 6.6.2.3; MIAF, ISO/IEC 23000-22,
 * 7.3.11.4).
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rm, writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { u8, u32 } from '../../common/iso-boxes-write.ts'
import { type Item, readItems, referring } from '../heif/items.ts'
import { alphaOf } from '../heif/picture.ts'
import { headOf, type NewItem } from './items-write.ts'

export interface Grid {
  /** Size of the whole picture in pixels; tiles that extend beyond it are cropped. */
  width: number
  height: number
  columns: number
  rows: number
}

/** Adds one tile, a complete AVIF file, by its number, row by row from 0. */
type Add = (index: number, tile: Uint8Array) => Promise<void>

/**
 * Writes a picture that consists of equal tiles, colour and alpha separately, without re-encoding them; profile, EXIF
 * and XMP are taken from the first tile. Tiles are first written to a file beside `path`, so that only those being
 * added are in memory.
 * @param fill adds every tile, in any order; several may be added at once
 */
export async function writeGrid(path: string, grid: Grid, fill: (add: Add) => Promise<void>): Promise<void> {
  const data = `${path}.data`
  const [colors, alphas]: [NewItem[], NewItem[]] = [[], []]
  const metadata: NewItem[] = []
  const pieces = await open(data, 'w')
  try {
    let end = 0
    const store = async (bytes: Uint8Array) => {
      const [offset, length] = [end, bytes.length]
      end += length
      await pieces.write(bytes, 0, length, offset)
      return { offset, length }
    }
    await fill(async (index, tile) => {
      const items = readItems(tile)
      const entry = async (item: Item): Promise<NewItem> => {
        const { type, mime, properties } = item
        return { type, mime, isHidden: true, properties, references: [], ...(await store(items.data(item))) }
      }
      const mask = alphaOf(items)
      colors[index] = await entry(items.primary)
      if (mask) alphas[index] = await entry(mask)
      if (index === 0) for (const item of referring(items, 'cdsc')) metadata.push(await entry(item))
    })
    const place = await store(description(grid))
    const color = whole(grid, colors, place)
    const alpha = alphas.length > 0 ? [whole(grid, alphas, place)] : []
    for (const item of alpha) item.references.push(['auxl', [color]])
    for (const item of metadata) item.references.push(['cdsc', [color]])
    await writeFile(
      path,
      headOf(
        { brand: 'avif', brands: [], entries: [color, ...colors, ...alpha, ...alphas, ...metadata] },
        end,
      ),
    )
    await pipeline(createReadStream(data), createWriteStream(path, { flags: 'a' }))
  } finally {
    await pieces.close()
    await rm(data, { force: true })
  }
}

/** The data of a grid item. */
const description = ({ width, height, columns, rows }: Grid) =>
  Buffer.concat([u8(0, 1, rows - 1, columns - 1), u32(width, height)])

/** The picture formed by the tiles: it has their properties, except for its size and coding. */
function whole(
  { width, height }: Grid,
  tiles: NewItem[],
  place: Pick<NewItem, 'offset' | 'length'>,
): NewItem {
  const shared = tiles[0]?.properties.filter(({ type }) => type !== 'ispe' && type !== 'av1C') ?? []
  const size = { type: 'ispe', body: u32(0, width, height) }
  const references: NewItem['references'] = [['dimg', tiles]]
  return { type: 'grid', mime: '', isHidden: false, properties: [size, ...shared], references, ...place }
}
