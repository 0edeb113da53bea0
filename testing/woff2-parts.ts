/** WOFF2 files taken apart and put together again, with faults where a test wants them. */
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { ByteWriter, FontCursor } from '../service/convert/engines/fonts/sfnt/data.ts'
import { padded } from '../service/convert/engines/fonts/sfnt/sfnt.ts'
import { readBase128, writeBase128 } from '../service/convert/engines/fonts/sfnt/woff2/numbers.ts'
import { HEADER_BYTES, knownTags, OTHER_TAG } from '../service/convert/engines/fonts/sfnt/woff2/tags.ts'

/** A table as WOFF2 stores it. */
export interface Stored {
  tag: string
  version: number
  length: number
  bytes: Buffer
}

/** The tables of a WOFF2. */
export function stored(woff2: Buffer): Stored[] {
  const cursor = new FontCursor(woff2, HEADER_BYTES)
  const tables = Array.from({ length: woff2.readUInt16BE(12) }, () => {
    const flags = cursor.u8()
    const tag = knownTags[flags & 63]!
    const length = readBase128(cursor)
    const isTransformed = ['glyf', 'loca'].includes(tag) || (tag === 'hmtx' && flags >> 6 === 1)
    return { tag, version: flags >> 6, length, size: isTransformed ? readBase128(cursor) : length }
  })
  const stream = new FontCursor(brotliDecompressSync(woff2.subarray(cursor.position)))
  return tables.map(({ size, ...table }) => ({ ...table, bytes: Buffer.from(stream.take(size)) }))
}

export interface Writing {
  /** Writes the length of a table. */
  length?: (out: ByteWriter, length: number) => void
  /** Whether tags are written out. */
  spelled?: boolean
  pack?: (stream: Buffer) => Buffer
}

/** A WOFF2 of these tables, under the header of another. */
export function assembled(
  woff2: Buffer,
  tables: readonly Stored[],
  { length = writeBase128, spelled = false, pack = brotliCompressSync }: Writing = {},
): Buffer {
  const directory = new ByteWriter()
  for (const { tag, version, length: original, bytes } of tables) {
    directory.u8((spelled ? OTHER_TAG : knownTags.indexOf(tag)) | (version << 6))
    if (spelled) directory.tag(tag)
    length(directory, original)
    const none = ['glyf', 'loca'].includes(tag) ? 3 : 0
    if (version !== none) writeBase128(directory, bytes.length)
  }
  const packed = pack(Buffer.concat(tables.map(({ bytes }) => bytes)))
  const header = Buffer.from(woff2.subarray(0, HEADER_BYTES))
  header.writeUInt16BE(tables.length, 12)
  header.writeUInt32BE(packed.length, 20)
  const end = HEADER_BYTES + directory.length + packed.length
  header.writeUInt32BE(padded(end), 8)
  return Buffer.concat([header, directory.take(), packed, Buffer.alloc(padded(end) - end)])
}
