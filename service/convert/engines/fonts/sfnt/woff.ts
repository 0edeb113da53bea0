/** WOFF File Format 1.0: https://www.w3.org/TR/WOFF/ */
import { deflateSync, inflateSync } from 'node:zlib'
import { damagedFont, FontData } from './data.ts'
import { checkUnpacked, type Font, knownFlavor } from './font.ts'
import { layOut, padded } from './sfnt.ts'

const SIGNATURE = 0x774f_4646
const HEADER_BYTES = 44
const RECORD_BYTES = 20

/** @throws JobFailure corrupt_input, too_large */
export function readWoff(bytes: Uint8Array): Font {
  const data = new FontData(bytes)
  const flavor = knownFlavor(data.u32(4))
  const count = data.u16(12)
  const entries = Array.from({ length: count }, (_, index) => {
    const at = HEADER_BYTES + RECORD_BYTES * index
    const [start, packed, length] = [data.u32(at + 4), data.u32(at + 8), data.u32(at + 12)]
    return { tag: data.tag(at), start, packed, length }
  })
  if (count === 0) throw damagedFont()
  entries.sort((a, b) => a.start - b.start)
  checkUnpacked(entries.reduce((sum, entry) => sum + entry.length, 0))
  const tables = new Map<string, Uint8Array>()
  for (const { tag, start, packed, length } of entries) {
    const stored = data.slice(start, packed)
    tables.set(tag, packed === length ? stored : unpack(stored, length))
  }
  return { flavor, tables }
}

/** Unpacks to exactly that many bytes. @throws JobFailure corrupt_input */
function unpack(packed: Uint8Array, length: number): Buffer {
  try {
    const unpacked = inflateSync(packed, { maxOutputLength: Math.max(1, length) })
    if (unpacked.length === length) return unpacked
  } catch (cause) {
    throw damagedFont(cause)
  }
  throw damagedFont()
}

/** Tables are compressed if that makes them smaller. */
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
