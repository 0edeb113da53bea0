import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { ByteReader } from '../../common/byte-reader.ts'
import { checkPixels, tooManyPixels } from '../../common/limits.ts'
import type { Size } from '../../common/rectangle.ts'
import type { CodePoints, Mastering } from '../formats/code-points.ts'
import { exifOrientation } from '../metadata/exif.ts'
import type { Area } from '../moves.ts'
import { corrupt, type Item, type Items, readItems, referring } from './items.ts'
import {
  auxiliaryType,
  colourOf,
  cropOf,
  masteringOf,
  orientationOf,
  sizeOf,
  type Transform,
  transformsOf,
} from './properties.ts'

/** The primary picture of a HEIF file: what to decode, and what to do with it afterwards. */
export interface HeifPicture {
  /** Coded size, before cropping and rotation. */
  size: Size
  /** Item types of the coded pictures: `hvc1`, `av01`, `jpeg`, … */
  coding: string
  /** Coded pictures from left to right and top to bottom; a single one unless the picture is a grid. */
  tiles: Item[]
  tile: Size
  columns: number
  rows: number
  /** Visible part, before rotation. */
  crop: Area | undefined
  /** EXIF orientation that makes it upright. */
  orientation: number
  /** Whether only the EXIF block says so, which decoders of HEIF do not apply. */
  orientedByExif: boolean
  hasAlpha: boolean
  /** True if the structure is a plain picture or grid, whose transformations are completely described above. */
  plain: boolean
  icc: Uint8Array | undefined
  codePoints: CodePoints | undefined
  mastering: Mastering
  /** A TIFF stream. */
  exif: Uint8Array | undefined
  xmp: Uint8Array | undefined
}

const EDGE_LIMIT = 65_535
const TILE_LIMIT = 8192
/** Largest metadata block that is kept, in bytes. */
const METADATA_LIMIT = 16_000_000

/**
 * Describes the primary picture of a file.
 * @throws JobFailure corrupt_input, too_large
 */
export function describe(items: Items): HeifPicture {
  const { primary } = items
  const grid = primary.type === 'grid' ? readGrid(items) : undefined
  const size = grid?.size ?? sizeOf(primary)
  checkSize(size)
  const tiles = grid?.tiles ?? [primary]
  const first = tiles[0]!
  // All coded data must be there; decoders would fill gaps with grey and report success.
  for (const item of tiles) items.data(item)
  const tile = grid ? sizeOf(first) : size
  checkSize(tile)
  const [columns, rows] = grid ? [grid.columns, grid.rows] : [1, 1]
  if (columns * tile.width < size.width || rows * tile.height < size.height) throw corrupt()
  checkSize({ width: columns * tile.width, height: rows * tile.height })

  const transforms = transformsOf(primary)
  const crops = transforms.filter(each => 'fractions' in each)
  const sameTiles = tiles.every(
    item => item.type === first.type && sameSize(sizeOf(item), tile) && (!grid || !transformsOf(item).length),
  )
  const [own, inner] = [colourOf(primary), colourOf(first)]
  const metadata = metadataOf(items)
  const byExif = orientationByExif(items, transforms, metadata.exif)
  return {
    size,
    coding: first.type,
    tiles,
    tile,
    columns,
    rows,
    crop: crops[0] && cropOf(crops[0].fractions, size),
    orientation: byExif ?? orientationOf(transforms),
    orientedByExif: byExif !== undefined,
    hasAlpha: alphaOf(items) !== undefined,
    plain: sameTiles && crops.every(each => each === transforms[0]),
    icc: own.icc ?? inner.icc,
    codePoints: own.codePoints ?? inner.codePoints,
    mastering: { ...masteringOf(first), ...masteringOf(primary) },
    ...metadata,
  }
}

/**
 * The orientation in the EXIF block, where it counts. Files of the brand `miaf` (ISO/IEC 23000-22) state it as properties alone, but
 * apps for the iPhone write others without such properties, which macOS shows as EXIF says.
 */
function orientationByExif(
  { brands }: Items,
  transforms: readonly Transform[],
  exif: Uint8Array | undefined,
): number | undefined {
  const isStated = brands.includes('miaf') || transforms.some(each => 'moves' in each)
  return exif && !isStated ? exifOrientation(exif) : undefined
}

const sameSize = (a: Size, b: Size) => a.width === b.width && a.height === b.height

function checkSize({ width, height }: Size): void {
  if (width < 1 || height < 1) throw corrupt()
  if (Math.max(width, height) > EDGE_LIMIT) throw tooManyPixels()
  checkPixels(width, height)
}

/** A picture that consists of equal tiles (ISO/IEC 23008-12, 6.6.2.3). */
function readGrid({ primary, all, data }: Items) {
  const reader = new ByteReader(data(primary))
  reader.u8() // version
  const wide = (reader.u8() & 1) === 1
  const rows = reader.u8() + 1
  const columns = reader.u8() + 1
  const edge = () => (wide ? reader.u32() : reader.u16())
  const size = { width: edge(), height: edge() }
  const ids = primary.references.get('dimg') ?? []
  if (rows * columns > TILE_LIMIT) throw new JobFailure('jobs.too_large', message('heic.too_many_tiles'))
  if (ids.length !== rows * columns) throw corrupt()
  const tiles = ids.map(id => {
    const item = all.get(id)
    if (!item) throw corrupt()
    return item
  })
  return { rows, columns, size, tiles }
}

const ALPHA = /^urn:mpeg:(hevc:2015:auxid:1|mpegB:cicp:systems:auxiliary:alpha)$/

/** The picture with the primary one's transparency. */
export const alphaOf = (items: Items): Item | undefined =>
  referring(items, 'auxl').find(item => ALPHA.test(auxiliaryType(item)))

/** Metadata of the primary picture. Damage here does not keep the picture from being read. */
function metadataOf(items: Items): Pick<HeifPicture, 'exif' | 'xmp'> {
  let exif: Uint8Array | undefined
  let xmp: Uint8Array | undefined
  for (const item of referring(items, 'cdsc')) {
    try {
      if (item.type === 'Exif') exif ??= tiffOf(items.data(item))
      if (item.type === 'mime' && item.mime === 'application/rdf+xml') xmp ??= bounded(items.data(item))
    } catch {}
  }
  return { exif, xmp }
}

/** The block begins with the distance of the TIFF header from the end of this field. */
function tiffOf(block: Uint8Array): Uint8Array {
  const reader = new ByteReader(block)
  reader.skip(reader.u32())
  return bounded(reader.take(reader.remaining))
}

function bounded(bytes: Uint8Array): Uint8Array {
  if (bytes.length > METADATA_LIMIT) throw corrupt()
  return bytes
}

/**
 * Whether all coded data of the primary picture are in a HEIF file, including its tiles and transparency. libheif
 * leaves missing parts black and reports success. A structure that cannot be read is left to the decoder and counts as
 * complete.
 */
export function isComplete(file: Uint8Array): boolean {
  try {
    const items = readItems(file)
    const needed = new Set<Item | undefined>([items.primary, alphaOf(items)])
    // A Set also iterates over elements that are added during the iteration.
    for (const item of needed)
      for (const id of item?.references.get('dimg') ?? []) needed.add(items.all.get(id))
    return needed.values().every(item => item === undefined || isReadable(() => items.data(item)))
  } catch {
    return true
  }
}

function isReadable(read: () => Uint8Array): boolean {
  try {
    read()
    return true
  } catch {
    return false
  }
}
