/** WOFF 2 (W3C Recommendation, 2022): an OpenType font in one Brotli stream, with rearranged outlines and widths. */
import { brotliDecompressSync } from 'node:zlib'
import { ByteReader } from '../../formats/byte-reader.ts'
import { FONT_LIMIT, type Font } from './sfnt.ts'

/** Names of tables by their number (5.1). */
const TAGS =
  'cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca prep CFF  VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG  sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
    .match(/.{4} ?/g)!
    .map(tag => tag.slice(0, 4))

interface Entry {
  tag: string
  transformed: boolean
  /** Bytes in the stream. */
  length: number
}

/** Reads the first font of a file. Throws on damaged data. */
export function readWoff2(file: Buffer): Font {
  let flavour = file.readUInt32BE(4)
  const count = file.readUInt16BE(12)
  const packed = file.readUInt32BE(20)
  const reader = new ByteReader(file, 48)
  const entries: Entry[] = []
  for (let i = 0; i < count; i++) entries.push(readEntry(reader))
  const chosen = flavour === 0x74746366 ? readCollection(reader) : undefined
  if (chosen) flavour = chosen.flavour
  const total = entries.reduce((sum, { length }) => sum + length, 0)
  if (total > FONT_LIMIT) throw new Error('the font is too large')
  const start = reader.position
  const stream = brotliDecompressSync(file.subarray(start, start + packed), { maxOutputLength: total })
  const raw = new Map<string, { data: Buffer; transformed: boolean }>()
  let offset = 0
  for (const [i, { tag, transformed, length }] of entries.entries()) {
    if (!chosen || chosen.indices.has(i))
      raw.set(tag, { data: stream.subarray(offset, offset + length), transformed })
    offset += length
  }
  return { flavour, tables: restore(raw) }
}

function readEntry(reader: ByteReader): Entry {
  const flags = reader.u8()
  const known = flags & 63
  const tag =
    known === 63
      ? Buffer.from([reader.u8(), reader.u8(), reader.u8(), reader.u8()]).toString('latin1')
      : TAGS[known]!
  const version = flags >> 6
  const original = base128(reader)
  // Version 3 means untransformed for these two; for others 0 does.
  const transformed = tag === 'glyf' || tag === 'loca' ? version !== 3 : version !== 0
  return { tag, transformed, length: transformed ? base128(reader) : original }
}

function readCollection(reader: ByteReader): { flavour: number; indices: Set<number> } {
  reader.u32()
  const fonts = short255(reader)
  if (fonts === 0) throw new Error('an empty collection')
  const tables = short255(reader)
  const flavour = reader.u32()
  const indices = new Set(Array.from({ length: tables }, () => short255(reader)))
  for (let font = 1; font < fonts; font++) {
    const others = short255(reader)
    reader.u32()
    for (let i = 0; i < others; i++) short255(reader)
  }
  return { flavour, indices }
}

/** UIntBase128 (4.1). */
function base128(reader: ByteReader): number {
  let value = 0
  for (let i = 0; i < 5; i++) {
    const byte = reader.u8()
    value = value * 128 + (byte & 127)
    if (byte < 128) return value
  }
  throw new Error('a number without an end')
}

/** 255UInt16 (4.2). */
function short255(reader: ByteReader): number {
  const code = reader.u8()
  if (code === 253) return reader.u16()
  if (code === 254) return reader.u8() + 506
  return code === 255 ? reader.u8() + 253 : code
}

function restore(raw: Map<string, { data: Buffer; transformed: boolean }>): Map<string, Buffer> {
  const tables = new Map<string, Buffer>()
  for (const [tag, { data, transformed }] of raw) if (!transformed) tables.set(tag, data)
  const glyf = raw.get('glyf')
  let minima: number[] = []
  if (glyf?.transformed) {
    const { outlines, offsets, longOffsets, left } = restoreOutlines(glyf.data)
    minima = left
    tables.set('glyf', outlines)
    tables.set('loca', writeOffsets(offsets, longOffsets))
    const head = Buffer.from(tables.get('head') ?? Buffer.alloc(54))
    head.writeInt16BE(longOffsets ? 1 : 0, 50)
    tables.set('head', head)
  }
  const hmtx = raw.get('hmtx')
  if (hmtx?.transformed) {
    const widths = tables.get('hhea')!.readUInt16BE(34)
    tables.set('hmtx', restoreWidths(hmtx.data, widths, minima))
  }
  return tables
}

