/** Writes a CFF2 table: OpenType 1.9.1, table `CFF2`. */
import { operators, writeDict, writeIndex } from './structures.ts'
import { unitMatrix } from './write.ts'

export interface NewCff2 {
  charStrings: readonly Buffer[]
  globalSubroutines: readonly Buffer[]
  unitsPerEm: number
  /** Bytes of the variation store. */
  store: Uint8Array
}

export function writeCff2({ charStrings, globalSubroutines, unitsPerEm, store }: NewCff2): Buffer {
  const top = (storeOffset: number, charStringsOffset: number, dictsOffset: number) =>
    writeDict([
      ...(unitsPerEm === 1000 ? [] : [[operators.matrix, unitMatrix(unitsPerEm)] as const]),
      [operators.charStrings, [charStringsOffset]],
      [operators.variationStore, [storeOffset]],
      [operators.fontDicts, [dictsOffset]],
    ])
  const topBytes = top(0, 0, 0).length
  const header = Buffer.from([2, 0, 5, topBytes >> 8, topBytes & 0xff])
  const globals = writeIndex(globalSubroutines, true)
  const glyphs = writeIndex(charStrings, true)
  const storeOffset = header.length + topBytes + globals.length
  const glyphsOffset = storeOffset + 2 + store.length
  const dictsOffset = glyphsOffset + glyphs.length
  const dicts = (offset: number) => writeIndex([writeDict([[operators.private, [0, offset]]])], true)
  const storeLength = Buffer.from([store.length >> 8, store.length & 0xff])
  return Buffer.concat([
    header,
    top(storeOffset, glyphsOffset, dictsOffset),
    globals,
    storeLength,
    store,
    glyphs,
    // The private dictionary is empty.
    dicts(dictsOffset + dicts(0).length),
  ])
}
