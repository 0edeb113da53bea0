/** Reads a CFF or CFF2 table: Adobe Technical Note 5176; OpenType 1.9.1, table `CFF2`. */
import type { Matrix } from '../../../common/matrix.ts'
import { damagedFont, FontData } from '../../sfnt/data.ts'
import { predefinedCharsets, standardStrings } from './standard-strings.ts'
import { type Dict, operators, readDict, readIndex } from './structures.ts'

/** Data shared by glyphs: of the whole font, or of the glyphs that select it. */
export interface FontDict {
  subroutines: Uint8Array[]
  /** Which regions variable numbers depend on, unless the glyph specifies others. */
  variationIndex: number
  /** Width of glyphs that have none, and what the others' widths are relative to. */
  defaultWidth: number
  nominalWidth: number
}

export interface CffTable {
  /** Whether it is CFF2, whose glyph programs have neither width nor end. */
  isCff2: boolean
  charStrings: Uint8Array[]
  globalSubroutines: Uint8Array[]
  /** The dictionary of each glyph. */
  dictOf: (glyph: number) => FontDict
  matrix: Matrix | undefined
  /** Number of each glyph's name, or its CID. */
  charset: Uint16Array
  /** Whether glyphs have CIDs instead of names. */
  isCid: boolean
  strings: string[]
  /** Glyphs by code in the font's own encoding; empty for the standard and expert ones. */
  encoding: () => number[]
  /** How many regions of the design space each subtable of a variable font's store has. */
  regionCounts: number[]
}

/** @throws JobFailure corrupt_input */
export function readCff(bytes: Uint8Array): CffTable {
  const data = new FontData(bytes)
  return data.u8(0) === 2 ? readCff2(data) : readCff1(data)
}

function readCff1(data: FontData): CffTable {
  if (data.u8(0) !== 1) throw damagedFont()
  const names = readIndex(data, data.u8(2))
  const tops = readIndex(data, names.end)
  const top = readDict(tops.items[0] ?? new Uint8Array())
  const strings = readIndex(data, tops.end)
  const globals = readIndex(data, strings.end)
  const charStrings = readIndex(data, offsetIn(top, operators.charStrings)).items
  const isCid = top.has(operators.registry)
  const charset = readCharset(data, top.get(operators.charset)?.[0] ?? 0, charStrings.length, isCid)
  return {
    isCff2: false,
    charStrings,
    globalSubroutines: globals.items,
    dictOf: readDicts(data, top, charStrings.length, isCid),
    matrix: matrixOf(top),
    charset,
    isCid,
    strings: strings.items.map(item => Buffer.from(item).toString('latin1')),
    encoding: () => (isCid ? [] : readEncoding(data, top.get(operators.encoding)?.[0] ?? 0, charset)),
    regionCounts: [],
  }
}

function readCff2(data: FontData): CffTable {
  const start = data.u8(2)
  const length = data.u16(3)
  const top = readDict(data.slice(start, length))
  const globals = readIndex(data, start + length, true)
  const charStrings = readIndex(data, offsetIn(top, operators.charStrings), true).items
  const store = top.get(operators.variationStore)?.[0]
  return {
    isCff2: true,
    charStrings,
    globalSubroutines: globals.items,
    dictOf: readDicts(data, top, charStrings.length, true, true),
    matrix: matrixOf(top),
    charset: new Uint16Array(),
    isCid: true,
    strings: [],
    encoding: () => [],
    // The store is preceded by its length.
    regionCounts: store === undefined ? [] : readRegionCounts(data.from(store + 2)),
  }
}

/** OpenType 1.9.1, "Item variation store". */
const readRegionCounts = (store: FontData): number[] =>
  Array.from({ length: store.u16(6) }, (_, index) => store.u16(store.u32(8 + 4 * index) + 4))

function offsetIn(dict: Dict, operator: number): number {
  const offset = dict.get(operator)?.[0]
  if (offset === undefined) throw damagedFont()
  return offset
}

function matrixOf(dict: Dict): Matrix | undefined {
  const [a, b, c, d, e, f] = dict.get(operators.matrix) ?? []
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined
  return [a, b, c, d, e ?? 0, f ?? 0]
}

