/** The final outlines of a font with TrueType outlines, with composite glyphs resolved, and their variations. */
import { damagedFont } from '../sfnt/data.ts'
import type { Font } from '../sfnt/font.ts'
import { type CompositeGlyph, componentFlags, GlyphTable, type SimpleGlyph } from '../sfnt/glyf/read.ts'
import { type Budget, checkPoints } from './budget.ts'
import { addMoves, append, attach, move, offsetOf, transformed } from './component-placing.ts'
import { METRIC_POINTS, type Moves, type QuadraticOutline } from './contours.ts'
import { GlyphVariations } from './variations/gvar-read.ts'
import { allChanges } from './variations/untouched-points.ts'

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
  /** Changes of the phantom points, by region number. */
  metricMoves: Map<number, MetricMoves>
}

/** Changes of a glyph's phantom points: left and right in x, top and bottom in y. */
interface MetricMoves {
  left: number
  right: number
  top: number
  bottom: number
}

const empty = (glyph: number): TrueTypeOutline => ({
  placedBy: glyph,
  ends: [],
  onCurve: [],
  xs: [],
  ys: [],
  moves: new Map(),
  xMin: 0,
  yMax: 0,
  metricMoves: new Map(),
})

export class TrueTypeOutlines {
  readonly variations: GlyphVariations | undefined
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
    if (font.tables.has('gvar') && font.tables.has('fvar'))
      this.variations = new GlyphVariations(font, budget)
  }

  /** @throws JobFailure corrupt_input, too_large */
  outline(glyph: number, depth = 0): TrueTypeOutline {
    if (depth > DEPTH_LIMIT) throw damagedFont()
    const known = this.components.get(glyph)
    if (known) return known
    const read = this.glyphs.glyph(glyph)
    const outline = !read
      ? this.blank(glyph)
      : read.kind === 'simple'
        ? this.simple(glyph, read)
        : this.composite(glyph, read, depth)
    checkPoints(outline.xs.length)
    this.budget.spend(outline.xs.length * (1 + outline.moves.size))
    if (depth > 0) this.components.set(glyph, outline)
    return outline
  }

  private blank(glyph: number): TrueTypeOutline {
    const outline = empty(glyph)
    for (const tuple of this.variations?.changes(glyph, METRIC_POINTS) ?? []) moveMetrics(outline, tuple, 0)
    return outline
  }

  private simple(glyph: number, { ends, xs, ys, onCurve, box }: SimpleGlyph): TrueTypeOutline {
    const outline: TrueTypeOutline = {
      ...empty(glyph),
      ends: Array.from(ends),
      onCurve: Array.from(onCurve),
      xs: Array.from(xs),
      ys: Array.from(ys),
      xMin: box.xMin,
      yMax: box.yMax,
    }
    for (const tuple of this.variations?.changes(glyph, xs.length + METRIC_POINTS) ?? []) {
      addMoves(outline.moves, tuple.region, {
        xs: allChanges(tuple, tuple.xs, xs, ends),
        ys: allChanges(tuple, tuple.ys, ys, ends),
      })
      moveMetrics(outline, tuple, xs.length)
    }
    return outline
  }

  private composite(glyph: number, { components, box }: CompositeGlyph, depth: number): TrueTypeOutline {
    const outline = { ...empty(glyph), xMin: box.xMin, yMax: box.yMax }
    const tuples = this.variations?.changes(glyph, components.length + METRIC_POINTS) ?? []
    for (const tuple of tuples) moveMetrics(outline, tuple, components.length)
    for (const [index, component] of components.entries()) {
      const part = transformed(this.outline(component.glyph, depth + 1), component)
      if (component.flags & USE_METRICS) {
        outline.metricMoves = part.metricMoves
        outline.placedBy = part.placedBy
        outline.xMin = part.xMin
      }
      const isAttached = !(component.flags & componentFlags.offsets)
      if (isAttached) attach(part, outline, component.arguments)
      else move(part, ...offsetOf(component))
      for (const { region, points, xs, ys } of isAttached ? [] : tuples) {
        const at = points ? points.indexOf(index) : index
        if (at < 0) continue
        const count = part.xs.length
        addMoves(part.moves, region, {
          xs: new Float64Array(count).fill(xs[at]!),
          ys: new Float64Array(count).fill(ys[at]!),
        })
      }
      append(outline, part)
      checkPoints(outline.xs.length)
    }
    return outline
  }
}

/** Adds the changes of the metrics, which a variation has after the first `first` points. */
function moveMetrics(
  outline: TrueTypeOutline,
  { region, points, xs, ys }: { region: number; points: number[] | undefined } & Moves,
  first: number,
): void {
  const changeOf = (changes: Float64Array, point: number) =>
    points ? (changes[points.indexOf(point)] ?? 0) : changes[point]!
  const known = outline.metricMoves.get(region) ?? { left: 0, right: 0, top: 0, bottom: 0 }
  outline.metricMoves.set(region, {
    left: known.left + changeOf(xs, first),
    right: known.right + changeOf(xs, first + 1),
    top: known.top + changeOf(ys, first + 2),
    bottom: known.bottom + changeOf(ys, first + 3),
  })
}
