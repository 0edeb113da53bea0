import { compress, RECORD_BYTES } from './palmdoc.ts'

/** Bit 0 of the header's flags for trailing entries: each record ends with the rest of a split character. */
export const TRAILING_ENTRIES = 1

/**
 * The text of a book as separately compressed records. A split character is completed after the compressed data, uncompressed,
 * and the last byte counts those bytes; the next record still begins at the split.
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

/** Whether a byte is a UTF-8 continuation byte. */
const isContinuation = (byte: number) => (byte & 0xc0) === 0x80
