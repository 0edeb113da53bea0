/** Which codes of which fonts are shown, and which of them ISO 19005-2, 6.2.11 forbids. */

import {
  decodePDFRawStream,
  PDFArray,
  type PDFDict,
  type PDFDocument,
  PDFNumber,
  PDFRawStream,
} from '@cantoo/pdf-lib'
import { readCff } from '../../fonts/outlines/cff/read.ts'
import { MetricsTable } from '../../fonts/outlines/metrics-table.ts'
import { glyphCountOf, unitsPerEmOf } from '../../fonts/sfnt/font.ts'
import { readSfnt, writeSfnt } from '../../fonts/sfnt/sfnt.ts'
import { readMaps, symbolicMap } from './cmap.ts'
import { tableOf } from './encodings.ts'
import {
  baseEncodingOf,
  descendantOf,
  glyphsOfCids,
  namedCodes,
  PROGRAMS,
  replaceContents,
} from './font-entries.ts'
import { glyphNameOf, isEmbedded } from './fonts.ts'
import { arrayEntry, dictEntry, entry, items, name, nameEntry, numberEntry } from './objects.ts'
import { bareCff, cffProgram, type OutlineProgram, readType1 } from './outline-program.ts'
import { setAdvances } from './program-tables.ts'
import { type FontProgram, glyphsOfCodes } from './truetype-codes.ts'

const SUBTYPES = new Set(['Type0', 'Type1', 'MMType1', 'TrueType'])

/** Permitted difference between widths, in thousandths of the font's size (6.2.11.5). */
const TOLERANCE = 1
/** Larger differences that are due to rounding. */
const ROUNDING = 3

interface Use {
  codes: Set<number>
  visible: boolean
}

export class FontUse {
  readonly #uses = new Map<PDFDict, Use>()
  readonly #programs = new Map<PDFRawStream, FontProgram | undefined>()
  readonly #outlinePrograms = new Map<PDFRawStream, OutlineProgram>()
  readonly #document: PDFDocument
  readonly #damaged: ReadonlySet<PDFRawStream>

  constructor(document: PDFDocument, damaged: ReadonlySet<PDFRawStream>) {
    this.#document = document
    this.#damaged = damaged
  }

  /** Records that a string is shown in a font. */
  use(font: PDFDict, text: Buffer, invisible: boolean): void {
    let use = this.#uses.get(font)
    if (!use) {
      use = { codes: new Set(), visible: false }
      this.#uses.set(font, use)
    }
    use.visible ||= !invisible
    if (nameEntry(font, 'Subtype') !== 'Type0') for (const code of text) use.codes.add(code)
    else {
      for (let i = 0; i + 1 < text.length; i += 2) use.codes.add(text.readUInt16BE(i))
      // Half a code shows the glyph for missing ones.
      if (text.length % 2 === 1) use.codes.add(0)
    }
  }

  /** Problems of fonts that cannot be fixed. Widths that differ from those of a TrueType program are fixed here. */
  problems(): Map<PDFDict, string[]> {
    const found = new Map<PDFDict, string[]>()
    for (const [font, use] of this.#uses) {
      let problem: string | undefined
      try {
        problem = this.#problem(font, use)
      } catch {
        problem = 'cannot be read'
      }
      if (problem) found.set(font, [`font ${nameEntry(font, 'BaseFont') ?? ''}: ${problem}`])
    }
    for (const program of this.#programs.values()) if (program) this.#mendProgram(program)
    return found
  }

  #problem(font: PDFDict, { codes, visible }: Use): string | undefined {
    const type = nameEntry(font, 'Subtype') ?? ''
    font.set(name('Type'), name('Font'))
    if (type === 'Type3') return undefined
    if (!SUBTYPES.has(type) || nameEntry(font, 'BaseFont') === undefined) return 'no font'
    if (type === 'Type0') return this.#compositeProblem(font, codes, visible)
    const descriptor = dictEntry(font, 'FontDescriptor')
    if (!descriptor || !isEmbedded(descriptor)) return visible ? 'no program' : undefined
    const unsound = this.#unsound(descriptor)
    if (unsound) return unsound
    const widths = arrayEntry(font, 'Widths')
    const first = numberEntry(font, 'FirstChar')
    const last = numberEntry(font, 'LastChar')
    if (!widths || first === undefined || widths.size() !== (last ?? 0) - first + 1) return 'no widths'
    if (!entry(descriptor, 'FontFile2')) return this.#outlineProblem(font, descriptor, codes)
    const program = this.#program(entry(descriptor, 'FontFile2'))
    if (!program) return 'its program cannot be read'
    const resolve = glyphsOfCodes(font, descriptor, program)
    if (typeof resolve === 'string') return resolve
    const widthOf = simpleWidths(font, descriptor)
    for (const code of codes) {
      const glyph = resolve(code)
      if (glyph === 0) return 'a glyph is missing'
      const problem = setAdvance(program, glyph, widthOf(code).width)
      if (problem) return problem
    }
    return undefined
  }

