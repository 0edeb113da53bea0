/** Outlines as separate streams of similar values, which compress better: https://www.w3.org/TR/WOFF2/#glyf_table_format */
import { ByteWriter, damagedFont, FontCursor, FontData } from '../data.ts'
import type { Font } from '../font.ts'
import { componentFlags, type Glyph, GlyphTable, readComponents, type SimpleGlyph } from '../glyf/read.ts'
import { boxAround, GlyphWriter } from '../glyf/write.ts'
import { read255, write255 } from './numbers.ts'
import { readTriplet, writeTriplet } from './triplets.ts'

const HEADER_BYTES = 36
const STREAMS = 7
/** Maximum number of points of a glyph, as in `glyf` itself. */
const POINT_LIMIT = 65_536
/** Flag for a bitmap after the streams, of glyphs whose contours overlap. */
const HAS_OVERLAPS = 1

const bitmapBytes = (glyphs: number) => ((glyphs + 31) >> 5) << 2

export interface PackedGlyphs {
  /** The transformed table. */
  packed: Uint8Array
  /** Left edge of each glyph. */
  xMin: Int16Array
}

/**
 * Transforms `glyf` and `loca` of a font.
 * @param long whether the unpacked `loca` has 32-bit offsets
 * @throws JobFailure corrupt_input
 */
export function packGlyphs(font: Font, long: boolean): PackedGlyphs {
  const glyphs = new GlyphTable(font)
  const contours = new ByteWriter(2 * glyphs.count + 2)
  const [pointCounts, flags, steps] = [new ByteWriter(), new ByteWriter(), new ByteWriter()]
  const [composites, boxes, instructions] = [new ByteWriter(), new ByteWriter(), new ByteWriter()]
  const hasBox = new Uint8Array(bitmapBytes(glyphs.count))
  const overlaps = new Uint8Array((glyphs.count + 7) >> 3)
  const xMin = new Int16Array(glyphs.count)
  for (let index = 0; index < glyphs.count; index++) {
    const glyph = glyphs.glyph(index)
    if (!glyph) {
      contours.u16(0)
      continue
    }
    xMin[index] = glyph.box.xMin
    if (glyph.kind === 'composite' || !isBoxOfPoints(glyph)) {
      hasBox[index >> 3]! |= 0x80 >> (index & 7)
      const { box } = glyph
      for (const edge of [box.xMin, box.yMin, box.xMax, box.yMax]) boxes.u16(edge)
    }
    if (glyph.kind === 'composite') {
      contours.u16(0xffff)
      composites.bytes(glyph.bytes)
    } else {
      contours.u16(glyph.ends.length)
      packPoints(glyph, pointCounts, flags, steps)
      if (glyph.overlapping) overlaps[index >> 3]! |= 0x80 >> (index & 7)
    }
    if (glyph.instructions) {
      write255(steps, glyph.instructions.length)
      instructions.bytes(glyph.instructions)
    }
  }
  const overlapping = overlaps.some(byte => byte !== 0)
  const out = new ByteWriter(1 << 16)
  out.u16(0)
  out.u16(overlapping ? HAS_OVERLAPS : 0)
  out.u16(glyphs.count)
  out.u16(long ? 1 : 0)
  const boxStream = Buffer.concat([hasBox, boxes.take()])
  const streams = [contours, pointCounts, flags, steps, composites].map(stream => stream.take())
  streams.push(boxStream, instructions.take())
  for (const stream of streams) out.u32(stream.length)
  for (const stream of streams) out.bytes(stream)
  if (overlapping) out.bytes(overlaps)
  return { packed: out.take(), xMin }
}

function isBoxOfPoints({ box, xs, ys }: SimpleGlyph): boolean {
  const { xMin, yMin, xMax, yMax } = boxAround(xs, ys)
  return box.xMin === xMin && box.yMin === yMin && box.xMax === xMax && box.yMax === yMax
}

function packPoints(glyph: SimpleGlyph, counts: ByteWriter, flags: ByteWriter, steps: ByteWriter): void {
  let points = 0
  for (const end of glyph.ends) {
    write255(counts, end + 1 - points)
    points = end + 1
  }
  let [x, y] = [0, 0]
  for (let i = 0; i < points; i++) {
    const [nextX, nextY] = [glyph.xs[i]!, glyph.ys[i]!]
    writeTriplet(flags, steps, nextX - x, nextY - y, glyph.onCurve[i]!)
    x = nextX
    y = nextY
  }
}

