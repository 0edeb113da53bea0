/** WOFF File Format 1.0: https://www.w3.org/TR/WOFF/ */
import { deflateSync, inflateSync } from 'node:zlib'
import { damagedFont, FontData } from './data.ts'
import { checkUnpacked, type Font, knownFlavor } from './font.ts'
import { layOut, padded, sfntHeaderBytes } from './sfnt.ts'
import { exactly, readBlocks } from './web-blocks.ts'

const unpack = exactly(inflateSync)

const SIGNATURE = 0x774f_4646
const HEADER_BYTES = 44
const RECORD_BYTES = 20

/**
 * Reads a font of which nothing is missing, superfluous or misplaced, as the specification requires.
 * @throws JobFailure corrupt_input, too_large
 */
export function readWoff(bytes: Uint8Array): Font {
  const data = new FontData(bytes)
  const flavor = knownFlavor(data.u32(4))
  const count = data.u16(12)
  const entries = Array.from({ length: count }, (_, index) => {
    const at = HEADER_BYTES + RECORD_BYTES * index
    const [start, packed, length] = [data.u32(at + 4), data.u32(at + 8), data.u32(at + 12)]
    return { tag: data.tag(at), start, packed, length }
  })
  entries.sort((a, b) => a.start - b.start)
  checkUnpacked(entries.reduce((sum, entry) => sum + entry.length, 0))
  const reserved = data.u16(14)
  const unpackedSize = entries.reduce((sum, { length }) => sum + padded(length), sfntHeaderBytes(count))
  if (count === 0 || reserved !== 0 || data.u32(16) !== unpackedSize) throw damagedFont()
  const tables = new Map<string, Uint8Array>()
  let end = HEADER_BYTES + RECORD_BYTES * count
  for (const { tag, start, packed, length } of entries) {
    if (tables.has(tag) || packed > length || start !== padded(end)) throw damagedFont()
    const stored = data.slice(start, packed)
    tables.set(tag, packed === length ? stored : unpack(stored, length))
    end = start + packed
  }
  return { flavor, tables, ...readBlocks(data, { fields: 24, end, unpack }) }
}

/** Writes a font with its metadata and private data. Tables are compressed if that makes them smaller. */
export function writeWoff(font: Font): Buffer {
  const { tables, size } = layOut(font)
  const header = Buffer.alloc(HEADER_BYTES + RECORD_BYTES * tables.length)
  const parts: { bytes: Uint8Array; offset: number }[] = []
  let end = header.length
  const add = (bytes: Uint8Array): number => {
    const offset = end
    parts.push({ bytes, offset })
    end = padded(offset + bytes.length)
    return offset
  }
  const records = new Map(tables.map((table, index) => [table, HEADER_BYTES + RECORD_BYTES * index]))
  // Tables are stored in the order of the font, so that unpacking restores the same file.
  for (const table of tables.toSorted((a, b) => a.offset - b.offset)) {
    const { tag, bytes, checksum } = table
    const packed = deflateSync(bytes, { level: 9 })
    const stored = packed.length < bytes.length ? packed : bytes
    const at = records.get(table)!
    header.write(tag, at, 'latin1')
    header.writeUInt32BE(add(stored), at + 4)
    header.writeUInt32BE(stored.length, at + 8)
    header.writeUInt32BE(bytes.length, at + 12)
    header.writeUInt32BE(checksum, at + 16)
  }
  if (font.metadata) {
    const packed = deflateSync(font.metadata, { level: 9 })
    header.writeUInt32BE(add(packed), 24)
    header.writeUInt32BE(packed.length, 28)
    header.writeUInt32BE(font.metadata.length, 32)
  }
  if (font.privateData) {
    header.writeUInt32BE(add(font.privateData), 36)
    header.writeUInt32BE(font.privateData.length, 40)
    // The format allows no padding after the private data.
    end = header.readUInt32BE(36) + font.privateData.length
  } else if (font.metadata) end = header.readUInt32BE(24) + header.readUInt32BE(28)
  header.writeUInt32BE(SIGNATURE, 0)
  header.writeUInt32BE(font.flavor, 4)
  header.writeUInt32BE(end, 8)
  header.writeUInt16BE(tables.length, 12)
  header.writeUInt32BE(size, 16)
  header.writeUInt16BE(1, 20)
  const file = Buffer.alloc(end)
  file.set(header)
  for (const { bytes, offset } of parts) file.set(bytes, offset)
  return file
}
