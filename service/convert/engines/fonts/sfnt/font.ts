import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { damagedFont, FontData } from './data.ts'

/** One face. */
export interface Font {
  /** The version number of the file, which specifies the kind of outlines: one of `flavors`. */
  flavor: number
  /** Tables by tag, in the order of their offsets in the file. */
  tables: Map<string, Uint8Array>
}

export const flavors = {
  /** Quadratic outlines in `glyf`. */
  trueType: 0x0001_0000,
  /** Cubic outlines in `CFF ` or `CFF2`, "OTTO". */
  cff: 0x4f54_544f,
} as const

/** The version number of Apple's TrueType fonts, "true". */
const APPLE_TRUETYPE = 0x7472_7565

/** Maximum uncompressed size of all tables of a file together. */
const UNPACKED_LIMIT = 256 * 2 ** 20
const MEGABYTE = 1_000_000

/** @throws JobFailure too_large */
export function checkUnpacked(bytes: number, limit: number = UNPACKED_LIMIT): void {
  if (bytes <= limit) return
  throw new JobFailure(
    'jobs.too_large',
    message('font.too_large_unpacked', { megabytes: Math.floor(limit / MEGABYTE) }),
  )
}

/** @returns the flavor to write for the one that was read. @throws JobFailure corrupt_input if it is unknown */
export function knownFlavor(flavor: number): number {
  if (flavor === flavors.cff || flavor === flavors.trueType) return flavor
  if (flavor === APPLE_TRUETYPE) return flavors.trueType
  throw new JobFailure('jobs.corrupt_input', message('font.not_a_font'))
}

/** A required table. @throws JobFailure corrupt_input if it is missing */
export function tableOf(font: Font, tag: string): FontData {
  const bytes = font.tables.get(tag)
  if (!bytes) throw damagedFont()
  return new FontData(bytes)
}

/** A copy of a table, for modification. @throws JobFailure corrupt_input if it is missing or shorter than `length` bytes */
export function copyOf(font: Font, tag: string, length: number): Buffer {
  const bytes = font.tables.get(tag)
  if (!bytes || bytes.length < length) throw damagedFont()
  return Buffer.from(bytes)
}

export const glyphCountOf = (font: Font): number => tableOf(font, 'maxp').u16(4)

/** @throws JobFailure corrupt_input if the value is outside the range of OpenType, 16 to 16384 */
export function unitsPerEmOf(font: Font): number {
  const units = tableOf(font, 'head').u16(18)
  if (units < 16 || units > 16_384) throw damagedFont()
  return units
}
