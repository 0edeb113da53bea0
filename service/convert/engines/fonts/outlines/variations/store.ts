/** Which parts of the design space cause changes, and how large they are: OpenType 1.9.1, "Item variation store". */
import { damagedFont, type FontData } from '../../sfnt/data.ts'

/** Where along one axis a change starts, reaches its full size, and ends, each -1 to 1. */
export type AxisRegion = readonly [start: number, peak: number, end: number]

/** A span for each axis. */
export type Region = readonly AxisRegion[]

export interface VariationSubtable {
  /** Numbers of the regions of its changes. */
  regions: number[]
  /** Changes of one item, by region. */
  changes: (item: number) => number[]
}

export interface VariationStore {
  axes: number
  regions: Region[]
  subtables: VariationSubtable[]
}

/** Maximum number of region references in all subtables together; many subtables may overlap in the file. */
const REFERENCE_LIMIT = 1_000_000

/** Flag for changes of 32 and 16 bits instead of 16 and 8. */
const LONG_WORDS = 0x8000

/** @throws JobFailure corrupt_input */
export function readVariationStore(data: FontData): VariationStore {
  if (data.u16(0) !== 1) throw damagedFont()
  const list = data.u32(2)
  const axes = data.u16(list)
  const regions = Array.from({ length: data.u16(list + 2) }, (_, region) =>
    Array.from({ length: axes }, (_, axis): AxisRegion => {
      const at = list + 4 + 6 * (region * axes + axis)
      return [data.f2dot14(at), data.f2dot14(at + 2), data.f2dot14(at + 4)]
    }),
  )
  let references = 0
  const subtables = Array.from({ length: data.u16(6) }, (_, index) => {
    const subtable = readSubtable(data.from(data.u32(8 + 4 * index)), regions.length)
    references += subtable.regions.length
    if (references > REFERENCE_LIMIT) throw damagedFont()
    return subtable
  })
  return { axes, regions, subtables }
}

function readSubtable(data: FontData, regionCount: number): VariationSubtable {
  const items = data.u16(0)
  const words = data.u16(2) & ~LONG_WORDS
  const long = (data.u16(2) & LONG_WORDS) !== 0
  const regions = Array.from({ length: data.u16(4) }, (_, index) => data.u16(6 + 2 * index))
  if (words > regions.length || regions.some(region => region >= regionCount)) throw damagedFont()
  const [wide, narrow] = long ? [4, 2] : [2, 1]
  const start = 6 + 2 * regions.length
  const rowBytes = words * wide + (regions.length - words) * narrow
  const changes = (item: number): number[] => {
    if (item >= items) return regions.map(() => 0)
    let at = start + item * rowBytes
    return regions.map((_, index) => {
      const size = index < words ? wide : narrow
      const value = size === 4 ? data.i32(at) : size === 2 ? data.i16(at) : data.i8(at)
      at += size
      return value
    })
  }
  return { regions, changes }
}
