/** Empties the glyphs of embedded fonts that nothing in a document shows. */

import {
  decodePDFRawStream,
  type PDFDict,
  type PDFDocument,
  type PDFObject,
  PDFRawStream,
} from '@cantoo/pdf-lib'
import { Budget } from '../../fonts/outlines/budget.ts'
import { drawGlyph } from '../../fonts/outlines/cff/charstring.ts'
import { readCff } from '../../fonts/outlines/cff/read.ts'
import { type Font, tableOf as tableIn } from '../../fonts/sfnt/font.ts'
import { readSfnt, writeSfnt } from '../../fonts/sfnt/sfnt.ts'
import { readMaps } from '../pdfa/cmap.ts'
import { tableOf } from '../pdfa/encodings.ts'
import { descendantOf, glyphsOfCids, namedCodes, replaceContents } from '../pdfa/font-entries.ts'
import { glyphNameOf } from '../pdfa/fonts.ts'
import { operationsWithState, shownStrings } from '../pdfa/graphics-state.ts'
import {
  allDicts,
  arrayEntry,
  contentStreams,
  dataOf,
  dictEntry,
  dictOf,
  entry,
  name,
  nameEntry,
  resourcesOf,
} from '../pdfa/objects.ts'
import { cffProgram } from '../pdfa/outline-program.ts'
import { keepGlyphs } from '../pdfa/program-tables.ts'

/** Tables of TrueType that a font inside a PDF does not need (ISO 32000-1, 9.9). */
const NEEDLESS = [
  ...['name', 'OS/2', 'meta', 'DSIG', 'GSUB', 'GPOS', 'GDEF', 'BASE', 'JSTF', 'kern', 'FFTM'],
  ...['EBDT', 'EBLC', 'EBSC', 'VDMX', 'hdmx', 'gasp', 'LTSH', 'PCLT'],
]
/** Encodings that simple fonts may use, whichever of them a program takes. */
const ENCODINGS = ['StandardEncoding', 'WinAnsiEncoding', 'MacRomanEncoding']
/** Codes of spaces, which fonts often have no glyph for. */
const SPACES = new Set([32, 160])
/** The operator `endchar` of Type 2 charstrings. */
const END_OF_GLYPH = 14

/** Strings by the font in which they are shown; those without one are shown in a font chosen elsewhere. */
type Shown = Map<PDFDict | undefined, Buffer[]>

/**
 * Empties the glyphs that nothing shows, and leaves out tables that no PDF needs. Glyphs keep their numbers, and fonts that fields
 * are filled in with, or of which it is not certain what they show, stay as they are.
 */
export function dropUnusedGlyphs(document: PDFDocument): void {
  let shown: Shown
  try {
    shown = shownIn(document)
  } catch {
    // What damaged content shows is unknown.
    return
  }
  const ofAny = shown.get(undefined) ?? []
  const filling = fillingFonts(document)
  const uses = new Map<PDFRawStream, Use[]>()
  for (const { dict } of allDicts(document)) {
    const use = usageOf(dict)
    if (!use) continue
    const strings = filling.has(dict) ? undefined : [...(shown.get(dict) ?? []), ...ofAny]
    uses.set(use.program, [...(uses.get(use.program) ?? []), { ...use, strings }])
  }
  for (const [program, users] of uses) {
    try {
      emptyUnused(document, program, users)
    } catch {
      // A font that cannot be read here stays as it is.
    }
  }
}

/** @throws Error for content that cannot be read */
function shownIn(document: PDFDocument): Shown {
  const shown: Shown = new Map()
  const { context } = document
  const data = (stream: PDFObject | undefined): Buffer => {
    const found = dataOf(stream)
    if (!found) throw new Error('no content')
    return found
  }
  const read = (content: Buffer, resources: PDFDict | undefined) => {
    for (const operation of operationsWithState(content, resources))
      for (const string of shownStrings(operation)) {
        const { font } = operation.state
        const known = shown.get(font)
        if (known) known.push(string)
        else shown.set(font, [string])
      }
  }
  for (const { node } of document.getPages())
    read(
      Buffer.concat(contentStreams(node).flatMap(each => [data(each), Buffer.from('\n')])),
      resourcesOf(node),
    )
  for (const { dict, stream } of allDicts(document)) {
    const resources = dictEntry(dict, 'Resources')
    if (stream && (nameEntry(dict, 'Subtype') === 'Form' || dict.has(name('PatternType'))))
      read(data(stream), resources)
    if (nameEntry(dict, 'Subtype') === 'Type3')
      for (const glyph of dictEntry(dict, 'CharProcs')?.values() ?? [])
        read(data(context.lookup(glyph)), resources)
    // A font that a state chooses has no name.
    if (nameEntry(dict, 'Type') === 'ExtGState' && dict.has(name('Font')))
      throw new Error('a font of a state')
  }
  return shown
}

/** Fonts in which people may write something new. */
function fillingFonts(document: PDFDocument): Set<PDFDict> {
  const fonts = dictEntry(document.catalog, 'AcroForm', 'DR', 'Font')
  return new Set(fonts?.values().flatMap(value => dictOf(document.context.lookup(value)) ?? []))
}

/** How a font uses its program. */
interface Use {
  font: PDFDict
  program: PDFRawStream
  /** The descendant of a composite font. */
  descendant: PDFDict | undefined
  /** What is shown in it; undefined if that is unknown. */
  strings?: Buffer[] | undefined
}

