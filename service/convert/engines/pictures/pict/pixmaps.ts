import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { ByteReader } from '../../common/byte-reader.ts'
import { megapixels, PIXEL_LIMIT } from '../../common/limits.ts'
import { unpackBits } from '../formats/packbits.ts'
import { type Palette, type Rgb, readPalette } from './colors.ts'
import { heightOf, isEmpty, type Rect, readRect, widthOf } from './geometry.ts'
import { type Region, readRegion } from './regions.ts'

/** A bitmap or pixel map as stored in the file, with its rows still packed. */
export interface PixelMap {
  bounds: Rect
  rowBytes: number
  /** Bits a pixel: 1, 2, 4, 8 indexed, 16 and 32 direct. */
  depth: number
  /** 0 default, 1 unpacked, 2 pad bytes dropped, 3 runs of pixels, 4 runs of components. */
  packType: number
  /** Components of a direct pixel: 3, or 4 with an unused first one. */
  components: number
  /** Colours of an indexed map; absent for bitmaps, which use the port's two colours. */
  palette: Palette | undefined
  direct: boolean
  /** Whether rows are packed at all, according to the opcode. */
  packed: boolean
  rows: ByteReader
}

/** Where a part of an image is drawn in the picture, and how. */
export interface Placement {
  source: Rect
  destination: Rect
  /** Transfer mode without its dithering flag. */
  mode: number
  mask: Region | undefined
}

/** A copy of part of a pixel map onto the picture. */
export interface BitsCopy extends Placement {
  map: PixelMap
}

const DITHER = 64

/** A transfer mode without its dithering flag. */
export const readMode = (reader: ByteReader): number => reader.u16() & ~DITHER

/** Reads the rest of BitsRect (0x90) to DirectBitsRgn (0x9B), skipping the pixels without unpacking them. */
export function readBits(reader: ByteReader, opcode: number): BitsCopy {
  const direct = opcode >= 0x9a
  if (direct) reader.skip(4)
  const header = readMapHeader(reader, direct)
  const palette = header.pixels && !direct ? readPalette(reader) : undefined
  const source = readRect(reader)
  const destination = readRect(reader)
  const mode = readMode(reader)
  const mask = opcode & 1 ? readRegion(reader) : undefined
  const whole = header.bounds
  const map = finishMap(reader, { ...header, palette, packed: opcode >= 0x98 }, { partial: true })
  if (map.bounds === whole) return { map, source, destination, mode, mask }
  // The file is truncated here, and only the available rows are drawn.
  const bottom = Math.min(source.bottom, map.bounds.bottom)
  if (bottom <= source.top) throw new JobFailure('jobs.corrupt_input', message('picture.ends_early'))
  const scale = heightOf(destination) / heightOf(source)
  const shown = { ...destination, bottom: destination.top + Math.round((bottom - source.top) * scale) }
  return { map, source: { ...source, bottom }, destination: shown, mode, mask }
}

type MapHeader = ReturnType<typeof readMapHeader>

/** Reads a PixMap record after its base address, or a BitMap if the row length lacks the flag. */
export function readMapHeader(reader: ByteReader, direct = false) {
  const flagged = reader.u16()
  const pixels = direct || (flagged & 0x8000) !== 0
  const rowBytes = flagged & 0x3fff
  const bounds = readRect(reader)
  if (!pixels) return { pixels, rowBytes, bounds, depth: 1, packType: 0, components: 1, direct: false }
  reader.skip(2) // version
  const packType = reader.u16()
  reader.skip(14) // packed size, resolutions, pixel type
  const depth = reader.u16()
  const components = reader.u16()
  reader.skip(14) // component size, plane offset, colour table, reserved
  if (![1, 2, 4, 8, 16, 32].includes(depth)) {
    throw new JobFailure('jobs.corrupt_input', message('pict.image_of_unknown_depth'))
  }
  return { pixels, rowBytes, bounds, depth, packType, components, direct: depth > 8 }
}

/**
 * Checks the size of a map and reads its rows.
 * @param partial accepts a map with fewer rows if the file ends before the last one
 */
export function finishMap(
  reader: ByteReader,
  header: MapHeader & Pick<PixelMap, 'palette' | 'packed'>,
  { partial = false } = {},
): PixelMap {
  const { bounds, rowBytes, depth } = header
  if (isEmpty(bounds)) throw new JobFailure('jobs.corrupt_input', message('pict.image_without_size'))
  if (widthOf(bounds) * heightOf(bounds) > PIXEL_LIMIT) {
    throw new JobFailure(
      'jobs.too_large',
      message('pict.too_large_image', { megapixels: megapixels(PIXEL_LIMIT) }),
    )
  }
  if (rowBytes * 8 < widthOf(bounds) * depth && !(header.direct && header.packType === 2)) {
    throw new JobFailure('jobs.corrupt_input', message('pict.image_with_short_rows'))
  }
  const start = reader.position
  for (let y = bounds.top; y < bounds.bottom; y++) {
    const row = reader.position
    try {
      skipRow(reader, header)
    } catch (error) {
      if (!partial || y === bounds.top) throw error
      reader.seek(reader.end)
      const shorter = { ...header, bounds: { ...bounds, bottom: y } }
      return { ...shorter, rows: new ByteReader(reader.bytes, start, row) }
    }
  }
  return { ...header, rows: new ByteReader(reader.bytes, start, reader.position) }
}

