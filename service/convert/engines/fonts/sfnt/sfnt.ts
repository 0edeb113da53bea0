/** The sfnt container, of one font or a collection: OpenType 1.9.1, "OpenType font file". */
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { damagedFont, FontData } from './data.ts'
import { checkUnpacked, type Font, knownFlavor } from './font.ts'

/** Maximum number of faces in a collection. */
const FACE_LIMIT = 256

const HEADER_BYTES = 12
const RECORD_BYTES = 16

/** Size of the directory of a font with this many tables. */
const sfntHeaderBytes = (tables: number): number => HEADER_BYTES + RECORD_BYTES * tables

/** The sum of a font's checksum and `checksumAdjustment` in its `head`. */
const CHECKSUM_TOTAL = 0xb1b0_afba

/**
 * Reads one face. Of several tables with the same tag, the first one counts, as in renderers.
 * @param isCut accepts tables that extend beyond the end of the file, as in some PDFs
 * @throws JobFailure corrupt_input
 */
export function readSfnt(bytes: Uint8Array, offset = 0, isCut = false): Font {
  const data = new FontData(bytes)
  const flavor = knownFlavor(data.u32(offset))
  const count = data.u16(offset + 4)
  const entries = new Map<string, { start: number; length: number }>()
  for (let index = 0; index < count; index++) {
    const at = offset + HEADER_BYTES + RECORD_BYTES * index
    const tag = data.tag(at)
    if (!entries.has(tag)) entries.set(tag, { start: data.u32(at + 8), length: data.u32(at + 12) })
  }
  const sorted = [...entries].sort(([, a], [, b]) => a.start - b.start)
  const tables = new Map(
    sorted.map(([tag, { start, length }]) => [
      tag,
      isCut ? bytes.subarray(start, start + length) : data.slice(start, length),
    ]),
  )
  // Overlapping tables can make a small file a huge font.
  checkUnpacked(sorted.reduce((sum, [, { length }]) => sum + length, 0))
  return { flavor, tables }
}

/** The faces of a collection, in its order. @throws JobFailure corrupt_input, too_large */
export function readCollection(bytes: Uint8Array): Font[] {
  const data = new FontData(bytes)
  const count = data.u32(8)
  if (count === 0) throw damagedFont()
  if (count > FACE_LIMIT)
    throw new JobFailure('jobs.too_large', message('font.too_many_faces', { count, limit: FACE_LIMIT }))
  return Array.from({ length: count }, (_, index) => readSfnt(bytes, data.u32(12 + 4 * index)))
}

/** A table to write. */
export interface WrittenTable {
  tag: string
  bytes: Uint8Array
  checksum: number
  /** Its offset in the sfnt file. */
  offset: number
}

/** A length rounded up to a multiple of four. */
export const padded = (length: number): number => (length + 3) & ~3

/**
 * Computes the offsets and checksums of an sfnt file with these tables, in their order.
 * @returns the tables sorted by tag, and the size of the file
 */
export function layOut(font: Font): { tables: WrittenTable[]; size: number } {
  const count = font.tables.size
  if (count === 0 || count > 4095) throw damagedFont()
  let offset = sfntHeaderBytes(count)
  const tables = [...font.tables].map(([tag, source]): WrittenTable => {
    const bytes = tag === 'head' ? withoutAdjustment(source) : source
    const table = { tag, bytes, checksum: checksumOf(bytes), offset }
    offset += padded(bytes.length)
    return table
  })
  tables.sort((a, b) => (a.tag < b.tag ? -1 : 1))
  const head = tables.find(table => table.tag === 'head')
  if (head) {
    const sum = tables.reduce((total, table) => total + table.checksum, checksumOf(directory(font, tables)))
    new DataView(head.bytes.buffer, head.bytes.byteOffset).setUint32(8, CHECKSUM_TOTAL - sum)
  }
  return { tables, size: offset }
}

export function writeSfnt(font: Font): Buffer {
  const { tables, size } = layOut(font)
  checkUnpacked(size)
  const file = Buffer.alloc(size)
  file.set(directory(font, tables))
  for (const { bytes, offset } of tables) file.set(bytes, offset)
  return file
}

function withoutAdjustment(head: Uint8Array): Uint8Array {
  if (head.length < 54) throw damagedFont()
  const copy = Uint8Array.from(head)
  copy.fill(0, 8, 12)
  return copy
}

function directory(font: Font, tables: readonly WrittenTable[]): Buffer {
  const count = tables.length
  const selector = Math.floor(Math.log2(count))
  const range = RECORD_BYTES * 2 ** selector
  const bytes = Buffer.alloc(sfntHeaderBytes(count))
  bytes.writeUInt32BE(font.flavor, 0)
  bytes.writeUInt16BE(count, 4)
  bytes.writeUInt16BE(range & 0xffff, 6)
  bytes.writeUInt16BE(selector, 8)
  bytes.writeUInt16BE((RECORD_BYTES * count - range) & 0xffff, 10)
  for (const [index, table] of tables.entries()) {
    const at = HEADER_BYTES + RECORD_BYTES * index
    bytes.write(table.tag, at, 'latin1')
    bytes.writeUInt32BE(table.checksum, at + 4)
    bytes.writeUInt32BE(table.offset, at + 8)
    bytes.writeUInt32BE(table.bytes.length, at + 12)
  }
  return bytes
}

/** The sum of all 32-bit words modulo 2^32; the last one is padded with zeros. */
function checksumOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const whole = bytes.length & ~3
  let sum = 0
  for (let at = 0; at < whole; at += 4) sum = (sum + view.getUint32(at)) | 0
  for (let at = whole; at < bytes.length; at++) sum = (sum + (bytes[at]! << (24 - 8 * (at & 3)))) | 0
  return sum >>> 0
}
