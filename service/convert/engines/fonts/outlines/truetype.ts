/** The final outlines of a font with TrueType outlines, with composite glyphs resolved; of a variable font, the default ones. */
import { damagedFont } from '../sfnt/data.ts'
import type { Font } from '../sfnt/font.ts'
import { type CompositeGlyph, componentFlags, GlyphTable, type SimpleGlyph } from '../sfnt/glyf/read.ts'
import { type Budget, checkPoints } from './budget.ts'
import { append, attach, move, offsetOf, transformed } from './component-placing.ts'
import type { QuadraticOutline } from './contours.ts'

/** Glyphs within glyphs. */
const DEPTH_LIMIT = 32
const USE_METRICS = 0x0200

export interface TrueTypeOutline extends QuadraticOutline {
  /** The glyph whose bearing places the outline: itself, or a component whose metrics it uses. */
  placedBy: number
  /** Left edge of that glyph's stored bounding box. */
  xMin: number
  /** Upper edge of the glyph's stored bounding box. */
  yMax: number
}

const empty = (glyph: number): TrueTypeOutline => ({
  placedBy: glyph,
  ends: [],
  onCurve: [],
  xs: [],
  ys: [],
  xMin: 0,
  yMax: 0,
})

export class TrueTypeOutlines {
  readonly count: number
  private readonly glyphs: GlyphTable
  private readonly budget: Budget
  /** Outlines used in composite glyphs. */
  private readonly components = new Map<number, TrueTypeOutline>()

  /** @throws JobFailure corrupt_input */
  constructor(font: Font, budget: Budget) {
    this.glyphs = new GlyphTable(font)
    this.count = this.glyphs.count
    this.budget = budget
  }

  /** @throws JobFailure corrupt_input, too_large */
  outline(glyph: number, depth = 0): TrueTypeOutline {
    if (depth > DEPTH_LIMIT) throw damagedFont()
    const known = this.components.get(glyph)
    if (known) return known
    const read = this.glyphs.glyph(glyph)
    const outline =
      read?.kind === 'composite'
        ? this.composite(glyph, read, depth)
        : { ...empty(glyph), ...(read && simple(read)) }
    checkPoints(outline.xs.length)
    this.budget.spend(outline.xs.length)
    if (depth > 0) this.components.set(glyph, outline)
    return outline
  }

  private composite(glyph: number, { components, box }: CompositeGlyph, depth: number): TrueTypeOutline {
    const outline = { ...empty(glyph), xMin: box.xMin, yMax: box.yMax }
    for (const component of components) {
      const part = transformed(this.outline(component.glyph, depth + 1), component)
      if (component.flags & USE_METRICS) {
        outline.placedBy = part.placedBy
        outline.xMin = part.xMin
      }
      if (component.flags & componentFlags.offsets) move(part, ...offsetOf(component))
      else attach(part, outline, component.arguments)
      append(outline, part)
      checkPoints(outline.xs.length)
    }
    return outline
  }
}

const simple = (glyph: SimpleGlyph) => ({
  ends: Array.from(glyph.ends),
  onCurve: Array.from(glyph.onCurve),
  xs: Array.from(glyph.xs),
  ys: Array.from(glyph.ys),
  xMin: glyph.box.xMin,
  yMax: glyph.box.yMax,
})
