import { toInt16 } from '../sfnt/data.ts'
import { copyOf, type Font } from '../sfnt/font.ts'
import type { GlyphBounds } from '../sfnt/glyf/read.ts'
import type { QuadraticOutline } from './contours.ts'
import { MetricsTable } from './metrics-table.ts'
import { readVerticalOrigins } from './vertical-origins.ts'

/** Flag in `head`: left edges of glyphs are at their bearings. */
const BEARING_IS_EDGE = 0x0002

/** Values that `head`, `hhea`, `hmtx`, `vmtx` and `maxp` store about TrueType outlines. */
export class OutlineSummary {
  private readonly font: Font
  private readonly metrics: MetricsTable
  private readonly vertical: MetricsTable | undefined
  private readonly origins: ((glyph: number) => number) | undefined
  private readonly box = { xMin: 32_767, yMin: 32_767, xMax: -32_768, yMax: -32_768 }
  private leftBearing = 32_767
  private rightBearing = 32_767
  private extent = -32_768
  private points = 0
  private contours = 0

  constructor(font: Font) {
    this.font = font
    this.metrics = new MetricsTable(font, 'hmtx', 'hhea')
    if (font.tables.has('vmtx') && font.tables.has('vhea')) {
      this.vertical = new MetricsTable(font, 'vmtx', 'vhea')
      this.origins = readVerticalOrigins(font)
    }
  }

  add(glyph: number, outline: QuadraticOutline, box: GlyphBounds): void {
    this.metrics.setBearing(glyph, box.xMin)
    if (this.origins) this.vertical?.setBearing(glyph, this.origins(glyph) - box.yMax)
    if (outline.ends.length === 0) return
    this.box.xMin = Math.min(this.box.xMin, box.xMin)
    this.box.yMin = Math.min(this.box.yMin, box.yMin)
    this.box.xMax = Math.max(this.box.xMax, box.xMax)
    this.box.yMax = Math.max(this.box.yMax, box.yMax)
    this.leftBearing = Math.min(this.leftBearing, box.xMin)
    this.rightBearing = Math.min(this.rightBearing, this.metrics.advance(glyph) - box.xMax)
    this.extent = Math.max(this.extent, box.xMax)
    this.points = Math.max(this.points, outline.xs.length)
    this.contours = Math.max(this.contours, outline.ends.length)
  }

  writeTo(tables: Map<string, Uint8Array>, glyphs: number, long: boolean): void {
    const head = copyOf(this.font, 'head', 54)
    const hhea = copyOf(this.font, 'hhea', 36)
    head.writeUInt16BE(head.readUInt16BE(16) | BEARING_IS_EDGE, 16)
    head.writeInt16BE(long ? 1 : 0, 50)
    head.writeInt16BE(0, 52)
    if (this.points > 0) {
      const { xMin, yMin, xMax, yMax } = this.box
      for (const [i, edge] of [xMin, yMin, xMax, yMax].entries()) head.writeInt16BE(edge, 36 + 2 * i)
      for (const [i, value] of [this.leftBearing, toInt16(this.rightBearing), this.extent].entries()) {
        hhea.writeInt16BE(value, 12 + 2 * i)
      }
    }
    const maxp = Buffer.alloc(32)
    maxp.writeUInt32BE(0x0001_0000, 0)
    for (const [offset, value] of [
      [4, glyphs],
      [6, this.points],
      [8, this.contours],
      // Zones: without instructions the twilight zone is not used.
      [14, 1],
      // Maximum stack size, for `prep`.
      [24, 64],
    ] as const) {
      maxp.writeUInt16BE(value, offset)
    }
    tables.set('head', head)
    tables.set('hhea', hhea)
    tables.set('hmtx', this.metrics.bytes)
    tables.set('maxp', maxp)
    if (this.vertical && this.origins) tables.set('vmtx', this.vertical.bytes)
  }
}
