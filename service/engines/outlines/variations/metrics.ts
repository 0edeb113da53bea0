/** Variations of advance widths: OpenType 1.9.1, table `HVAR`. */
import { FontData } from '../../sfnt/data.ts'
import type { Font } from '../../sfnt/font.ts'
import type { Budget } from '../budget.ts'
import { type Region, readVariationStore, type VariationStore, writeVariationStore } from './store.ts'

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

/**
 * Writes `HVAR`.
 * @param changes of the advance width of each glyph, by number of a region
 */
export function writeAdvanceChanges(
  axes: number,
  regions: readonly Region[],
  changes: readonly ReadonlyMap<number, number>[],
): Uint8Array {
  const used = [...new Set(changes.flatMap(glyph => [...glyph.keys()]))].sort((a, b) => a - b)
  const items = changes.map(glyph => used.map(region => Math.round(glyph.get(region) ?? 0)))
  const store = writeVariationStore(axes, regions, [{ regions: used, items }])
  const header = Buffer.alloc(20)
  header.writeUInt16BE(1, 0)
  header.writeUInt32BE(header.length, 4)
  return Buffer.concat([header, store])
}
