/** Origins of vertically set glyphs: OpenType 1.9.1, table `VORG`, which only fonts with CFF outlines have. */
import { mostFrequent } from '../../common/median.ts'
import { ByteWriter, FontData } from '../sfnt/data.ts'
import type { Font } from '../sfnt/font.ts'

/** Heights of the origins of all glyphs; undefined if the font has none. @throws JobFailure corrupt_input */
export function readVerticalOrigins(font: Font): ((glyph: number) => number) | undefined {
  const bytes = font.tables.get('VORG')
  if (!bytes) return undefined
  const data = new FontData(bytes)
  const usual = data.i16(4)
  const own = new Map(
    Array.from({ length: data.u16(6) }, (_, i) => [data.u16(8 + 4 * i), data.i16(10 + 4 * i)] as const),
  )
  return glyph => own.get(glyph) ?? usual
}

/** @param origins height of the origin of each glyph */
export function writeVerticalOrigins(origins: readonly number[]): Uint8Array {
  const usual = mostFrequent(origins)
  const own = [...origins.entries()].filter(([, origin]) => origin !== usual)
  const out = new ByteWriter()
  out.u16(1)
  out.u16(0)
  out.u16(usual)
  out.u16(own.length)
  for (const [glyph, origin] of own) {
    out.u16(glyph)
    out.u16(origin)
  }
  return out.take()
}
