import { ByteWriter } from '../../../fonts/sfnt/data.ts'

/** Records that are nearly the same in every book, as written by kindlegen. */

export const FLIS = Buffer.from(
  '464c4953000000080041000000000000ffffffff000100030000000300000001ffffffff',
  'hex',
)

/** The last record of a file. */
export const END = Uint8Array.of(0xe9, 0x8e, 0x0d, 0x0a)

/** @param textLength uncompressed, in bytes */
export function fcisRecord(version: 6 | 8, textLength: number): Uint8Array {
  const writer = new ByteWriter(52)
  writer.tag('FCIS')
  const middle = version === 8 ? [0x28, 0, 0x28] : [0x20]
  for (const value of [20, 16, version === 8 ? 2 : 1, 0, textLength, 0, ...middle, 8]) writer.u32(value)
  writer.u16(1)
  writer.u16(1)
  writer.u32(0)
  return writer.take()
}

/** Ranges of the flows of a KF8 text: one for all documents, then one for each style sheet and SVG document. */
export function flowRecord(lengths: readonly number[]): Uint8Array {
  const writer = new ByteWriter(12 + 8 * lengths.length)
  writer.tag('FDST')
  writer.u32(12)
  writer.u32(lengths.length)
  let from = 0
  for (const length of lengths) {
    writer.u32(from)
    from += length
    writer.u32(from)
  }
  return writer.take()
}
