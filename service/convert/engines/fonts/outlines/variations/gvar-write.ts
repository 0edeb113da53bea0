/** Writes the variations of TrueType outlines: OpenType 1.9.1, table `gvar`. */
import { ByteWriter } from '../../sfnt/data.ts'
import { writeChanges } from './packed.ts'
import type { Region } from './store.ts'

/**
 * The variations of one glyph: for each region, the changes of all its points and of the four phantom points for its
 * metrics.
 */
export type GlyphChanges = { region: Region; xs: ArrayLike<number>; ys: ArrayLike<number> }[]

const EMBEDDED_PEAK = 0x8000
const INTERMEDIATE = 0x4000
const SHARED_POINTS = 0x8000
const SHARED_LIMIT = 0x0fff

/** Collects glyphs one after another. */
export class GvarWriter {
  private readonly data = new ByteWriter(1 << 16)
  private readonly offsets = [0]
  private readonly peaks = new Map<string, { index: number; peak: number[] }>()

  add(changes: GlyphChanges): void {
    const moving = changes.filter(({ xs, ys }) => hasAny(xs) || hasAny(ys))
    if (moving.length > 0) this.write(moving)
    this.offsets.push(this.data.length)
  }

  take(axes: number): Uint8Array {
    const headerBytes = 20 + 4 * this.offsets.length
    const sharedBytes = 2 * axes * this.peaks.size
    const out = new ByteWriter(headerBytes + sharedBytes + this.data.length)
    out.u16(1)
    out.u16(0)
    out.u16(axes)
    out.u16(this.peaks.size)
    out.u32(headerBytes)
    out.u16(this.offsets.length - 1)
    out.u16(1)
    out.u32(headerBytes + sharedBytes)
    for (const offset of this.offsets) out.u32(offset)
    for (const { peak } of this.peaks.values()) for (const value of peak) out.f2dot14(value)
    out.bytes(this.data.take())
    return out.take()
  }

  private write(changes: GlyphChanges): void {
    const headers = new ByteWriter()
    const bodies = new ByteWriter()
    // All points of the glyph, for every region.
    bodies.u8(0)
    for (const { region, xs, ys } of changes) {
      const start = bodies.length
      writeChanges(bodies, xs)
      writeChanges(bodies, ys)
      headers.u16(bodies.length - start)
      this.writeRegion(headers, region)
    }
    const { data } = this
    data.u16(SHARED_POINTS | changes.length)
    data.u16(4 + headers.length)
    data.bytes(headers.take())
    data.bytes(bodies.take())
    data.pad(2)
  }

  private writeRegion(headers: ByteWriter, region: Region): void {
    const peak = region.map(span => span[1])
    const shared = this.shared(peak)
    const usual = region.every(([start, top, end]) => start === Math.min(top, 0) && end === Math.max(top, 0))
    headers.u16((shared ?? EMBEDDED_PEAK) | (usual ? 0 : INTERMEDIATE))
    if (shared === undefined) for (const value of peak) headers.f2dot14(value)
    if (usual) return
    for (const span of region) headers.f2dot14(span[0])
    for (const span of region) headers.f2dot14(span[2])
  }

  /** Number of a peak among the shared ones; undefined if there are too many. */
  private shared(peak: number[]): number | undefined {
    const key = peak.join()
    const known = this.peaks.get(key)
    if (known) return known.index
    if (this.peaks.size > SHARED_LIMIT) return undefined
    const index = this.peaks.size
    this.peaks.set(key, { index, peak })
    return index
  }
}

function hasAny(changes: ArrayLike<number>): boolean {
  for (let i = 0; i < changes.length; i++) if (changes[i]) return true
  return false
}
