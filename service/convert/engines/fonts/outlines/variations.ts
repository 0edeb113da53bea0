import { copyOf, type Font, tableOf } from '../sfnt/font.ts'

/** Tables of variations. */
const VARIABLE = ['fvar', 'avar', 'HVAR', 'VVAR', 'MVAR', 'STAT']
/** Where other tables point to variations: tag, first version that does, offset. */
const POINTERS = [
  ['GDEF', 0x0001_0003, 14],
  ['BASE', 0x0001_0001, 8],
] as const

/** Makes the new tables of a font those of its default style. */
export function removeVariations(font: Font, tables: Font['tables']): void {
  if (!tables.has('fvar')) return
  for (const tag of VARIABLE) tables.delete(tag)
  for (const [tag, version, offset] of POINTERS) {
    if (!tables.has(tag) || tableOf(font, tag).u32(0) < version) continue
    const table = copyOf(font, tag, offset + 4)
    table.writeUInt32BE(0, offset)
    tables.set(tag, table)
  }
}
