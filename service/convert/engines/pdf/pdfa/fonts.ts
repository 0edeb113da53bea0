/** Embeds programs with the same widths for fonts that a PDF only names (ISO 19005-2, 6.2.11.4). */
import { readFileSync } from 'node:fs'
import { type PDFDict, type PDFDocument, PDFNumber } from '@cantoo/pdf-lib'
import * as fontkit from 'fontkit'
import { resource } from '../../common/resources.ts'
import type { Font } from '../../fonts/sfnt/font.ts'
import { readSfnt, writeSfnt } from '../../fonts/sfnt/sfnt.ts'
import { symbolicMap } from './cmap.ts'
import {
  type CodeTable,
  codeOfName,
  dingbats,
  lettersMap,
  standard,
  symbol,
  tableOf,
  winAnsi,
} from './encodings.ts'
import { baseEncodingOf, namedCodes, PROGRAMS } from './font-entries.ts'
import { allDicts, arrayEntry, dictEntry, entry, items, name, nameEntry, numberEntry } from './objects.ts'
import { keepGlyphs, setAdvances } from './program-tables.ts'

/** Bits of a font descriptor's flags (ISO 32000-1, table 123). */
const FLAGS = { fixed: 1, serif: 2, symbolic: 4, italic: 64, forceBold: 1 << 18 }

/** Tables that rendering does not need. */
const UNUSED = 'GPOS,GSUB,GDEF,kern,name,post,DSIG,meta,LTSH,hdmx,VDMX,cmap'.split(',')

export const isEmbedded = (descriptor: PDFDict | undefined): boolean =>
  descriptor !== undefined && PROGRAMS.some(key => entry(descriptor, key) !== undefined)

/** Embeds a program for every simple font that has none. */
export function embedFonts(document: PDFDocument): void {
  const fonts = new Set<PDFDict>()
  for (const { dict } of allDicts(document)) {
    if (nameEntry(dict, 'Type') !== 'Font') continue
    const simple = ['Type1', 'TrueType', 'MMType1'].includes(nameEntry(dict, 'Subtype') ?? '')
    if (simple && !isEmbedded(dictEntry(dict, 'FontDescriptor'))) fonts.add(dict)
  }
  for (const font of fonts) embed(document, font)
}

interface Substitute {
  program: Font
  font: fontkit.Font
  /** Glyphs by their names. */
  names: Map<string, number>
  space: number
}

const loaded = new Map<string, Substitute>()

export function substitute(file: string): Substitute {
  let found = loaded.get(file)
  if (!found) {
    const bytes = readFileSync(resource('fonts', `${file}.ttf`))
    const font = fontkit.create(bytes) as fontkit.Font
    const names = new Map<string, number>()
    for (let glyph = font.numGlyphs - 1; glyph >= 0; glyph--) {
      const glyphName = font.getGlyph(glyph).name
      if (glyphName) names.set(glyphName, glyph)
    }
    found = { program: readSfnt(bytes), font, names, space: glyphOf(font, 32) }
    loaded.set(file, found)
  }
  return found
}

interface Style {
  file: string
  base: CodeTable
  flags: number
}

/**
 * The substitute family and style, by name and flags; Arimo, Tinos and Cousine have the widths of Arial, Times and Courier.
 */
function styleOf(font: PDFDict): Style {
  const base = (nameEntry(font, 'BaseFont') ?? 'Helvetica').replace(/^[A-Z]{6}\+/, '')
  const given = numberEntry(font, 'FontDescriptor', 'Flags') ?? 0
  if (/zapf|dingbats|wingding|webding/i.test(base)) return { file: 'DejaVuSans', base: dingbats, flags: 0 }
  if (/^symbol/i.test(base)) return { file: 'DejaVuSans', base: symbol, flags: 0 }
  const bold = /bold|black|heavy|demi|semib/i.test(base) || (given & FLAGS.forceBold) !== 0
  const italic = /ital|obli/i.test(base) || (given & FLAGS.italic) !== 0
  const fixed = /cour|mono|consol|typewriter|fixed/i.test(base) || (given & FLAGS.fixed) !== 0
  const serif =
    (/times|serif|roman|georgia|garamond|book|palat|cambria|minion|century/i.test(base) &&
      !/sans/i.test(base)) ||
    ((given & FLAGS.serif) !== 0 && !/arial|helv/i.test(base))
  const family = fixed ? 'Cousine' : serif ? 'Tinos' : 'Arimo'
  const style = bold ? (italic ? 'BoldItalic' : 'Bold') : italic ? 'Italic' : 'Regular'
  const isTrueType = nameEntry(font, 'Subtype') === 'TrueType'
  return {
    file: `${family}-${style}`,
    base: isTrueType ? winAnsi : standard,
    flags: (fixed ? FLAGS.fixed : serif ? FLAGS.serif : 0) | (italic ? FLAGS.italic : 0),
  }
}

