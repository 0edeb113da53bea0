/** Changes to the tables of TrueType font programs. */
import { MetricsTable } from '../../fonts/outlines/metrics-table.ts'
import { copyOf, type Font, glyphCountOf } from '../../fonts/sfnt/font.ts'
import { GlyphTable } from '../../fonts/sfnt/glyf/read.ts'

/**
 * Sets the advances of glyphs, in font units; every glyph gets its own entry for that.
 * @throws JobFailure corrupt_input
 */
export function setAdvances(font: Font, advances: ReadonlyMap<number, number>): void {
  const count = glyphCountOf(font)
  const header = copyOf(font, 'hhea', 36)
  font.tables.set('hmtx', new MetricsTable(font, 'hmtx', 'hhea').withAdvances(count, advances))
  header.writeUInt16BE(count, 34)
  font.tables.set('hhea', header)
}

/**
 * Keeps only the outlines of these glyphs and of what they are composed of; glyph numbers stay the same.
 * @returns the glyphs that are kept
 * @throws JobFailure corrupt_input
 */
export function keepGlyphs(font: Font, wanted: Iterable<number>): ReadonlySet<number> {
  const glyphs = new GlyphTable(font)
  const kept = new Set<number>()
  const keep = (index: number) => {
    if (index >= glyphs.count || kept.has(index)) return
    kept.add(index)
    const glyph = glyphs.glyph(index)
    if (glyph?.kind === 'composite') for (const part of glyph.components) keep(part.glyph)
  }
  keep(0)
  for (const glyph of wanted) keep(glyph)
  const outlines = Array.from({ length: glyphs.count }, (_, glyph) =>
    kept.has(glyph) ? glyphs.bytes(glyph) : new Uint8Array(),
  )
  const places = Buffer.alloc((glyphs.count + 1) * 4)
  for (const [glyph, { length }] of outlines.entries())
    places.writeUInt32BE(places.readUInt32BE(glyph * 4) + length, glyph * 4 + 4)
  const head = copyOf(font, 'head', 54)
  head.writeInt16BE(1, 50)
  for (const [tag, bytes] of Object.entries({ glyf: Buffer.concat(outlines), loca: places, head }))
    font.tables.set(tag, bytes)
  return kept
}
