/** Reads TrueType outlines: OpenType 1.9.1, tables `glyf` and `loca`. */
import { damagedFont, FontCursor, type FontData } from '../data.ts'
import { type Font, glyphCountOf, tableOf } from '../font.ts'

export interface GlyphBounds {
  xMin: number
  yMin: number
  xMax: number
  yMax: number
}

export interface SimpleGlyph {
  kind: 'simple'
  box: GlyphBounds
  /** Index of the last point of each contour. */
  ends: Uint16Array
  xs: Int32Array
  ys: Int32Array
  /** 1 for a point on the curve, 0 for a control point. */
  onCurve: Uint8Array
}

/** A glyph drawn as part of another one: first transformed, then moved. */
export interface Component {
  flags: number
  glyph: number
  /** Offsets, or numbers of two points to align: one of the preceding components, one of this glyph. */
  arguments: [number, number]
  /** Column vectors: x' = a·x + c·y, y' = b·x + d·y. */
  matrix: [a: number, b: number, c: number, d: number]
}

export interface CompositeGlyph {
  kind: 'composite'
  box: GlyphBounds
  components: Component[]
}

export type Glyph = SimpleGlyph | CompositeGlyph

export const componentFlags = {
  wordArguments: 0x0001,
  offsets: 0x0002,
  scale: 0x0008,
  more: 0x0020,
  twoScales: 0x0040,
  matrix: 0x0080,
  scaledOffset: 0x0800,
  unscaledOffset: 0x1000,
} as const

/** Maximum number of components of one glyph; real fonts have a few dozen at most. */
const COMPONENT_LIMIT = 1024

/** All glyphs of a font with TrueType outlines. */
export class GlyphTable {
  readonly count: number
  private readonly glyf: FontData
  /** Where each glyph begins in `glyf`, and where the last one ends. */
  readonly offsets: Uint32Array

  /** @throws JobFailure corrupt_input */
  constructor(font: Font) {
    this.count = glyphCountOf(font)
    this.glyf = tableOf(font, 'glyf')
    const loca = tableOf(font, 'loca')
    const long = tableOf(font, 'head').i16(50) !== 0
    this.offsets = new Uint32Array(this.count + 1)
    // Some fonts have too few offsets: the last glyph with an offset extends to the end of `glyf`, later ones are empty.
    const stored = Math.min(this.count + 1, Math.floor(loca.length / (long ? 4 : 2)))
    for (let i = 0; i < stored; i++) this.offsets[i] = long ? loca.u32(4 * i) : 2 * loca.u16(2 * i)
    this.offsets.fill(this.glyf.length, stored)
  }

  /** A glyph's stored bytes; empty for one without outline. */
  bytes(index: number): Uint8Array {
    const start = this.offsets[index]
    const end = this.offsets[index + 1]
    if (start === undefined || end === undefined || end < start) throw damagedFont()
    return this.glyf.slice(start, end - start)
  }

  /** @returns undefined for a glyph without outline. @throws JobFailure corrupt_input */
  glyph(index: number): Glyph | undefined {
    const bytes = this.bytes(index)
    return bytes.length === 0 ? undefined : readGlyph(bytes)
  }
}

function readGlyph(bytes: Uint8Array): Glyph | undefined {
  const cursor = new FontCursor(bytes)
  const contours = cursor.i16()
  const box = { xMin: cursor.i16(), yMin: cursor.i16(), xMax: cursor.i16(), yMax: cursor.i16() }
  if (contours < 0) return readComposite(cursor, box)
  return contours === 0 ? undefined : readSimple(cursor, contours, box)
}

function readSimple(cursor: FontCursor, contours: number, box: GlyphBounds): SimpleGlyph {
  const ends = new Uint16Array(contours)
  let points = 0
  for (let i = 0; i < contours; i++) {
    const end = cursor.u16()
    if (end + 1 < points) throw damagedFont()
    ends[i] = end
    points = end + 1
  }
  cursor.skip(cursor.u16())
  const flags = new Uint8Array(points)
  for (let i = 0; i < points; ) {
    const flag = cursor.u8()
    const repeats = flag & 8 ? cursor.u8() : 0
    for (let stop = Math.min(points, i + repeats + 1); i < stop; i++) flags[i] = flag
  }
  const xs = readCoordinates(cursor, flags, 2, 16)
  const ys = readCoordinates(cursor, flags, 4, 32)
  const onCurve = flags.map(flag => flag & 1)
  return { kind: 'simple', box, ends, xs, ys, onCurve }
}

function readCoordinates(cursor: FontCursor, flags: Uint8Array, short: number, same: number): Int32Array {
  const values = new Int32Array(flags.length)
  let value = 0
  for (let i = 0; i < flags.length; i++) {
    const flag = flags[i]!
    if (flag & short) value += flag & same ? cursor.u8() : -cursor.u8()
    else if (!(flag & same)) value += cursor.i16()
    values[i] = value
  }
  return values
}

function readComposite(cursor: FontCursor, box: GlyphBounds): CompositeGlyph {
  const components: Component[] = []
  let flags: number
  do {
    if (components.length === COMPONENT_LIMIT) throw damagedFont()
    flags = cursor.u16()
    const glyph = cursor.u16()
    components.push({
      flags,
      glyph,
      arguments: readArguments(cursor, flags),
      matrix: readMatrix(cursor, flags),
    })
  } while (flags & componentFlags.more)
  return { kind: 'composite', box, components }
}

function readArguments(cursor: FontCursor, flags: number): [number, number] {
  const words = flags & componentFlags.wordArguments
  if (flags & componentFlags.offsets) {
    return words ? [cursor.i16(), cursor.i16()] : [cursor.i8(), cursor.i8()]
  }
  return words ? [cursor.u16(), cursor.u16()] : [cursor.u8(), cursor.u8()]
}

function readMatrix(cursor: FontCursor, flags: number): Component['matrix'] {
  if (flags & componentFlags.scale) {
    const scale = cursor.f2dot14()
    return [scale, 0, 0, scale]
  }
  if (flags & componentFlags.twoScales) return [cursor.f2dot14(), 0, 0, cursor.f2dot14()]
  if (flags & componentFlags.matrix) {
    return [cursor.f2dot14(), cursor.f2dot14(), cursor.f2dot14(), cursor.f2dot14()]
  }
  return [1, 0, 0, 1]
}
