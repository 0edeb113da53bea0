/** What fonts say of their own codes: names of glyphs, and the maps of their programs. */
import type { PDFDict } from '@cantoo/pdf-lib'
import { readCff } from '../../fonts/outlines/cff/read.ts'
import { readGlyphNames } from '../../fonts/outlines/post-names.ts'
import { type Font, glyphCountOf } from '../../fonts/sfnt/font.ts'
import { readSfnt } from '../../fonts/sfnt/sfnt.ts'
import { readMaps } from '../pdfa/cmap.ts'
import { codeOfName, tableOf } from '../pdfa/encodings.ts'
import { baseEncodingOf, descendantOf, glyphsOfCids, namedCodes, PROGRAMS } from '../pdfa/font-entries.ts'
import { glyphNameOf, substitute } from '../pdfa/fonts.ts'
import { dataOf, dictEntry, entry, nameEntry } from '../pdfa/objects.ts'
import { cffProgram, type OutlineProgram, readType1 } from '../pdfa/outline-program.ts'

interface Budget {
  bytes: number
}

/** Glyphs of a program by code, and what they show. */
interface Program {
  glyphOf(code: number): number | undefined
  textOf(glyph: number): string | undefined
}

/**
 * The text of each code that the font itself names.
 * @param budget of bytes of maps, which is used up
 */
export function ownLetters(font: PDFDict, budget: Budget): Map<number, string> {
  const letters = new Map<number, string>()
  const descendant = descendantOf(font)
  if (descendant && !/^Identity-[HV]$/.test(nameEntry(font, 'Encoding') ?? '')) return letters
  const program = programOf(dictEntry(descendant ?? font, 'FontDescriptor'), descendant, budget)
  const names = new Map(namedCodes(font))
  const base = descendant ? undefined : baseEncodingOf(font)
  for (let code = 0; code < (descendant ? 0x10000 : 0x100); code++) {
    const named = names.get(code)
    const glyph = program?.glyphOf(code)
    const point = base && tableOf(base)[code]
    const text =
      named === undefined
        ? point
          ? String.fromCodePoint(point)
          : glyph && program?.textOf(glyph)
        : textOfName(named)
    if (text) letters.set(code, text)
  }
  return letters
}

function programOf(
  descriptor: PDFDict | undefined,
  descendant: PDFDict | undefined,
  budget: Budget,
): Program | undefined {
  const bytes = PROGRAMS.map(key => dataOf(entry(descriptor, key)))
  const data = bytes.find(each => each)
  try {
    if (bytes[0]) return outlines(readType1(bytes[0]), descendant)
    if (data?.[0] === 1 && !bytes[1]) return outlines(cffProgram(readCff(data)), descendant)
    return data && trueType(readSfnt(data, 0, true), descendant, budget)
  } catch {
    // A damaged program says nothing.
    return undefined
  }
}

const outlines = (program: OutlineProgram, descendant: PDFDict | undefined): Program => ({
  glyphOf: code => (descendant ? program.glyphOfCid(code) : program.encoding[code]),
  textOf: glyph => textOfName(program.nameOf(glyph) ?? ''),
})

function trueType(font: Font, descendant: PDFDict | undefined, budget: Budget): Program {
  const table = font.tables.get('cmap')
  budget.bytes -= table?.length ?? 0
  const maps = budget.bytes > 0 ? readMaps(table) : []
  const names = readGlyphNames(font, glyphCountOf(font))
  const letters = new Map<number, string>()
  for (const { glyph } of maps.filter(map => map.platform === 0 || (map.platform === 3 && map.encoding)))
    for (let point = 0xffef; point > 0x20; point--)
      if (point < 0xd800 || point > 0xf8ff) letters.set(glyph(point), String.fromCharCode(point))
  const ofCid = descendant && glyphsOfCids(descendant)
  const symbols = maps.filter(map => map.platform === 1 || (map.platform === 3 && !map.encoding))
  const starts = [0, 0xf000, 0xf100, 0xf200]
  return {
    glyphOf: code =>
      ofCid
        ? ofCid(code)
        : symbols.flatMap(map => starts.map(start => map.glyph(start + code))).find(glyph => glyph > 0),
    textOf: glyph => letters.get(glyph) ?? textOfName(names?.[glyph] ?? ''),
  }
}

/** Characters by the names of their glyphs. */
let named: Map<string, number> | undefined

/** What a glyph shows, by the rules of Adobe's glyph list (AGL 2): parts joined by underscores, a suffix for its form. */
export function textOfName(glyph: string): string | undefined {
  named ??= new Map(
    substitute('Tinos-Regular')
      .font.characterSet.toReversed()
      .map(point => [glyphNameOf(point), point]),
  )
  const letters = glyph
    .replace(/\..*$/, '')
    .split('_')
    .map(part => {
      const code = codeOfName(part) || named!.get(part)
      if (code) return String.fromCodePoint(Math.min(code, 0x10ffff))
      return /^(?:f[fil]|ff[il])$/.test(part) ? part : undefined
    })
  return letters.includes(undefined) ? undefined : letters.join('')
}