const writeOffsets = (offsets: number[], long: boolean): Buffer => {
  const table = Buffer.alloc(offsets.length * (long ? 4 : 2))
  for (const [i, offset] of offsets.entries()) {
    if (long) table.writeUInt32BE(offset, i * 4)
    else table.writeUInt16BE(offset / 2, i * 2)
  }
  return table
}

/** Transformed hmtx (5.4): bearings that equal a glyph's left edge are omitted. */
function restoreWidths(data: Buffer, widths: number, minima: number[]): Buffer {
  const reader = new ByteReader(data)
  const flags = reader.u8()
  const advances = Array.from({ length: widths }, () => reader.u16())
  const proportional = advances.map((_, i) => (flags & 1 ? (minima[i] ?? 0) : reader.i16()))
  const others = minima.slice(widths).map(minimum => (flags & 2 ? minimum : reader.i16()))
  const table = Buffer.alloc(widths * 4 + others.length * 2)
  for (const [i, advance] of advances.entries()) {
    table.writeUInt16BE(advance, i * 4)
    table.writeInt16BE(proportional[i]!, i * 4 + 2)
  }
  for (const [i, bearing] of others.entries()) table.writeInt16BE(bearing, widths * 4 + i * 2)
  return table
}

interface Point {
  x: number
  y: number
  onCurve: boolean
}

/** Transformed glyf (5.1): seven streams that together represent glyf and loca. */
function restoreOutlines(data: Buffer) {
  const header = new ByteReader(data)
  header.u16()
  const options = header.u16()
  const glyphs = header.u16()
  const longOffsets = header.u16() === 1
  const sizes = Array.from({ length: 7 }, () => header.u32())
  let start = header.position
  const [contours, pointCounts, flags, coordinates, composites, boxes, instructions] = sizes.map(size => {
    const stream = new ByteReader(data, start, start + size)
    start += size
    return stream
  }) as [ByteReader, ByteReader, ByteReader, ByteReader, ByteReader, ByteReader, ByteReader]
  const overlaps = options & 1 ? data.subarray(start, start + ((glyphs + 7) >> 3)) : undefined
  const bit = (bytes: Uint8Array, index: number) => ((bytes[index >> 3] ?? 0) >> (7 - (index & 7))) & 1
  const boxed = take(boxes, ((glyphs + 31) >> 5) * 4)

  const parts: Buffer[] = []
  const offsets = [0]
  const left: number[] = []
  let size = 0
  for (let glyph = 0; glyph < glyphs; glyph++) {
    const count = contours.i16()
    const box = bit(boxed, glyph) ? Array.from({ length: 4 }, () => boxes.i16()) : undefined
    let outline: Buffer = Buffer.alloc(0)
    if (count < 0) outline = compositeGlyph(composites, box ?? [0, 0, 0, 0], instructions, coordinates)
    else if (count > 0) {
      const overlapping = overlaps !== undefined && bit(overlaps, glyph) === 1
      outline = simpleGlyph(count, box, { pointCounts, flags, coordinates, instructions }, overlapping)
    }
    left.push(outline.length > 0 ? outline.readInt16BE(2) : 0)
    const padded = Buffer.alloc((outline.length + 3) & ~3)
    outline.copy(padded)
    parts.push(padded)
    size += padded.length
    offsets.push(size)
  }
  return { outlines: Buffer.concat(parts), offsets, longOffsets: longOffsets || size > 131_070, left }
}

const take = (reader: ByteReader, count: number): Buffer => {
  const start = reader.skip(count)
  return Buffer.from(reader.bytes.buffer, reader.bytes.byteOffset + start, count)
}

