import { ByteReader } from '../formats/byte-reader.ts'

/**
 * Unpacks a frame of QuickTime's Animation codec into rows of packed pixels. What the frame omits stays 0. Rows are
 * updated per pixel at 16 bits and more, in groups of four bytes below, and at 1 bit in their own way.
 * @param depth 1, 2, 4, 8, 16, 24 or 32
 */
export function unpackAnimation(
  data: Uint8Array,
  rowBytes: number,
  height: number,
  depth: number,
): Uint8Array {
  const rows = new Uint8Array(rowBytes * height)
  const reader = new ByteReader(data)
  reader.skip(4)
  let first = 0
  let count = height
  if (reader.u16() & 8) {
    first = reader.u16()
    reader.skip(2)
    count = reader.u16()
    reader.skip(2)
  }
  if (depth === 1) unpackBitLines(reader, rows, rowBytes, first, count)
  else unpackLines(reader, rows, rowBytes, depth < 16 ? 4 : Math.ceil(depth / 8), first, count)
  return rows
}

function unpackLines(
  reader: ByteReader,
  rows: Uint8Array,
  rowBytes: number,
  unit: number,
  first: number,
  count: number,
): void {
  for (let y = first; y < first + count; y++) {
    const end = Math.min((y + 1) * rowBytes, rows.length)
    let to = y * rowBytes + (reader.u8() - 1) * unit
    for (let code = reader.i8(); code !== -1; code = reader.i8()) {
      if (code === 0) to += (reader.u8() - 1) * unit
      else to = put(reader, rows, to, end, unit, code)
    }
  }
}

/** Repeats a unit (negative codes) or copies units, within the row; returns the position after them. */
function put(
  reader: ByteReader,
  rows: Uint8Array,
  start: number,
  end: number,
  unit: number,
  code: number,
): number {
  const length = Math.abs(code) * unit
  const source = reader.take(code < 0 ? unit : length)
  for (let i = 0; i < length && start + i < end; i++) {
    if (start + i >= 0) rows[start + i] = source[code < 0 ? i % unit : i]!
  }
  return start + length
}

/** One-bit frames: pairs of a skip, whose high bit starts a line, and a code for 16 pixels at a time. */
function unpackBitLines(
  reader: ByteReader,
  rows: Uint8Array,
  rowBytes: number,
  first: number,
  count: number,
): void {
  let line = first - 1
  let to = 0
  while (reader.remaining >= 2) {
    const skip = reader.u8()
    const code = reader.i8()
    if (code === 0) return
    if (skip & 0x80) {
      line++
      if (line >= first + count) return
      to = line * rowBytes + (skip & 0x7f) * 2
    } else to += skip * 2
    to = put(reader, rows, to, Math.min((line + 1) * rowBytes, rows.length), 2, code)
  }
}