/** Tables restored from a transformed `glyf`. */
export interface UnpackedGlyphs {
  glyf: Uint8Array
  loca: Uint8Array
  /** Whether `loca` has 32-bit offsets, which `head` has to declare. */
  long: boolean
  /** Size of `loca` with offsets as the file declares them, which may be too short for this `glyf`. */
  declaredLocaBytes: number
  /** Left edge of each glyph. */
  xMin: Int16Array
}

interface Streams {
  contours: FontCursor
  pointCounts: FontCursor
  flags: FontCursor
  steps: FontCursor
  composites: FontCursor
  boxes: FontCursor
  instructions: FontCursor
}

/** Restores `glyf` and `loca` from a transformed `glyf`. @throws JobFailure corrupt_input */
export function unpackGlyphs(packed: Uint8Array): UnpackedGlyphs {
  const data = new FontData(packed)
  const count = data.u16(4)
  let start = HEADER_BYTES
  const parts = Array.from({ length: STREAMS }, (_, index) => {
    const length = data.u32(8 + 4 * index)
    const part = data.slice(start, length)
    start += length
    return new FontCursor(part)
  })
  const [contours, pointCounts, flags, steps, composites, boxes, instructions] = parts
  const streams = { contours, pointCounts, flags, steps, composites, boxes, instructions } as Streams
  const hasBox = streams.boxes.take(bitmapBytes(count))
  const overlaps = data.u16(2) & HAS_OVERLAPS ? data.slice(start, (count + 7) >> 3) : undefined
  const isSet = (bits: Uint8Array, index: number) => (bits[index >> 3]! & (0x80 >> (index & 7))) !== 0
  const out = new GlyphWriter()
  const xMin = new Int16Array(count)
  for (let index = 0; index < count; index++) {
    const glyph = unpackGlyph(streams, isSet(hasBox, index))
    if (!glyph) {
      out.empty()
      continue
    }
    xMin[index] = glyph.box.xMin
    if (glyph.kind === 'composite') out.composite(glyph.box, glyph.bytes, glyph.instructions)
    else out.simple({ ...glyph, overlapping: overlaps !== undefined && isSet(overlaps, index) })
  }
  const long = data.u16(6) !== 0
  return { ...out.take(long), declaredLocaBytes: (count + 1) * (long ? 4 : 2), xMin }
}

function unpackGlyph(streams: Streams, hasBox: boolean): Glyph | undefined {
  const contours = streams.contours.u16()
  if (contours === 0) {
    if (hasBox) throw damagedFont()
    return undefined
  }
  if (contours === 0xffff) return unpackComposite(streams, hasBox)
  const ends = new Uint16Array(contours)
  let points = 0
  for (let i = 0; i < contours; i++) {
    points += read255(streams.pointCounts)
    if (points > POINT_LIMIT) throw damagedFont()
    ends[i] = points - 1
  }
  const { xs, ys, onCurve } = unpackPoints(streams, points)
  const instructions = streams.instructions.take(read255(streams.steps))
  const box = hasBox ? readBox(streams.boxes) : boxAround(xs, ys)
  return { kind: 'simple', box, ends, xs, ys, onCurve, overlapping: false, instructions }
}

function unpackPoints(streams: Streams, points: number) {
  const xs = new Int32Array(points)
  const ys = new Int32Array(points)
  const onCurve = new Uint8Array(points)
  const step = { dx: 0, dy: 0 }
  let [x, y] = [0, 0]
  for (let i = 0; i < points; i++) {
    const flag = streams.flags.u8()
    onCurve[i] = flag < 128 ? 1 : 0
    readTriplet(flag & 127, streams.steps, step)
    x += step.dx
    y += step.dy
    xs[i] = x
    ys[i] = y
  }
  return { xs, ys, onCurve }
}

function unpackComposite(streams: Streams, hasBox: boolean): Glyph {
  // The box of a composite glyph depends on other glyphs, so it has to be stored.
  if (!hasBox) throw damagedFont()
  const { composites } = streams
  const start = composites.position
  const components = readComponents(composites)
  const bytes = composites.data.slice(start, composites.position - start)
  const instructed = components.some(({ flags }) => flags & componentFlags.instructions)
  const instructions = instructed ? streams.instructions.take(read255(streams.steps)) : undefined
  return { kind: 'composite', box: readBox(streams.boxes), components, bytes, instructions }
}

const readBox = (boxes: FontCursor) => ({
  xMin: boxes.i16(),
  yMin: boxes.i16(),
  xMax: boxes.i16(),
  yMax: boxes.i16(),
})