function compositeGlyph(
  composites: ByteReader,
  box: number[],
  instructions: ByteReader,
  coordinates: ByteReader,
): Buffer {
  const start = composites.position
  let more = true
  let instructed = false
  while (more) {
    const flag = composites.u16()
    composites.u16()
    const scale = flag & 0x08 ? 2 : flag & 0x40 ? 4 : flag & 0x80 ? 8 : 0
    composites.skip((flag & 1 ? 4 : 2) + scale)
    instructed ||= (flag & 0x100) !== 0
    more = (flag & 0x20) !== 0
  }
  const body = Buffer.from(composites.bytes.slice(start, composites.position))
  const header = Buffer.alloc(10)
  for (const [i, value] of [-1, ...box].entries()) header.writeInt16BE(value, i * 2)
  if (!instructed) return Buffer.concat([header, body])
  const length = short255(coordinates)
  const code = take(instructions, length)
  const size = Buffer.alloc(2)
  size.writeUInt16BE(length)
  return Buffer.concat([header, body, size, code])
}

interface Streams {
  pointCounts: ByteReader
  flags: ByteReader
  coordinates: ByteReader
  instructions: ByteReader
}

function simpleGlyph(
  count: number,
  box: number[] | undefined,
  streams: Streams,
  overlapping: boolean,
): Buffer {
  const ends: number[] = []
  let total = 0
  for (let i = 0; i < count; i++) {
    total += short255(streams.pointCounts)
    ends.push(total - 1)
  }
  const points: Point[] = []
  let [x, y] = [0, 0]
  for (let i = 0; i < total; i++) {
    const flag = streams.flags.u8()
    const [dx, dy] = triplet(flag & 127, streams.coordinates)
    x += dx
    y += dy
    points.push({ x, y, onCurve: flag < 128 })
  }
  const code = take(streams.instructions, short255(streams.coordinates))
  const bounds = box ?? [
    Math.min(...points.map(point => point.x)),
    Math.min(...points.map(point => point.y)),
    Math.max(...points.map(point => point.x)),
    Math.max(...points.map(point => point.y)),
  ]
  const bytes = Buffer.alloc(10 + count * 2 + 2 + code.length + total * 5)
  let at = 0
  const i16 = (value: number) => {
    at = bytes.writeInt16BE(value, at)
  }
  for (const value of [count, ...bounds]) i16(Number.isFinite(value) ? value : 0)
  for (const end of ends) at = bytes.writeUInt16BE(Math.max(0, end), at)
  at = bytes.writeUInt16BE(code.length, at)
  at += code.copy(bytes, at)
  // Every coordinate as a word: larger than necessary, but correct.
  for (const [i, point] of points.entries())
    bytes[at++] = (point.onCurve ? 1 : 0) | (overlapping && i === 0 ? 0x40 : 0)
  let before = 0
  for (const point of points) {
    i16(point.x - before)
    before = point.x
  }
  before = 0
  for (const point of points) {
    i16(point.y - before)
    before = point.y
  }
  return bytes.subarray(0, at)
}

/** The difference to the next point, packed into one to four bytes (5.2, table of triplets). */
function triplet(code: number, reader: ByteReader): [number, number] {
  const sign = (flag: number, value: number) => (flag & 1 ? value : -value)
  if (code < 10) return [0, sign(code, ((code & 14) << 7) + reader.u8())]
  if (code < 20) return [sign(code, (((code - 10) & 14) << 7) + reader.u8()), 0]
  if (code < 84) {
    const base = code - 20
    const byte = reader.u8()
    return [
      sign(code, 1 + (base & 0x30) + (byte >> 4)),
      sign(code >> 1, 1 + ((base & 0x0c) << 2) + (byte & 15)),
    ]
  }
  if (code < 120) {
    const base = code - 84
    return [
      sign(code, 1 + (Math.floor(base / 12) << 8) + reader.u8()),
      sign(code >> 1, 1 + (((base % 12) >> 2) << 8) + reader.u8()),
    ]
  }
  if (code < 124) {
    const [first, middle, last] = [reader.u8(), reader.u8(), reader.u8()]
    return [sign(code, (first << 4) + (middle >> 4)), sign(code >> 1, ((middle & 15) << 8) + last)]
  }
  return [sign(code, reader.u16()), sign(code >> 1, reader.u16())]
}
