import { compress, RECORD_BYTES } from './palmdoc.ts'

/** Bit 0 of the header's flags for trailing entries: each record ends with what completes a cut character. */
export const TRAILING_ENTRIES = 1

/**
 * The text of a book as records, each compressed by itself. A character that is cut is completed behind the compressed data,
 * uncompressed, and the last byte counts those bytes; the next record begins at the cut all the same.
 */
export function textRecords(text: Uint8Array): Uint8Array[] {
  const records: Uint8Array[] = []
  for (let from = 0; from < text.length; from += RECORD_BYTES) {
    const to = Math.min(from + RECORD_BYTES, text.length)
    let end = to
    while (end < text.length && end - to < 3 && isContinuation(text[end]!)) end++
    const packed = compress(text.subarray(from, to))
    const record = new Uint8Array(packed.length + end - to + 1)
    record.set(packed)
    record.set(text.subarray(to, end), packed.length)
    record[record.length - 1] = end - to
    records.push(record)
  }
  return records
}

/** Whether a byte of UTF-8 goes on with the character before. */
const isContinuation = (byte: number) => (byte & 0xc0) === 0x80
