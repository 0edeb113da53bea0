/**
 * Inflates many small entries with one call, since setting up zlib takes longer than unpacking one of them: each is framed as a
 * member of one gzip file (RFC 1952), whose trailers make zlib verify checksums and sizes too.
 */
import { createGunzip } from 'node:zlib'
import { inOnePiece } from '../in-one-piece.ts'
import type { ZipRecord } from '../zip-directory.ts'

const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
const TRAILER_BYTES = 8
/** The smallest output buffer that zlib accepts. */
const MIN_CHUNK_BYTES = 64

/** Reusable memory. */
export class ScratchBuffer {
  #buffer = Buffer.alloc(0)

  /** A buffer of this size with arbitrary content, valid until the next call. */
  of(length: number): Buffer {
    if (this.#buffer.length < length) this.#buffer = Buffer.allocUnsafeSlow(length)
    return this.#buffer.subarray(0, length)
  }
}

export interface Deflated {
  record: Pick<ZipRecord, 'crc' | 'bytes'>
  packed: Uint8Array
}

/**
 * The contents of deflated entries, checked against their records; undefined if any of them is damaged.
 * @param scratch for the packed bytes, in use until the promise resolves
 */
export async function inflateSmall(
  entries: readonly Deflated[],
  scratch: ScratchBuffer,
): Promise<Buffer[] | undefined> {
  if (entries.length === 0) return []
  const framed = frame(entries, scratch)
  const total = entries.reduce((sum, { record }) => sum + record.bytes, 0)
  let content: Buffer
  try {
    // One byte more than expected, so that the end is found without requesting a second piece.
    const chunkSize = Math.max(MIN_CHUNK_BYTES, total + 1)
    content = await inOnePiece(createGunzip({ chunkSize }), framed, total)
  } catch {
    return undefined
  }
  // Every trailer was right, so no entry is shorter than it should be.
  if (content.length !== total) return undefined
  let at = 0
  return entries.map(({ record }) => {
    at += record.bytes
    return content.subarray(at - record.bytes, at)
  })
}

function frame(entries: readonly Deflated[], scratch: ScratchBuffer): Buffer {
  const bytes = entries.reduce((sum, { packed }) => sum + HEADER.length + packed.length + TRAILER_BYTES, 0)
  const framed = scratch.of(bytes)
  let at = 0
  for (const { record, packed } of entries) {
    framed.set(HEADER, at)
    framed.set(packed, at + HEADER.length)
    at += HEADER.length + packed.length
    framed.writeUInt32LE(record.crc, at)
    framed.writeUInt32LE(record.bytes, at + 4)
    at += TRAILER_BYTES
  }
  return framed
}