function usageOf(font: PDFDict): Use | undefined {
  const descendant = descendantOf(font)
  const descriptor = dictEntry(descendant ?? font, 'FontDescriptor')
  // A descendant is looked at with its font.
  if (!descriptor || (!descendant && /^CIDFont/.test(nameEntry(font, 'Subtype') ?? ''))) return undefined
  const program = entry(descriptor, 'FontFile2') ?? entry(descriptor, 'FontFile3')
  return program instanceof PDFRawStream ? { font, program, descendant } : undefined
}

function emptyUnused(document: PDFDocument, stream: PDFRawStream, uses: readonly Use[]): void {
  const bytes = Buffer.from(decodePDFRawStream(stream).decode())
  const kind = nameEntry(stream.dict, 'Subtype')
  if (kind === 'OpenType') return
  const smaller = kind ? emptiedCff(bytes, uses) : emptiedTrueType(bytes, uses)
  if (!smaller) return
  const packed = document.context.flateStream(smaller, kind ? {} : { Length1: smaller.length })
  if (packed.contents.length >= stream.contents.length) return
  replaceContents(stream, packed, 'Length1')
}

/** The program without the outlines of other glyphs; undefined if it is not certain which are needed. */
function emptiedTrueType(bytes: Buffer, uses: readonly Use[]): Buffer | undefined {
  const font = readSfnt(bytes, 0, true)
  const maps = readMaps(font.tables.get('cmap'))
  const kept = new Set([0])
  for (const { font: dict, descendant, strings } of uses) {
    const codes = strings && codesOf(dict, descendant, strings)
    if (!codes) return undefined
    if (descendant) {
      const glyphOf = glyphsOfCids(descendant)
      for (const cid of codes) kept.add(glyphOf(cid))
      continue
    }
    if (arrayEntry(dict, 'Encoding', 'Differences')) return undefined
    for (const code of codes) {
      const points = [code, 0xf000 + code, 0xf100 + code, 0xf200 + code, ...pointsOf(code)]
      const found = maps.flatMap(map => points.map(point => map.glyph(point))).filter(glyph => glyph > 0)
      if (found.length === 0 && !SPACES.has(code)) return undefined
      for (const glyph of found) kept.add(glyph)
    }
  }
  emptyMetrics(font, keepGlyphs(font, kept))
  for (const tag of NEEDLESS) font.tables.delete(tag)
  // Text without a map of its own is read by that of the program.
  if (uses.every(({ font: dict, descendant }) => descendant && dict.has(name('ToUnicode'))))
    for (const tag of ['cmap', 'post']) font.tables.delete(tag)
  return writeSfnt(font)
}

/** Takes the metrics of other glyphs away. */
function emptyMetrics(font: Font, kept: ReadonlySet<number>): void {
  const metrics = tableIn(font, 'hmtx').bytes
  const full = tableIn(font, 'hhea').u16(34)
  const last = full - 1
  for (let glyph = 0; glyph < full; glyph++) {
    // Glyphs beyond the full ones have the advance of the last of these.
    if (!kept.has(glyph) && glyph !== last) metrics.subarray(4 * glyph, 4 * glyph + 4).fill(0)
  }
}

/** The same for a program of CFF. */
function emptiedCff(bytes: Buffer, uses: readonly Use[]): Buffer | undefined {
  const cff = readCff(bytes)
  const count = cff.charStrings.length
  const { glyphNamed, glyphOfCid, encoding } = cffProgram(cff)
  const kept = new Set([0])
  for (const { font: dict, descendant, strings } of uses) {
    const codes = strings && codesOf(dict, descendant, strings)
    if (!codes) return undefined
    if (descendant) {
      for (const cid of codes) kept.add(glyphOfCid(cid))
      continue
    }
    if (cff.isCid) return undefined
    const named = new Map(namedCodes(dict))
    for (const code of codes) {
      const names = [named.get(code), ...pointsOf(code).map(glyphNameOf)]
      const found = [encoding[code], ...names.map(each => each && glyphNamed(each))].filter(glyph => glyph)
      if (found.length === 0 && !SPACES.has(code)) return undefined
      for (const glyph of found) kept.add(Number(glyph))
    }
  }
  const drawn = () => {
    const budget = new Budget()
    return JSON.stringify(
      [...kept].filter(glyph => glyph < count).map(glyph => drawGlyph(cff, glyph, budget)),
    )
  }
  const before = drawn()
  for (const [glyph, outline] of cff.charStrings.entries())
    if (!kept.has(glyph) && outline.length > 0) outline.fill(0).set([END_OF_GLYPH])
  // Accented letters may be made of others by name.
  return drawn() === before ? bytes : undefined
}

/** Codes of strings: bytes, or the two of composite fonts whose codes are characters; undefined for other composite fonts. */
function codesOf(font: PDFDict, descendant: PDFDict | undefined, strings: readonly Buffer[]) {
  const codes = new Set<number>()
  if (!descendant) for (const string of strings) for (const code of string) codes.add(code)
  else if (!/^Identity-[HV]$/.test(nameEntry(font, 'Encoding') ?? '')) return undefined
  else
    for (const string of strings)
      for (let at = 0; at + 1 < string.length; at += 2) codes.add(string.readUInt16BE(at))
  return codes
}

/** What a code means in any of the encodings. */
const pointsOf = (code: number): number[] =>
  [...new Set(ENCODINGS.map(encoding => tableOf(encoding)[code] ?? 0))].filter(point => point > 0)