  #compositeProblem(font: PDFDict, codes: Set<number>, visible: boolean): string | undefined {
    const descendant = descendantOf(font)
    const descriptor = dictEntry(descendant, 'FontDescriptor')
    if (!descendant || !descriptor || !isEmbedded(descriptor)) return visible ? 'no program' : undefined
    const unsound = this.#unsound(descriptor)
    if (unsound) return unsound
    descendant.set(name('Type'), name('Font'))
    const isCid = /^CIDFontType[02]$/.test(nameEntry(descendant, 'Subtype') ?? '')
    if (!isCid || !dictEntry(descendant, 'CIDSystemInfo') || !nameEntry(descendant, 'BaseFont'))
      return 'no font'
    const encoding = nameEntry(font, 'Encoding')
    if (encoding === undefined) return 'a map of codes of its own'
    if (encoding !== 'Identity-H' && encoding !== 'Identity-V') return undefined
    if (!entry(descriptor, 'FontFile2')) {
      const outlines = this.#outlines(descriptor, 'CIDFontType0C')
      const widths = readWidths(descendant)
      for (const code of codes) {
        const glyph = outlines.glyphOfCid(code)
        if (glyph === 0) return 'a glyph is missing'
        const own = outlines.widthOf(glyph)
        if (own !== undefined && Math.abs(own - widths(code)) > TOLERANCE) return 'a width that differs'
      }
      return undefined
    }
    const program = this.#program(entry(descriptor, 'FontFile2'))
    if (!program) return 'its program cannot be read'
    const glyphOf = glyphsOfCids(descendant)
    const widths = readWidths(descendant)
    const count = glyphCountOf(program.font)
    for (const code of codes) {
      const glyph = glyphOf(code)
      // Character 0 is the one for missing glyphs, whatever it is mapped to.
      if (code === 0 || glyph === 0 || glyph >= count) return 'a glyph is missing'
      const problem = setAdvance(program, glyph, widths(code))
      if (problem) return problem
    }
    return undefined
  }

  /** What is wrong with a descriptor or its program, however they are used. */
  #unsound(descriptor: PDFDict): string | undefined {
    descriptor.set(name('Type'), name('FontDescriptor'))
    if (nameEntry(descriptor, 'FontName') === undefined) return 'no name'
    for (const key of PROGRAMS) {
      const stream = entry(descriptor, key)
      if (stream instanceof PDFRawStream && this.#damaged.has(stream)) return 'a damaged program'
    }
    return undefined
  }

  /** A simple font whose program is Type 1 or CFF. */
  #outlineProblem(font: PDFDict, descriptor: PDFDict, codes: Set<number>): string | undefined {
    const program = this.#outlines(descriptor, 'Type1C')
    const base = baseEncodingOf(font)
    const table = tableOf(base)
    const named = new Map(namedCodes(font))
    const glyphOf = (code: number) => {
      const given = named.get(code)
      if (given !== undefined) return program.glyphNamed(given)
      const point = table[code] ?? 0
      if (base !== undefined || program.encoding.length === 0) return program.glyphNamed(glyphNameOf(point))
      return program.encoding[code] ?? 0
    }
    const widthOf = simpleWidths(font, descriptor)
    for (const code of codes) {
      const glyph = glyphOf(code)
      if (glyph === 0) return 'a glyph is missing'
      const { width, set } = widthOf(code)
      const own = program.widthOf(glyph)
      if (own === undefined || Math.abs(own - width) <= TOLERANCE) continue
      // Rounding differences are corrected, since nobody sees them.
      if (!set || Math.abs(own - width) > ROUNDING) return 'a width that differs'
      set(Math.round(own * 100) / 100)
    }
    return undefined
  }

  /** @param kind how the program has to be marked if it is CFF */
  #outlines(descriptor: PDFDict, kind: 'Type1C' | 'CIDFontType0C'): OutlineProgram {
    const type1 = entry(descriptor, 'FontFile')
    const stream = type1 ?? entry(descriptor, 'FontFile3')
    if (!(stream instanceof PDFRawStream)) throw new Error('no program')
    let program = this.#outlinePrograms.get(stream)
    if (!program) {
      const data = Buffer.from(decodePDFRawStream(stream).decode())
      const cff = type1 ? undefined : bareCff(data)
      if (!type1 && !cff) throw new Error('no CFF')
      program = cff ? cffProgram(readCff(cff)) : readType1(data)
      if (cff && cff !== data) this.#setProgram(stream, cff)
      if (cff) stream.dict.set(name('Subtype'), name(kind))
      this.#outlinePrograms.set(stream, program)
    }
    return program
  }

  #program(stream: unknown): FontProgram | undefined {
    if (!(stream instanceof PDFRawStream)) return undefined
    if (this.#programs.has(stream)) return this.#programs.get(stream)
    let program: FontProgram | undefined
    try {
      const font = readSfnt(decodePDFRawStream(stream).decode(), 0, true)
      if (font.tables.has('glyf') && font.tables.has('loca')) {
        program = {
          stream,
          font,
          metrics: new MetricsTable(font, 'hmtx', 'hhea'),
          unitsPerEm: unitsPerEmOf(font),
          maps: readMaps(font.tables.get('cmap')),
          advances: new Map(),
        }
      }
    } catch {
      // The caller reports it.
    }
    this.#programs.set(stream, program)
    return program
  }

  #mendProgram({ stream, font, metrics, advances, symbols }: FontProgram): void {
    const changed = [...advances].some(([glyph, advance]) => metrics.advance(glyph) !== advance)
    if (!changed && !symbols) return
    if (symbols) font.tables.set('cmap', symbolicMap(symbols))
    setAdvances(font, advances)
    this.#setProgram(stream, writeSfnt(font))
  }

  #setProgram(stream: PDFRawStream, font: Uint8Array): void {
    const mended = this.#document.context.flateStream(font, { Length1: font.length })
    replaceContents(stream, mended, 'Length1', 'Length2', 'Length3')
  }
}

