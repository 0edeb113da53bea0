/** Glyphs that the codes of simple TrueType fonts show. */
import { type PDFDict, PDFNumber, type PDFRawStream } from '@cantoo/pdf-lib'
import type { MetricsTable } from '../../fonts/outlines/metrics-table.ts'
import type { Font } from '../../fonts/sfnt/font.ts'
import type { CharacterMap } from './cmap.ts'
import { tableOf } from './encodings.ts'
import { baseEncodingOf } from './font-entries.ts'
import { arrayEntry, dictEntry, entry, name, numberEntry } from './objects.ts'

const SYMBOLIC = 4
const NON_SYMBOLIC = 32

/** A TrueType program shared by fonts, and the widths they give its glyphs. */
export interface FontProgram {
  stream: PDFRawStream
  font: Font
  metrics: MetricsTable
  unitsPerEm: number
  maps: CharacterMap[]
  /** Advances in font units that must be changed. */
  advances: Map<number, number>
  /** Glyphs by code that replace its maps, since a symbolic font may not use those. */
  symbols?: number[]
  /** Whether a font uses its maps. */
  mapped?: boolean
}

/**
 * Maps the codes of a simple TrueType font to glyphs (ISO 32000-1, 9.6.6.4); returns a problem if its flags and encoding are
 * not permitted by 6.2.11.6. Small contradictions are fixed.
 */
export function glyphsOfCodes(
  font: PDFDict,
  descriptor: PDFDict,
  program: FontProgram,
): ((code: number) => number) | string {
  const { maps } = program
  const find = (platform: number, encoding: number) =>
    maps.find(map => map.platform === platform && map.encoding === encoding)
  const unicode = find(3, 1)
  const microsoftSymbol = find(3, 0)
  const mac = find(1, 0)
  const flags = numberEntry(descriptor, 'Flags') ?? NON_SYMBOLIC
  const encoding = entry(font, 'Encoding')
  const dict = dictEntry(font, 'Encoding')
  const base = baseEncodingOf(font)
  const named = base === 'WinAnsiEncoding' || base === 'MacRomanEncoding'
  const setFlags = (value: number) => descriptor.set(name('Flags'), PDFNumber.of(value))
  let symbolic = (flags & SYMBOLIC) !== 0
  if (symbolic && named && unicode && !dict) {
    symbolic = false
    setFlags((flags & ~SYMBOLIC) | NON_SYMBOLIC)
  } else if (!symbolic && !encoding && (microsoftSymbol || mac)) {
    symbolic = true
    setFlags((flags & ~NON_SYMBOLIC) | SYMBOLIC)
  } else if (symbolic && encoding) {
    if (!microsoftSymbol && !mac) return 'flags and encoding contradict each other'
    font.delete(name('Encoding'))
  }
  if (symbolic) {
    const isPermitted = microsoftSymbol !== undefined || (maps.length === 1 && mac !== undefined)
    if (!isPermitted) return replacedMap(program, mac ?? (maps.length === 1 ? maps[0] : undefined))
    if (program.symbols) return TWO_MAPS
    program.mapped = true
    if (microsoftSymbol) {
      return code =>
        [0xf000, 0, 0xf100, 0xf200].reduce((glyph, start) => glyph || microsoftSymbol.glyph(start + code), 0)
    }
    return code => mac?.glyph(code) ?? 0
  }
  if (program.symbols) return TWO_MAPS
  program.mapped = true
  if (!named) return 'an encoding that is not allowed'
  if (arrayEntry(dict, 'Differences')) {
    // Glyph names must be in the Adobe Glyph List, which is not available here; ordinary ones are in every font.
    return unicode ? () => 1 : 'names of glyphs without a map of Unicode'
  }
  const table = tableOf(base)
  if (!unicode && !mac) return 'no map of codes'
  const macCode = tableOf('MacRomanEncoding')
  return code => {
    const point = table[code] ?? 0
    return unicode ? unicode.glyph(point) : (mac?.glyph(Math.max(0, macCode.indexOf(point))) ?? 0)
  }
}

const TWO_MAPS = 'two maps of codes'

/** Gives a program one map for symbols, with the glyphs that this map has; returns a problem if fonts use others. */
function replacedMap(
  program: FontProgram,
  map: CharacterMap | undefined,
): ((code: number) => number) | string {
  if (!map) return 'several maps of codes'
  if (program.mapped) return TWO_MAPS
  program.symbols = Array.from({ length: 256 }, (_, code) => map.glyph(code))
  return code => map.glyph(code)
}