type RowShape = Pick<PixelMap, 'rowBytes' | 'bounds' | 'packType' | 'depth' | 'direct' | 'packed'>

/** Bytes of an unpacked row, or undefined if rows are packed. */
function plainRow({ rowBytes, bounds, packType, depth, direct, packed }: RowShape): number | undefined {
  if (direct && depth === 32 && packType === 2) return widthOf(bounds) * 3
  return !packed || rowBytes < 8 || (direct && packType === 1) ? rowBytes : undefined
}

function skipRow(reader: ByteReader, shape: RowShape): void {
  const plain = plainRow(shape)
  reader.skip(plain ?? (shape.rowBytes > 250 ? reader.u16() : reader.u8()))
}

/** Unpacks a map to RGBA. Bitmaps become `ink` where set and `paper` elsewhere; alpha 0 leaves pixels out. */
export function decodeMap(map: PixelMap, ink: Rgba, paper: Rgba): Uint8ClampedArray {
  const width = widthOf(map.bounds)
  const height = heightOf(map.bounds)
  const out = new Uint8ClampedArray(width * height * 4)
  const expand = rowExpander(map, width, ink, paper)
  const rows = new ByteReader(map.rows.bytes, map.rows.position, map.rows.end)
  const plain = plainRow(map)
  const unit = map.direct && map.depth === 16 ? 2 : 1
  const size = map.direct && map.depth === 32 ? Math.max(map.rowBytes, width * 4) : map.rowBytes
  const row = new Uint8Array(size)
  for (let y = 0; y < height; y++) {
    if (plain !== undefined) {
      expand(rows.take(plain), plain, out, y * width * 4)
      continue
    }
    const length = map.rowBytes > 250 ? rows.u16() : rows.u8()
    const start = rows.skip(length)
    const written = unpackBits(rows.bytes, start, start + length, row, unit)
    if (written < size) row.fill(0, written)
    expand(row, written, out, y * width * 4)
  }
  return out
}

export type Rgba = readonly [number, number, number, number]

/** Expands the `written` bytes of an unpacked row to RGBA at `to`. */
type ExpandRow = (row: Uint8Array, written: number, out: Uint8ClampedArray, to: number) => void

function rowExpander(map: PixelMap, width: number, ink: Rgba, paper: Rgba): ExpandRow {
  const { depth, direct, packType } = map
  if (direct && depth === 16) return (row, _, out, to) => expand555(row, width, out, to)
  if (direct) {
    if (plainRow(map) !== undefined) {
      const size = packType === 2 ? 3 : 4
      return (row, _, out, to) => expandDirect(row, width, { first: size - 3, part: 1, pixel: size }, out, to)
    }
    const planes = map.components === 4 ? 4 : 3
    return (row, written, out, to) => {
      // Each component takes as many bytes as a row, which some writers pad.
      const part = written % planes === 0 && written / planes >= width ? written / planes : width
      expandDirect(row, width, { first: (planes - 3) * part, part, pixel: 1 }, out, to)
    }
  }
  const colors = map.palette ? map.palette.map(opaque) : [paper, ink]
  return (row, _, out, to) => expandIndexed(row, width, depth, colors, out, to)
}

export const opaque = (color: Rgb): Rgba => [...color, 255]

/** Expands indexed pixels of 1, 2, 4 or 8 bits. */
function expandIndexed(
  row: Uint8Array,
  width: number,
  depth: number,
  colors: readonly Rgba[],
  out: Uint8ClampedArray,
  to: number,
): void {
  const mask = (1 << depth) - 1
  let place = to
  for (let x = 0, bit = 0; x < width; x++, bit += depth, place += 4) {
    const color = colors[(row[bit >> 3]! >> (8 - depth - (bit & 7))) & mask]
    if (color) {
      out[place] = color[0]
      out[place + 1] = color[1]
      out[place + 2] = color[2]
      out[place + 3] = color[3]
    } else out[place + 3] = 255
  }
}

/** Expands 16-bit pixels of five bits a colour. */
function expand555(row: Uint8Array, width: number, out: Uint8ClampedArray, to: number): void {
  for (let x = 0, place = to; x < width; x++, place += 4) {
    const value = (row[x * 2]! << 8) | row[x * 2 + 1]!
    for (let part = 0; part < 3; part++) {
      const five = (value >> (10 - part * 5)) & 31
      out[place + part] = (five << 3) | (five >> 2)
    }
    out[place + 3] = 255
  }
}

/** Where the red of the first pixel is in a row, and how far from a component to the next, and from a pixel to the next. */
interface Steps {
  first: number
  part: number
  pixel: number
}

/** Expands direct pixels of three bytes, one after the other or each component by itself. */
function expandDirect(
  row: Uint8Array,
  width: number,
  { first, part, pixel }: Steps,
  out: Uint8ClampedArray,
  to: number,
): void {
  for (let x = 0, place = to, from = first; x < width; x++, place += 4, from += pixel) {
    out[place] = row[from]!
    out[place + 1] = row[from + part]!
    out[place + 2] = row[from + 2 * part]!
    out[place + 3] = 255
  }
}
