/** Reads the variations of TrueType outlines: OpenType 1.9.1, tables `fvar` and `gvar`. */
import { damagedFont, FontCursor } from '../../sfnt/data.ts'
import { type Font, tableOf } from '../../sfnt/font.ts'
import type { Budget } from '../budget.ts'
import { readChanges, readPointNumbers } from './packed.ts'
import type { Region, Span } from './store.ts'

/** Changes of some points of a glyph in one region. */
export interface TupleChanges {
  /** Number of the region. */
  region: number
  /** Numbers of the points; undefined for all. */
  points: number[] | undefined
  xs: Float64Array
  ys: Float64Array
}

const EMBEDDED_PEAK = 0x8000
const INTERMEDIATE = 0x4000
const PRIVATE_POINTS = 0x2000
const SHARED_POINTS = 0x8000
const LONG_OFFSETS = 1
const COUNT_MASK = 0x0fff

/** The variations of a font's glyphs. Regions are numbered in order of appearance. */
export class GlyphVariations {
  readonly axes: number
  readonly regions: Region[] = []
  private readonly numbers = new Map<string, number>()
  private readonly data
  private readonly shared: number[][]
  private readonly budget: Budget

  /** @throws JobFailure corrupt_input */
  constructor(font: Font, budget: Budget) {
    this.budget = budget
    this.axes = tableOf(font, 'fvar').u16(8)
    this.data = tableOf(font, 'gvar')
    if (this.data.u16(4) !== this.axes) throw damagedFont()
    const cursor = new FontCursor(this.data, this.data.u32(8))
    this.shared = Array.from({ length: this.data.u16(6) }, () => this.readPeak(cursor))
  }

  /**
   * Changes of a glyph.
   * @param points number of its points, including the four phantom points for its metrics
   * @throws JobFailure corrupt_input, too_large
   */
  changes(glyph: number, points: number): TupleChanges[] {
    const { data } = this
    if (glyph >= data.u16(12)) return []
    const offset = (index: number) =>
      data.u16(14) & LONG_OFFSETS ? data.u32(20 + 4 * index) : 2 * data.u16(20 + 2 * index)
    const [start, end] = [offset(glyph), offset(glyph + 1)]
    if (end <= start) return []
    const bytes = data.slice(data.u32(16) + start, end - start)
    return this.readTuples(new FontCursor(bytes), points)
  }

  private readTuples(headers: FontCursor, pointCount: number): TupleChanges[] {
    const count = headers.u16()
    const bodies = new FontCursor(headers.data, headers.u16())
    const shared = count & SHARED_POINTS ? readPointNumbers(bodies) : undefined
    return Array.from({ length: count & COUNT_MASK }, () => {
      const size = headers.u16()
      const flags = headers.u16()
      const region = this.numberOf(this.readRegion(headers, flags))
      const cursor = new FontCursor(bodies.take(size))
      const points = flags & PRIVATE_POINTS ? readPointNumbers(cursor) : shared
      if (points?.some(point => point >= pointCount)) throw damagedFont()
      const changed = points?.length ?? pointCount
      this.budget.spend(changed)
      return { region, points, xs: readChanges(cursor, changed), ys: readChanges(cursor, changed) }
    })
  }

  private readPeak(cursor: FontCursor): number[] {
    return Array.from({ length: this.axes }, () => cursor.f2dot14())
  }

  private readRegion(cursor: FontCursor, flags: number): Region {
    const peak = flags & EMBEDDED_PEAK ? this.readPeak(cursor) : this.shared[flags & COUNT_MASK]
    if (!peak) throw damagedFont()
    if (!(flags & INTERMEDIATE)) return peak.map((top): Span => [Math.min(top, 0), top, Math.max(top, 0)])
    const starts = this.readPeak(cursor)
    const ends = this.readPeak(cursor)
    return peak.map((top, axis): Span => [starts[axis]!, top, ends[axis]!])
  }

  private numberOf(region: Region): number {
    const key = region.join('|')
    let number = this.numbers.get(key)
    if (number === undefined) {
      number = this.regions.length
      if (number > 0x7fff) throw damagedFont()
      this.regions.push(region)
      this.numbers.set(key, number)
    }
    return number
  }
}
