/** Variations of advances: OpenType 1.9.1, tables `HVAR` and `VVAR`. */
import { FontData } from '../../sfnt/data.ts'
import type { Font } from '../../sfnt/font.ts'
import type { Budget } from '../budget.ts'
import {
  type Region,
  readVariationStore,
  type VariationStore,
  type WrittenSubtable,
  writeVariationStore,
} from './store.ts'

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

/** Changes of one value of each glyph, by number of a region. */
type GlyphChanges = readonly ReadonlyMap<number, number>[]

/** Writes `HVAR` with the changes of all advance widths. */
export function writeWidthChanges(
  axes: number,
  regions: readonly Region[],
  widths: GlyphChanges,
): Uint8Array {
  const header = Buffer.alloc(20)
  header.writeUInt16BE(1, 0)
  header.writeUInt32BE(header.length, 4)
  return Buffer.concat([header, writeVariationStore(axes, regions, [subtableOf(widths)])])
}

/** Writes `VVAR` with the changes of all advance heights and of the heights of all vertical origins. */
export function writeHeightChanges(
  axes: number,
  regions: readonly Region[],
  heights: GlyphChanges,
  origins: GlyphChanges,
): Uint8Array {
  const header = Buffer.alloc(24)
  // Without a map, glyphs use their own number in the first subtable; origins are in the second.
  const map = Buffer.alloc(4 + 4 * origins.length)
  map.writeUInt8(0x3f, 1)
  map.writeUInt16BE(origins.length, 2)
  for (let glyph = 0; glyph < origins.length; glyph++) map.writeUInt32BE(0x1_0000 + glyph, 4 + 4 * glyph)
  header.writeUInt16BE(1, 0)
  header.writeUInt32BE(header.length + map.length, 4)
  header.writeUInt32BE(header.length, 20)
  return Buffer.concat([
    header,
    map,
    writeVariationStore(axes, regions, [subtableOf(heights), subtableOf(origins)]),
  ])
}

function subtableOf(changes: GlyphChanges): WrittenSubtable {
  const used = new Set<number>()
  for (const glyph of changes) for (const [region, change] of glyph) if (Math.round(change)) used.add(region)
  const numbers = [...used].sort((a, b) => a - b)
  return {
    regions: numbers,
    items: changes.map(glyph => numbers.map(region => Math.round(glyph.get(region) ?? 0))),
  }
}