function readDicts(
  data: FontData,
  top: Dict,
  glyphs: number,
  several: boolean,
  wide = false,
): CffTable['dictOf'] {
  if (!several) {
    const only = readFontDict(data, top, wide)
    return () => only
  }
  const items = readIndex(data, offsetIn(top, operators.fontDicts), wide).items
  const dicts = items.map(item => readFontDict(data, readDict(item), wide))
  const select = top.get(operators.fontDictSelect)?.[0]
  const selected = select === undefined ? undefined : readSelection(data, select, glyphs)
  return glyph => {
    const dict = dicts[selected?.[glyph] ?? 0]
    if (!dict) throw damagedFont()
    return dict
  }
}

function readFontDict(data: FontData, dict: Dict, wide: boolean): FontDict {
  const [length, offset] = dict.get(operators.private) ?? []
  if (length === undefined || offset === undefined) {
    return { subroutines: [], variationIndex: 0, defaultWidth: 0, nominalWidth: 0 }
  }
  const own = readDict(data.slice(offset, length))
  const subroutines = own.get(operators.subroutines)?.[0]
  return {
    subroutines: subroutines === undefined ? [] : readIndex(data, offset + subroutines, wide).items,
    variationIndex: own.get(operators.variationIndex)?.[0] ?? 0,
    defaultWidth: own.get(operators.defaultWidth)?.[0] ?? 0,
    nominalWidth: own.get(operators.nominalWidth)?.[0] ?? 0,
  }
}

/** Number of the dictionary that each glyph selects. */
function readSelection(data: FontData, start: number, glyphs: number): Uint16Array {
  const selected = new Uint16Array(glyphs)
  const format = data.u8(start)
  if (format === 0) {
    for (let glyph = 0; glyph < glyphs; glyph++) selected[glyph] = data.u8(start + 1 + glyph)
    return selected
  }
  if (format !== 3 && format !== 4) throw damagedFont()
  const wide = format === 4
  const count = wide ? data.u32(start + 1) : data.u16(start + 1)
  let at = start + (wide ? 5 : 3)
  for (let range = 0; range < count; range++) {
    const first = wide ? data.u32(at) : data.u16(at)
    const dict = wide ? data.u16(at + 4) : data.u8(at + 2)
    at += wide ? 6 : 3
    const end = wide ? data.u32(at) : data.u16(at)
    if (end <= first) throw damagedFont()
    selected.fill(dict, first, end)
  }
  return selected
}

function readCharset(data: FontData, offset: number, glyphs: number, isCid: boolean): Uint16Array {
  const charset = new Uint16Array(glyphs)
  if (offset <= 2) {
    const numbers = isCid ? undefined : predefinedCharsets[offset]
    for (let glyph = 1; glyph < glyphs; glyph++) charset[glyph] = numbers ? (numbers[glyph - 1] ?? 0) : glyph
    return charset
  }
  const format = data.u8(offset)
  if (format > 2) throw damagedFont()
  let at = offset + 1
  for (let glyph = 1; glyph < glyphs; ) {
    const first = data.u16(at)
    const left = format === 0 ? 0 : format === 1 ? data.u8(at + 2) : data.u16(at + 2)
    at += format === 0 ? 2 : format === 1 ? 3 : 4
    for (let i = 0; i <= left && glyph < glyphs; i++) charset[glyph++] = first + i
  }
  return charset
}

function readEncoding(data: FontData, offset: number, charset: Uint16Array): number[] {
  if (offset <= 1) return []
  const glyphs: number[] = []
  const format = data.u8(offset)
  const ranges = data.u8(offset + 1)
  const size = format & 0x7f ? 2 : 1
  let at = offset + 2
  for (let glyph = 1; at < offset + 2 + ranges * size; at += size) {
    const left = size === 2 ? data.u8(at + 1) : 0
    for (let i = 0; i <= left; i++) glyphs[data.u8(at) + i] = glyph++
  }
  // Codes of glyphs that have several.
  const supplements = format & 0x80 ? data.u8(at++) : 0
  for (let i = 0; i < supplements; i++, at += 3) glyphs[data.u8(at)] = charset.indexOf(data.u16(at + 1))
  return glyphs
}

/** The name of a glyph of a font whose glyphs have names. */
export function glyphName(cff: CffTable, glyph: number): string | undefined {
  const number = cff.charset[glyph] ?? 0
  return standardStrings[number] ?? cff.strings[number - standardStrings.length]
}
