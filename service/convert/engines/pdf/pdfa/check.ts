/** Finds the pages of a PDF that still draw something forbidden by PDF/A-2 after everything possible has been fixed. */
import { type PDFArray, type PDFDict, type PDFDocument, type PDFObject, PDFRawStream } from '@cantoo/pdf-lib'
import { findBox, wholeBoxes } from '../../common/iso-boxes.ts'
import { ColourSpaces } from './colour-spaces.ts'
import { FontUse } from './font-use.ts'
import {
  annotationsOf,
  arrayEntry,
  contentStreams,
  dataOf,
  dictEntry,
  dictOf,
  entry,
  filtersOf,
  name,
  nameEntry,
  numberEntry,
  resourcesOf,
} from './objects.ts'
import { type Findings, noFindings, OperatorCheck } from './operator-check.ts'
import { EDGES } from './page-picture.ts'

/** Maximum nesting of forms. */
const FORM_DEPTH = 24

/**
 * Checks all pages; `damaged` are streams that could only be read in part.
 * @returns `problems`: why each page cannot be kept, for developers; `usesInks`: whether any content sets CMYK directly
 */
export function checkPages(
  document: PDFDocument,
  damaged: ReadonlySet<PDFRawStream>,
): { problems: string[][]; usesInks: boolean } {
  const fonts = new FontUse(document, damaged)
  const operators = new OperatorCheck(fonts)
  const checker = new Checker(document, operators, damaged)
  const pages = document.getPages().map(page => checker.page(page.node))
  // Problems of a font are only known once all codes that use it are known.
  const bad = fonts.problems()
  return {
    problems: pages.map(({ problems, fonts: used }) => [
      ...problems,
      ...[...used].flatMap(font => bad.get(font) ?? []),
    ]),
    usesInks: operators.usesInks,
  }
}

class Checker {
  readonly #document: PDFDocument
  readonly #damaged: ReadonlySet<PDFObject>
  readonly #operators: OperatorCheck
  readonly #colours: ColourSpaces
  /** Findings of each form, which many pages may draw. */
  readonly #forms = new Map<PDFObject, Findings>()

  constructor(document: PDFDocument, operators: OperatorCheck, damaged: ReadonlySet<PDFObject>) {
    this.#damaged = damaged
    this.#document = document
    this.#operators = operators
    this.#colours = new ColourSpaces(document)
  }

  page(page: PDFDict & { MediaBox(): PDFArray }): Findings {
    const found = noFindings()
    const resources = resourcesOf(page)
    for (const key of ['MediaBox', 'CropBox', 'BleedBox', 'TrimBox', 'ArtBox']) {
      const box = key === 'MediaBox' ? page.MediaBox() : arrayEntry(page, key)
      if (!box) continue
      const { width, height } = box.asRectangle()
      const edges = [Math.abs(width), Math.abs(height)]
      if (!edges.every(edge => edge >= EDGES.least && edge <= EDGES.most))
        found.problems.add(`size of ${key}`)
    }
    const parts: Buffer[] = []
    for (const stream of contentStreams(page)) {
      if (!stream) continue
      const data = this.#decoded(stream)
      if (data) parts.push(data, Buffer.from('\n'))
      else found.problems.add('content that cannot be decoded')
    }
    this.#operators.check(Buffer.concat(parts), resources, found)
    this.#resources(resources, found, 0)
    for (const annotation of annotationsOf(page)) {
      const normal = entry(annotation, 'AP', 'N')
      const forms = normal instanceof PDFRawStream ? [normal] : (dictOf(normal)?.values() ?? [])
      for (const form of forms) {
        const stream = this.#document.context.lookup(form)
        if (stream instanceof PDFRawStream) this.#form(stream, resources, found, 0)
      }
    }
    return found
  }

