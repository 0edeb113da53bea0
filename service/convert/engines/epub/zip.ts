/** Writes the ZIP of a book (PKWARE's APPNOTE.TXT, https://www.w3.org/TR/epub-33/#sec-zip-container-zipreqs). */
import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'

export interface ZipFile {
  name: string
  content: Uint8Array | PackedContent
  /** For content that is already compressed, such as a JPEG. */
  stored?: boolean
}

/** A file in its packed form from another archive, copied unchanged. */
export interface PackedContent {
  packed: Uint8Array
  /** 0 is stored, 8 is deflated. */
  method: number
  crc: number
  /** Unpacked. */
  bytes: number
}

const LOCAL_SIGNATURE = 0x04034b50
const ENTRY_SIGNATURE = 0x02014b50
const END_SIGNATURE = 0x06054b50
/** Version 2.0: deflate and folders. */
const VERSION = 20
const UTF8_NAMES = 0x800
const MAX_ENTRIES = 0xffff
const MAX_BYTES = 0xffff_ffff
/** The first and last times that MS-DOS timestamps can represent. */
const EARLIEST = Date.UTC(1980, 0, 1)
const LATEST = Date.UTC(2107, 11, 31)

const deflated = promisify(deflateRaw)

/**
 * Writes an archive with these files in this order; names must be unique.
 * @throws RangeError if it would need ZIP64, which ebook readers do not support
 */
export async function writeZip(files: readonly ZipFile[], date: Date): Promise<Buffer> {
  if (files.length > MAX_ENTRIES) throw new RangeError('too many files')
  const time = dosTime(date)
  const packed = await Promise.all(files.map(packedOf))
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const [index, { name }] of files.entries()) {
    const { packed: bytes, method, crc, bytes: size } = packed[index]!
    const encoded = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(VERSION, 0)
    common.writeUInt16LE(/[^\u0020-\u007e]/.test(name) ? UTF8_NAMES : 0, 2)
    common.writeUInt16LE(method, 4)
    common.writeUInt32LE(time, 6)
    common.writeUInt32LE(crc, 10)
    common.writeUInt32LE(bytes.length, 14)
    common.writeUInt32LE(size, 18)
    common.writeUInt16LE(encoded.length, 22)
    parts.push(signed(LOCAL_SIGNATURE), common, encoded, bytes)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    const madeBy = Buffer.alloc(2)
    madeBy.writeUInt16LE(VERSION)
    directory.push(signed(ENTRY_SIGNATURE), madeBy, common, rest, encoded)
    offset += 30 + encoded.length + bytes.length
    if (offset > MAX_BYTES) throw new RangeError('too large')
  }
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  const length = directory.reduce((sum, part) => sum + part.length, 0)
  if (offset + length > MAX_BYTES) throw new RangeError('too large')
  end.writeUInt32LE(length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, ...directory, signed(END_SIGNATURE), end])
}

async function packedOf({ content, stored }: ZipFile): Promise<PackedContent> {
  if (!(content instanceof Uint8Array)) return content
  const plain = { packed: content, method: 0, crc: crc32(content), bytes: content.length }
  if (stored || content.length === 0) return plain
  const packed = await deflated(content)
  return packed.length < content.length ? { ...plain, packed, method: 8 } : plain
}

function signed(signature: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32LE(signature)
  return buffer
}

/** Time and date of MS-DOS, in UTC. */
function dosTime(date: Date): number {
  const at = new Date(Math.min(Math.max(date.getTime(), EARLIEST), LATEST))
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  const day = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  return day * 2 ** 16 + time
}
