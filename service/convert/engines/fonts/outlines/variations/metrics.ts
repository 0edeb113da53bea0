/** Variations of advance widths: OpenType 1.9.1, table `HVAR`. */
import { FontData } from '../../sfnt/data.ts'
import type { Font } from '../../sfnt/font.ts'
import type { Budget } from '../budget.ts'
import { type Region, readVariationStore, type VariationStore } from './store.ts'

/** Changes of the advance width of a glyph, by region. */
export type AdvanceChanges = (glyph: number) => { region: Region; change: number }[]

/** Reads `HVAR`; without it no width varies. @throws JobFailure corrupt_input; while reading changes also too_large */
export function readAdvanceChanges(font: Font, budget: Budget): AdvanceChanges {
  const bytes = font.tables.get('HVAR')
  if (!bytes) return () => []
  const data = new FontData(bytes)
  const store = readVariationStore(data.from(data.u32(4)))
  const map = data.u32(8)
  const indexOf = map === 0 ? (glyph: number) => [0, glyph] as const : readMap(data.from(map))
  return glyph => changesOf(store, ...indexOf(glyph), budget)
}

function changesOf(store: VariationStore, outer: number, inner: number, budget: Budget) {
  const subtable = store.subtables[outer]
  if (!subtable) return []
  budget.spend(subtable.regions.length)
  return subtable
    .changes(inner)
    .map((change, i) => ({ region: store.regions[subtable.regions[i]!]!, change }))
}

/** OpenType 1.9.1, "Associating target items to variation data". */
function readMap(data: FontData): (glyph: number) => readonly [outer: number, inner: number] {
  const format = data.u8(1)
  const size = ((format >> 4) & 3) + 1
  const innerBits = (format & 15) + 1
  const wide = data.u8(0) === 1
  const count = wide ? data.u32(2) : data.u16(2)
  const start = wide ? 6 : 4
  return glyph => {
    if (count === 0) return [0, glyph]
    let entry = 0
    const at = start + Math.min(glyph, count - 1) * size
    for (let i = 0; i < size; i++) entry = entry * 256 + data.u8(at + i)
    return [Math.floor(entry / 2 ** innerBits), entry % 2 ** innerBits]
  }
}