/** Sets a glyph's advance to `width`, in thousandths; returns a problem if another font gives it a different one. */
function setAdvance(
  { metrics, unitsPerEm, advances }: FontProgram,
  glyph: number,
  width: number,
): string | undefined {
  const own = metrics.advance(glyph)
  const fits = Math.abs((own * 1000) / unitsPerEm - width) <= TOLERANCE
  const advance = fits ? own : Math.round((width * unitsPerEm) / 1000)
  if (advance < 0 || advance > 0xffff) return 'a width that no program can have'
  const other = advances.get(glyph)
  if (other !== undefined && Math.abs(((other - advance) * 1000) / unitsPerEm) > TOLERANCE)
    return 'two widths of a glyph'
  if (other === undefined) advances.set(glyph, advance)
  return undefined
}

/** Widths of the codes of a simple font, which can be set if they are listed. */
function simpleWidths(font: PDFDict, descriptor: PDFDict) {
  const widths = arrayEntry(font, 'Widths')
  const first = numberEntry(font, 'FirstChar') ?? 0
  const missing = numberEntry(descriptor, 'MissingWidth') ?? 0
  return (code: number) => {
    const index = code - first
    if (!widths || index < 0 || index >= widths.size()) return { width: missing }
    const width = widths.lookup(index)
    const set = (value: number) => widths.set(index, PDFNumber.of(value))
    return { width: width instanceof PDFNumber ? width.asNumber() : missing, set }
  }
}

/** Widths of a CID font: `W` and `DW` (ISO 32000-1, 9.7.4.3). */
function readWidths(font: PDFDict): (cid: number) => number {
  const standard = numberEntry(font, 'DW') ?? 1000
  const widths = new Map<number, number>()
  const list = [...items(font.context, arrayEntry(font, 'W'))]
  for (let i = 0; i < list.length; ) {
    const first = list[i]
    const next = list[i + 1]
    if (!(first instanceof PDFNumber)) break
    if (next instanceof PDFArray) {
      for (const [k, width] of [...items(font.context, next)].entries())
        if (width instanceof PDFNumber) widths.set(first.asNumber() + k, width.asNumber())
      i += 2
    } else {
      const width = list[i + 2]
      if (!(next instanceof PDFNumber && width instanceof PDFNumber)) break
      const last = Math.min(next.asNumber(), 0xffff)
      for (let cid = first.asNumber(); cid <= last; cid++) widths.set(cid, width.asNumber())
      i += 3
    }
  }
  return cid => widths.get(cid) ?? standard
}
