/** Advances and bearings: OpenType 1.9.1, tables `hmtx` and `vmtx`, which have the same format. */
import { damagedFont, FontData, toInt16 } from '../sfnt/data.ts'
import { type Font, tableOf } from '../sfnt/font.ts'

/** Metrics of all glyphs, one after another. */
export class MetricsTable {
  readonly bytes: Buffer
  private readonly data: FontData
  private readonly full: number

  /** @param header tag of the table with the number of glyphs that have their own advance */
  constructor(font: Font, tag: 'hmtx' | 'vmtx', header: 'hhea' | 'vhea') {
    this.full = tableOf(font, header).u16(34)
    if (this.full === 0) throw damagedFont()
    this.bytes = Buffer.from(tableOf(font, tag).bytes)
    this.data = new FontData(this.bytes)
  }

  advance(glyph: number): number {
    return this.data.u16(4 * Math.min(glyph, this.full - 1))
  }

  /** The bearing of a glyph; 0 if the table ends early. */
  bearing(glyph: number): number {
    const at = this.bearingOffset(glyph)
    return at + 2 <= this.bytes.length ? this.bytes.readInt16BE(at) : 0
  }

  setBearing(glyph: number, value: number): void {
    const at = this.bearingOffset(glyph)
    if (at + 2 <= this.bytes.length) this.bytes.writeInt16BE(toInt16(value), at)
  }

  /** The table with one full entry for each glyph, and some advances replaced. */
  withAdvances(glyphs: number, advances: ReadonlyMap<number, number>): Buffer {
    const all = Buffer.alloc(glyphs * 4)
    for (let glyph = 0; glyph < glyphs; glyph++) {
      all.writeUInt16BE(advances.get(glyph) ?? this.advance(glyph), glyph * 4)
      all.writeInt16BE(this.bearing(glyph), glyph * 4 + 2)
    }
    return all
  }

  private bearingOffset(glyph: number): number {
    return glyph < this.full ? 4 * glyph + 2 : 2 * (this.full + glyph)
  }
}
