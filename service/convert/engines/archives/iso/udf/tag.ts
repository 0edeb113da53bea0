/**
 * Building blocks of UDF descriptors: ECMA-167, https://ecma-international.org/publications-and-standards/standards/ecma-167/,
 * as restricted by OSTA's UDF 1.02, http://www.osta.org/specs/pdf/udf102.pdf.
 */
import { crcTable } from '../../../common/crc.ts'
import { SECTOR_BYTES, ucs2 } from '../fields.ts'

/** Kinds of descriptors (ECMA-167, 3/7.2.1 and 4/7.2.1). */
export const tags = {
  primary: 1,
  anchor: 2,
  implementation: 4,
  partition: 5,
  logical: 6,
  unallocated: 7,
  terminating: 8,
  integrity: 9,
  fileSet: 256,
  fileIdentifier: 257,
  fileEntry: 261,
} as const

export const TAG_BYTES = 16

const crcs = crcTable(16, 0x1021)

/** CRC of ITU-T V.41 (ECMA-167, 1/7.2.6). */
const crcOf = (bytes: Uint8Array) =>
  bytes.reduce((crc, byte) => ((crc << 8) & 0xffff) ^ crcs[(crc >> 8) ^ byte]!, 0)

/** Fills in the tag at the start of a descriptor whose other bytes are complete. */
export function sealed(descriptor: Buffer, tag: keyof typeof tags, location: number): Buffer {
  descriptor.writeUInt16LE(tags[tag], 0)
  descriptor.writeUInt16LE(2, 2)
  descriptor.writeUInt16LE(crcOf(descriptor.subarray(TAG_BYTES)), 8)
  descriptor.writeUInt16LE(descriptor.length - TAG_BYTES, 10)
  descriptor.writeUInt32LE(location, 12)
  descriptor[4] = 0
  descriptor[4] = descriptor.subarray(0, TAG_BYTES).reduce((sum, byte) => sum + byte, 0) & 0xff
  return descriptor
}

/** A text in OSTA Compressed Unicode: a byte with the unit width in bits, followed by the units. */
export function compressed(text: string): Buffer {
  const wide = /[^\0-\xff]/.test(text)
  return Buffer.concat([Buffer.from([wide ? 16 : 8]), wide ? ucs2(text) : Buffer.from(text, 'latin1')])
}

/** Writes a text into a field whose last byte is its length (ECMA-167, 1/7.2.12); text that does not fit is truncated. */
export function writeText(descriptor: Buffer, offset: number, length: number, text: string): void {
  let fitting = [...text]
  while (compressed(fitting.join('')).length > length - 1) fitting = fitting.slice(0, -1)
  if (fitting.length === 0) return
  const bytes = compressed(fitting.join(''))
  descriptor.set(bytes, offset)
  descriptor[offset + length - 1] = bytes.length
}

/** Declares that texts are OSTA Compressed Unicode. */
export function writeCharset(descriptor: Buffer, offset: number): void {
  descriptor.write('OSTA Compressed Unicode', offset + 1, 'latin1')
}

/** UDF 1.02, as encoded in its identifiers. */
export const REVISION = 0x0102

/** Writes an entity identifier (UDF 1.02, 2.1.5), followed by the revision if its kind has one. */
export function writeIdentifier(descriptor: Buffer, offset: number, identifier: string): void {
  descriptor.write(identifier, offset + 1, 'latin1')
  if (/UDF/.test(identifier)) descriptor.writeUInt16LE(REVISION, offset + 24)
}

/** Identifier of the program that created the image. */
export const MAKER = '*Refile'

/** Writes a moment in UTC, 12 bytes (ECMA-167, 1/7.3). */
export function writeTimestamp(descriptor: Buffer, offset: number, date: Date): void {
  const year = date.getUTCFullYear()
  const within = year < 1 ? new Date('0001-01-01T00:00:00Z') : date
  descriptor.writeUInt16LE(0x1000, offset)
  descriptor.writeInt16LE(Math.min(9999, within.getUTCFullYear()), offset + 2)
  const milliseconds = within.getUTCMilliseconds()
  descriptor.set(
    [
      within.getUTCMonth() + 1,
      within.getUTCDate(),
      within.getUTCHours(),
      within.getUTCMinutes(),
      within.getUTCSeconds(),
      Math.floor(milliseconds / 10),
      (milliseconds % 10) * 10,
      0,
    ],
    offset + 4,
  )
}

/** Writes the location of a block of the partition, with the id of what it describes (ECMA-167, 4/14.14.2; UDF 2.3.10.1). */
export function writeBlock(descriptor: Buffer, offset: number, block: number, uniqueId = 0): void {
  descriptor.writeUInt32LE(SECTOR_BYTES, offset)
  descriptor.writeUInt32LE(block, offset + 4)
  descriptor.writeUInt32LE(uniqueId, offset + 12)
}