/** The Adobe name of a character's glyph; empty if text fonts have none. */
export function glyphNameOf(point: number): string {
  const { font } = substitute('Tinos-Regular')
  const glyph = point ? glyphOf(font, point) : 0
  return glyph ? (font.getGlyph(glyph).name ?? '') : ''
}

/** The glyph and the Unicode of each code of a font. */
function glyphsOf(font: PDFDict, { base }: Style, { font: program, names }: Substitute) {
  // Symbol fonts have their own encoding, whatever the file names.
  const isSigns = base === symbol || base === dingbats
  const unicode = [...(isSigns ? base : tableOf(baseEncodingOf(font), base))]
  const glyphs = unicode.map(code => (code ? glyphOf(program, code) : 0))
  for (const [code, glyphName] of namedCodes(font)) {
    const byNumber = codeOfName(glyphName)
    const glyph = names.get(glyphName) ?? (byNumber ? glyphOf(program, byNumber) : 0)
    // Names of single symbols, such as a20, are those of the base encoding.
    if (code in unicode && (glyph || !isSigns)) {
      glyphs[code] = glyph
      unicode[code] = byNumber || (program.stringsForGlyph(glyph)[0]?.codePointAt(0) ?? 0)
    }
  }
  return { glyphs, unicode }
}

const glyphOf = (font: fontkit.Font, code: number): number =>
  font.hasGlyphForCodePoint(code) ? font.glyphForCodePoint(code).id : 0

/** A program with these glyphs alone, which keep their numbers, and without a map of codes. */
export function partOf(program: Font, glyphs: readonly number[]): Font {
  const part = { ...program, tables: new Map(program.tables) }
  keepGlyphs(part, glyphs)
  for (const tag of UNUSED) part.tables.delete(tag)
  return part
}

function embed(document: PDFDocument, font: PDFDict): void {
  const { context } = document
  const style = styleOf(font)
  const own = substitute(style.file)
  const { unitsPerEm, bbox, ascent, descent, capHeight, italicAngle, postscriptName } = own.font
  const { glyphs, unicode } = glyphsOf(font, style, own)
  // Codes without a glyph show a space: .notdef must not be drawn (6.2.11.8).
  const scale = 1000 / unitsPerEm
  const first = numberEntry(font, 'FirstChar') ?? 0
  const given = [...items(context, arrayEntry(font, 'Widths'))].map(width =>
    width instanceof PDFNumber ? width.asNumber() : 0,
  )
  const advances = new Map<number, number>()
  for (let code = 0; code < 256; code++) {
    const width = given[code - first]
    glyphs[code] ||= own.space
    if (width !== undefined && width > 0 && width < 10_000)
      advances.set(glyphs[code]!, Math.round(width / scale))
  }
  const widths = glyphs.map(glyph =>
    Math.round((advances.get(glyph) ?? own.font.getGlyph(glyph).advanceWidth) * scale),
  )
  const changed = partOf(own.program, glyphs)
  setAdvances(changed, advances)
  changed.tables.set('cmap', symbolicMap(glyphs))
  const program = writeSfnt(changed)
  const points = (units: number) => Math.round(units * scale)
  const descriptor = context.obj({
    Type: 'FontDescriptor',
    FontName: `AAAAAA+${postscriptName ?? style.file}`,
    Flags: FLAGS.symbolic | style.flags,
    FontBBox: [points(bbox.minX), points(bbox.minY), points(bbox.maxX), points(bbox.maxY)],
    ItalicAngle: Math.round(italicAngle),
    Ascent: points(ascent),
    Descent: points(descent),
    CapHeight: points(capHeight || ascent),
    StemV: /Bold/.test(style.file) ? 140 : 80,
    FontFile2: context.register(context.flateStream(program, { Length1: program.length })),
  })
  font.set(name('Subtype'), name('TrueType'))
  font.set(name('BaseFont'), name(`AAAAAA+${postscriptName ?? style.file}`))
  font.set(name('FirstChar'), PDFNumber.of(0))
  font.set(name('LastChar'), PDFNumber.of(255))
  font.set(name('Widths'), context.obj(widths))
  font.set(name('FontDescriptor'), context.register(descriptor))
  // The program itself maps the codes; an encoding would violate 6.2.11.6.
  font.delete(name('Encoding'))
  const letters = unicode.flatMap((point, code): [number, string][] =>
    point ? [[code, String.fromCodePoint(point)]] : [],
  )
  if (!font.has(name('ToUnicode')))
    font.set(name('ToUnicode'), context.register(context.flateStream(lettersMap(letters))))
}
