/** Metrics without bearings that equal the left edges of the glyphs: https://www.w3.org/TR/WOFF2/#hmtx_table_format */
import { ByteWriter, damagedFont, FontCursor, FontData } from '../data.ts'

/** Flags for omitted bearings: those of glyphs with their own width, and those of glyphs that share the last width. */
const NO_BEARINGS = 1
const NO_TRAILING_BEARINGS = 2
/**
 * The table is only transformed if at least one in this many bearings can be omitted, since widths and remaining bearings compress
 * worse when they are separated: in DejaVu Sans by some hundred bytes, in a quarter more time.
 */
const MIN_SHARE = 4

/**
 * Omits bearings that follow from the outlines.
 * @param widths number of glyphs with their own width
 * @returns undefined if none can be omitted, or too few
 */
export function packMetrics(hmtx: Uint8Array, widths: number, xMin: Int16Array): Uint8Array | undefined {
  const count = xMin.length
  if (widths === 0 || widths > count || hmtx.length !== 2 * (count + widths)) return undefined
  const data = new FontData(hmtx)
  const bearing = (glyph: number) => data.i16(bearingOffset(glyph, widths))
  let flags = count > widths ? NO_BEARINGS | NO_TRAILING_BEARINGS : NO_BEARINGS
  for (let glyph = 0; glyph < count; glyph++) {
    if (bearing(glyph) !== xMin[glyph]) flags &= glyph < widths ? ~NO_BEARINGS : ~NO_TRAILING_BEARINGS
  }
  const left = (flags & NO_BEARINGS ? widths : 0) + (flags & NO_TRAILING_BEARINGS ? count - widths : 0)
  if (left < count / MIN_SHARE) return undefined
  const out = new ByteWriter(hmtx.length + 1)
  out.u8(flags)
  for (let glyph = 0; glyph < widths; glyph++) out.u16(data.u16(4 * glyph))
  for (let glyph = 0; glyph < count; glyph++) {
    if (!(flags & (glyph < widths ? NO_BEARINGS : NO_TRAILING_BEARINGS))) out.u16(bearing(glyph))
  }
  return out.take()
}

/** @throws JobFailure corrupt_input */
export function unpackMetrics(packed: Uint8Array, widths: number, xMin: Int16Array): Uint8Array {
  const count = xMin.length
  const cursor = new FontCursor(packed)
  const flags = cursor.u8()
  if (widths === 0 || widths > count || flags === 0 || flags > 3) throw damagedFont()
  const hmtx = Buffer.alloc(2 * (count + widths))
  for (let glyph = 0; glyph < widths; glyph++) hmtx.writeUInt16BE(cursor.u16(), 4 * glyph)
  for (let glyph = 0; glyph < count; glyph++) {
    const left = flags & (glyph < widths ? NO_BEARINGS : NO_TRAILING_BEARINGS) ? xMin[glyph]! : cursor.i16()
    hmtx.writeInt16BE(left, bearingOffset(glyph, widths))
  }
  return hmtx
}

/** Offset of the left side bearing of a glyph in `hmtx`. */
const bearingOffset = (glyph: number, widths: number) =>
  glyph < widths ? 4 * glyph + 2 : 2 * (widths + glyph)
