/** Writes TrueType outlines: OpenType 1.9.1, tables `glyf` and `loca`. */
import { ByteWriter, coordinatesTooLarge } from '../data.ts'
import type { GlyphBounds } from './read.ts'

/** A simple glyph to write: see `SimpleGlyph`. */
interface NewGlyph {
  box: GlyphBounds
  ends: ArrayLike<number>
  xs: ArrayLike<number>
  ys: ArrayLike<number>
  onCurve: ArrayLike<number>
  overlapping: boolean
}

/** Collects glyphs one after another. */
export class GlyphWriter {
  private readonly glyf = new ByteWriter(1 << 16)
  private readonly offsets: number[] = [0]

  empty(): void {
    this.offsets.push(this.glyf.length)
  }

  simple(glyph: NewGlyph): void {
    const { glyf } = this
    glyf.u16(glyph.ends.length)
    writeBox(glyf, glyph.box)
    for (let i = 0; i < glyph.ends.length; i++) glyf.u16(glyph.ends[i]!)
    // No instructions.
    glyf.u16(0)
    writePoints(glyf, glyph)
    glyf.pad(4)
    this.offsets.push(glyf.length)
  }

  /** @param long whether offsets have 32 bits; they also do if 16 are not enough */
  take(long: boolean): { glyf: Uint8Array; loca: Uint8Array; long: boolean } {
    const wide = long || this.glyf.length > 2 * 0xffff
    const loca = new ByteWriter((wide ? 4 : 2) * this.offsets.length)
    for (const offset of this.offsets) {
      if (wide) loca.u32(offset)
      else loca.u16(offset / 2)
    }
    // Sanitisers reject an empty table, so without any outline it gets one byte that no glyph uses.
    if (this.glyf.length === 0) this.glyf.u8(0)
    return { glyf: this.glyf.take(), loca: loca.take(), long: wide }
  }
}

/** The smallest box around all points; a point at the origin if there are none. */
export function boxAround(xs: ArrayLike<number>, ys: ArrayLike<number>): GlyphBounds {
  if (xs.length === 0) return { xMin: 0, yMin: 0, xMax: 0, yMax: 0 }
  const box = { xMin: xs[0]!, yMin: ys[0]!, xMax: xs[0]!, yMax: ys[0]! }
  for (let i = 1; i < xs.length; i++) {
    const [x, y] = [xs[i]!, ys[i]!]
    if (x < box.xMin) box.xMin = x
    if (x > box.xMax) box.xMax = x
    if (y < box.yMin) box.yMin = y
    if (y > box.yMax) box.yMax = y
  }
  return box
}

function writeBox(out: ByteWriter, { xMin, yMin, xMax, yMax }: GlyphBounds): void {
  for (const value of [xMin, yMin, xMax, yMax]) {
    if (value < -32_768 || value > 32_767) throw coordinatesTooLarge()
    out.u16(value)
  }
}

const packedX = new ByteWriter()
const packedY = new ByteWriter()

function writePoints(out: ByteWriter, { xs, ys, onCurve, overlapping }: NewGlyph): void {
  const count = xs.length
  const flags = new Uint8Array(count)
  packedX.clear()
  packedY.clear()
  let [x, y] = [0, 0]
  for (let i = 0; i < count; i++) {
    const on = onCurve[i]! | (overlapping && i === 0 ? 0x40 : 0)
    flags[i] = on | writeStep(packedX, xs[i]! - x, 2, 16) | writeStep(packedY, ys[i]! - y, 4, 32)
    x = xs[i]!
    y = ys[i]!
  }
  for (let i = 0; i < count; ) {
    let run = 1
    while (i + run < count && flags[i + run] === flags[i] && run < 256) run++
    // Repeating a flag once takes as many bytes as writing it twice.
    if (run > 1) {
      out.u8(flags[i]! | 8)
      out.u8(run - 1)
    } else out.u8(flags[i]!)
    i += run
  }
  out.bytes(packedX.take())
  out.bytes(packedY.take())
}

/** @returns the flag bits for how the step is stored */
function writeStep(out: ByteWriter, step: number, short: number, same: number): number {
  if (step === 0) return same
  if (step > -256 && step < 256) {
    out.u8(Math.abs(step))
    return short | (step > 0 ? same : 0)
  }
  if (step < -32_768 || step > 32_767) throw coordinatesTooLarge()
  out.u16(step)
  return 0
}