  /** Undefined if it is damaged. */
  #decoded(stream: PDFObject): Buffer | undefined {
    return this.#damaged.has(stream) ? undefined : dataOf(stream)
  }

  /** A form or a pattern, which has resources of its own, or a glyph of a Type 3 font, which uses those of the font. */
  #form(
    stream: PDFRawStream,
    outer: PDFDict | undefined,
    into: Findings,
    depth: number,
    isGlyph = false,
  ): void {
    let found = this.#forms.get(stream)
    if (!found) {
      found = noFindings()
      this.#forms.set(stream, found)
      if (depth > FORM_DEPTH) found.problems.add('forms nested too deep')
      else {
        const own = isGlyph ? undefined : dictEntry(stream.dict, 'Resources')
        // It must have its own resources (6.2.2).
        if (!own && outer && !isGlyph) stream.dict.set(name('Resources'), outer)
        const data = this.#decoded(stream)
        if (data) this.#operators.check(data, own ?? outer, found)
        else found.problems.add('a form that cannot be decoded')
        this.#resources(own, found, depth)
      }
    }
    for (const problem of found.problems) into.problems.add(problem)
    for (const font of found.fonts) into.fonts.add(font)
  }

  /** Everything in the resources, whether or not it is used: a validator checks all of it. */
  #resources(resources: PDFDict | undefined, found: Findings, depth: number): void {
    // A Type 3 font may have resources that contain the font itself.
    if (!resources || found.resources.has(resources)) return
    found.resources.add(resources)
    const each = (key: string) =>
      dictEntry(resources, key)
        ?.values()
        .map(value => this.#document.context.lookup(value)) ?? []
    for (const object of each('XObject')) {
      if (!(object instanceof PDFRawStream)) continue
      const type = nameEntry(object.dict, 'Subtype')
      if (type === 'Form') this.#form(object, resources, found, depth + 1)
      else if (type === 'Image') this.#image(object, found, depth)
      else found.problems.add('an object of PostScript')
    }
    for (const pattern of each('Pattern')) {
      if (pattern instanceof PDFRawStream) this.#form(pattern, resources, found, depth + 1)
      this.#colours.check(entry(dictOf(pattern), 'Shading', 'ColorSpace'), found)
    }
    for (const shading of each('Shading')) this.#colours.check(entry(dictOf(shading), 'ColorSpace'), found)
    for (const space of each('ColorSpace')) this.#colours.check(space, found)
    for (const font of each('Font')) {
      const dict = dictOf(font)
      if (!dict || nameEntry(dict, 'Subtype') !== 'Type3') continue
      const own = dictEntry(dict, 'Resources') ?? resources
      for (const glyph of dictEntry(dict, 'CharProcs')?.values() ?? []) {
        const stream = this.#document.context.lookup(glyph)
        if (stream instanceof PDFRawStream) this.#form(stream, own, found, depth + 1, true)
      }
      this.#resources(dictEntry(dict, 'Resources'), found, depth + 1)
    }
    for (const state of each('ExtGState')) {
      const dict = dictOf(state)
      const group = entry(dict, 'SMask', 'G')
      if (group instanceof PDFRawStream) this.#form(group, resources, found, depth + 1)
      const font = arrayEntry(dict, 'Font')
      const named = font && dictOf(font.lookup(0))
      if (named) found.fonts.add(named)
    }
  }

  #image(image: PDFRawStream, found: Findings, depth: number): void {
    if (this.#damaged.has(image)) found.problems.add('a damaged picture')
    const filters = filtersOf(image.dict)
    if (filters.some(filter => filter === 'LZWDecode' || filter === 'Crypt'))
      found.problems.add('a forbidden filter')
    if (filters.includes('JPXDecode') && !isPlainJpx(image))
      found.problems.add('a JPEG 2000 picture of a forbidden kind')
    this.#colours.check(entry(image.dict, 'ColorSpace'), found)
    const mask = entry(image.dict, 'SMask')
    if (mask instanceof PDFRawStream && depth < FORM_DEPTH) this.#image(mask, found, FORM_DEPTH)
  }
}

/** Whether a JPEG 2000 picture is permitted in part 2 (6.2.8.3): 1, 3 or 4 colours in one known space. */
function isPlainJpx(image: PDFRawStream): boolean {
  if (filtersOf(image.dict).length !== 1) return false
  // ISO/IEC 15444-1, Annex I.
  const head = findBox(Buffer.from(image.contents), 'jp2h')
  const boxes = head ? [...wholeBoxes(head)] : []
  const size = boxes.find(({ type }) => type === 'ihdr')?.body
  const spaces = boxes.flatMap(({ type, body }) => (type === 'colr' ? body : []))
  if (!size || size.length < 14 || size[10] === 255 || spaces.length !== 1) return false
  const [space] = spaces
  const isKnown =
    space![0] === 2 ||
    (space![0] === 1 && space!.length >= 7 && [12, 16, 17, 18].includes(space!.readUInt32BE(3)))
  return isKnown && [1, 3, 4].includes(size.readUInt16BE(8)) && numberEntry(image.dict, 'SMaskInData') !== 2
}
