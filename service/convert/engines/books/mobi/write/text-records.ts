import { createHash } from 'node:crypto'
import { compress, RECORD_BYTES } from './palmdoc.ts'

/** Bit 0 of the header's flags for trailing entries: each record ends with the rest of a split character. */
export const TRAILING_ENTRIES = 1

/** A text as it is stored. */
export interface PackedText {
  records: Uint8Array[]
  /** Bytes before compression. */
  length: number
  /** SHA-256 of the text. */
  hash: Uint8Array
}

/** Bytes that need not be in one piece. */
interface Text {
  readonly length: number
  slice(from: number, to: number): Uint8Array
}

/**
 * Compresses the text of a book as separate records. A split character is completed after the compressed data, uncompressed,
 * and the last byte counts those bytes; the next record still begins at the split.
 */
export function packText(text: Text): PackedText {
  const records: Uint8Array[] = []
  const hash = createHash('sha256')
  for (let from = 0; from < text.length; from += RECORD_BYTES) {
    const to = Math.min(from + RECORD_BYTES, text.length)
    const piece = text.slice(from, to)
    hash.update(piece)
    const following = text.slice(to, Math.min(to + 3, text.length))
    const end = following.findIndex(byte => !isContinuation(byte))
    const rest = end < 0 ? following : following.subarray(0, end)
    const packed = compress(piece)
    const record = new Uint8Array(packed.length + rest.length + 1)
    record.set(packed)
    record.set(rest, packed.length)
    record[record.length - 1] = rest.length
    records.push(record)
  }
  return { records, length: text.length, hash: hash.digest() }
}

/** Whether a byte is a UTF-8 continuation byte. */
const isContinuation = (byte: number) => (byte & 0xc0) === 0x80
