/** Which pages of a PDF still draw something that PDF/A-2 forbids, once everything that can be mended has been. */
import {
  decodePDFRawStream,
  PDFArray,
  PDFContentStream,
  type PDFDict,
  type PDFDocument,
  type PDFObject,
  PDFRawStream,
} from '@cantoo/pdf-lib'
import { type Operand, operations } from './content.ts'
import { FontUse } from './font-use.ts'
import {
  arrayEntry,
  dictEntry,
  dictOf,
  entry,
  filtersOf,
  items,
  name,
  nameEntry,
  numberEntry,
} from './objects.ts'

/** Operators of ISO 32000-1, Annex A, but BX and EX, whose content is unknown, and PS. */
const OPERATORS = new Set(
  `b B b* B* BDC BI BMC BT c cm CS cs d d0 d1 Do DP EMC ET f F f* G g gs h i j J K k l m M MP n q Q re RG rg ri s S SC sc
  SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' " BX EX`.split(/\s+/),
)

/** ISO 19005-2, 6.1.13. */
const LIMITS = { string: 32_767, name: 127, integer: 2 ** 31 - 1, states: 28, colorants: 32 }
/** Least and largest edge of a page in points. */
const PAGE_EDGES = { least: 3, most: 14_400 }

const RENDERING_INTENTS = new Set([
  'RelativeColorimetric',
  'AbsoluteColorimetric',
  'Perceptual',
  'Saturation',
])

const PROCESS_COLORANTS = new Set(['/Cyan', '/Magenta', '/Yellow', '/Black', '/None', '/All'])

/** How deep colour spaces may stand for others. */
const SPACE_DEPTH = 8
/** How deep forms may draw forms. */
const FORM_DEPTH = 24

export interface PageCheck {
  /** Why the page cannot be left as it is; for whoever mends this, not for people. */
  problems: string[]
}

/** Looks through all pages; `damaged` are streams that could be read in part only. `usesInks` says whether any content sets CMYK directly. */
export function checkPages(
  document: PDFDocument,
  damaged: ReadonlySet<PDFRawStream>,
): { pages: PageCheck[]; usesInks: boolean } {
  const fonts = new FontUse(document, damaged)
  const checker = new Checker(document, fonts, damaged)
  const pages = document.getPages().map(page => checker.page(page.node))
  // What is wrong with a font shows once all codes that use it are known.
  const bad = fonts.problems()
  return {
    pages: pages.map(({ problems, fonts: used }) => ({
      problems: [...problems, ...[...used].flatMap(font => bad.get(font) ?? [])],
    })),
    usesInks: checker.usesInks,
  }
}

interface Findings {
  problems: Set<string>
  fonts: Set<PDFDict>
}

class Checker {
  usesInks = false
  readonly #document: PDFDocument
  readonly #damaged: ReadonlySet<PDFObject>
  readonly #fonts: FontUse
  /** What was found in each form, which many pages may draw. */
  readonly #forms = new Map<PDFObject, Findings>()
  readonly #separations = new Map<string, string>()

  constructor(document: PDFDocument, fonts: FontUse, damaged: ReadonlySet<PDFObject>) {
    this.#damaged = damaged
    this.#document = document
    this.#fonts = fonts
  }

  page(page: PDFDict & { Resources(): PDFDict | undefined; MediaBox(): PDFArray }): Findings {
    const found: Findings = { problems: new Set(), fonts: new Set() }
    const resources = page.Resources()
    for (const key of ['MediaBox', 'CropBox', 'BleedBox', 'TrimBox', 'ArtBox']) {
      const box = key === 'MediaBox' ? page.MediaBox() : arrayEntry(page, key)
      if (!box) continue
      const { width, height } = box.asRectangle()
      const edges = [Math.abs(width), Math.abs(height)]
      if (!edges.every(edge => edge >= PAGE_EDGES.least && edge <= PAGE_EDGES.most))
        found.problems.add(`size of ${key}`)
    }
    const contents = entry(page, 'Contents')
    const streams = contents instanceof PDFArray ? [...items(this.#document.context, contents)] : [contents]
    const parts: Buffer[] = []
    for (const stream of streams) {
      if (!stream) continue
      const data = this.#decoded(stream)
      if (data) parts.push(data, Buffer.from('\n'))
      else found.problems.add('content that cannot be decoded')
    }
    this.#content(Buffer.concat(parts), resources, found, 0)
    this.#resources(resources, found, 0)
    for (const annotation of items(this.#document.context, arrayEntry(page, 'Annots'))) {
      const dict = dictOf(annotation)
      const appearance = dict && dictEntry(dict, 'AP')
      const normal = appearance && entry(appearance, 'N')
      const forms = normal instanceof PDFRawStream ? [normal] : (dictOf(normal)?.values() ?? [])
      for (const form of forms) {
        const stream = this.#document.context.lookup(form)
        if (stream instanceof PDFRawStream) this.#form(stream, resources, found, 0)
      }
    }
    return found
  }

  /** Undefined for what is damaged. */
  #decoded(stream: PDFObject): Buffer | undefined {
    if (this.#damaged.has(stream)) return undefined
    try {
      if (stream instanceof PDFContentStream) return Buffer.from(stream.getUnencodedContents())
      if (stream instanceof PDFRawStream) return Buffer.from(decodePDFRawStream(stream).decode())
      return undefined
    } catch {
      return undefined
    }
  }

  /** A form, a pattern or a glyph of a Type 3 font, with its own resources. */
  #form(stream: PDFRawStream, outer: PDFDict | undefined, into: Findings, depth: number): void {
    let found = this.#forms.get(stream)
    if (!found) {
      found = { problems: new Set(), fonts: new Set() }
      this.#forms.set(stream, found)
      if (depth > FORM_DEPTH) found.problems.add('forms nested too deep')
      else {
        let resources = dictEntry(stream.dict, 'Resources')
        if (!resources && outer) {
          // Resources must be its own (6.2.2).
          stream.dict.set(name('Resources'), outer)
          resources = outer
        }
        const data = this.#decoded(stream)
        if (data) this.#content(data, resources, found, depth)
        else found.problems.add('a form that cannot be decoded')
        if (resources !== outer) this.#resources(resources, found, depth)
      }
    }
    for (const problem of found.problems) into.problems.add(problem)
    for (const font of found.fonts) into.fonts.add(font)
  }

  /** Everything that resources name, whether it is used or not: a validator looks at all of it. */
  #resources(resources: PDFDict | undefined, found: Findings, depth: number): void {
    if (!resources) return
    const each = (key: string) => {
      const dict = dictEntry(resources, key)
      return dict ? dict.values().map(value => this.#document.context.lookup(value)) : []
    }
    for (const object of each('XObject')) {
      if (!(object instanceof PDFRawStream)) continue
      const type = nameEntry(object.dict, 'Subtype')
      if (type === 'Form') this.#form(object, resources, found, depth + 1)
      else if (type === 'Image') this.#image(object, found, depth)
      else found.problems.add('an object of PostScript')
    }
    for (const pattern of each('Pattern')) {
      if (pattern instanceof PDFRawStream) this.#form(pattern, resources, found, depth + 1)
      const shading = dictOf(pattern) && dictEntry(dictOf(pattern)!, 'Shading')
      if (shading) this.#space(entry(shading, 'ColorSpace'), found)
    }
    for (const shading of each('Shading')) {
      const dict = dictOf(shading)
      if (dict) this.#space(entry(dict, 'ColorSpace'), found)
    }
    for (const space of each('ColorSpace')) this.#space(space, found)
    for (const font of each('Font')) {
      const dict = dictOf(font)
      if (!dict || nameEntry(dict, 'Subtype') !== 'Type3') continue
      const own = dictEntry(dict, 'Resources') ?? resources
      for (const glyph of dictEntry(dict, 'CharProcs')?.values() ?? []) {
        const stream = this.#document.context.lookup(glyph)
        if (stream instanceof PDFRawStream) this.#glyph(stream, own, found, depth + 1)
      }
      this.#resources(dictEntry(dict, 'Resources'), found, depth + 1)
    }
    for (const state of each('ExtGState')) {
      const dict = dictOf(state)
      const mask = dict && dictEntry(dict, 'SMask')
      const group = mask && entry(mask, 'G')
      if (group instanceof PDFRawStream) this.#form(group, resources, found, depth + 1)
      const font = dict && arrayEntry(dict, 'Font')
      const named = font && dictOf(font.lookup(0))
      if (named) found.fonts.add(named)
    }
  }

  /** Glyphs of Type 3 fonts have the font's resources, and none of their own. */
  #glyph(stream: PDFRawStream, resources: PDFDict, into: Findings, depth: number): void {
    let found = this.#forms.get(stream)
    if (!found) {
      found = { problems: new Set(), fonts: new Set() }
      this.#forms.set(stream, found)
      const data = this.#decoded(stream)
      if (data) this.#content(data, resources, found, depth)
      else found.problems.add('a glyph that cannot be decoded')
    }
    for (const problem of found.problems) into.problems.add(problem)
    for (const font of found.fonts) into.fonts.add(font)
  }

  #image(image: PDFRawStream, found: Findings, depth: number): void {
    if (this.#damaged.has(image)) found.problems.add('a damaged picture')
    const filters = filtersOf(image.dict)
    if (filters.some(filter => filter === 'LZWDecode' || filter === 'Crypt'))
      found.problems.add('a forbidden filter')
    if (filters.includes('JPXDecode') && !isPlainJpx(image))
      found.problems.add('a JPEG 2000 picture of a forbidden kind')
    this.#space(entry(image.dict, 'ColorSpace'), found)
    const mask = entry(image.dict, 'SMask')
    if (mask instanceof PDFRawStream && depth < FORM_DEPTH) this.#image(mask, found, FORM_DEPTH)
  }

  #space(space: PDFObject | undefined, found: Findings, depth = 0): void {
    if (!(space instanceof PDFArray) || depth > SPACE_DEPTH) return
    const kind = String(space.get(0))
    const at = (index: number) => (index < space.size() ? space.lookup(index) : undefined)
    if (kind === '/Indexed' || kind === '/Pattern') this.#space(at(1), found, depth + 1)
    else if (kind === '/Separation') {
      // A colorant means the same everywhere (6.2.4.4).
      const key = String(space.get(1))
      const meaning = `${String(space.get(2))} ${String(space.get(3))}`
      const known = this.#separations.get(key)
      if (known === undefined) this.#separations.set(key, meaning)
      else if (known !== meaning) found.problems.add(`colorant ${key} with two meanings`)
      this.#space(at(2), found, depth + 1)
    } else if (kind === '/DeviceN') {
      const attributes = dictOf(at(4))
      const colorants = attributes && dictEntry(attributes, 'Colorants')
      const names = at(1)
      const list = names instanceof PDFArray ? names.asArray().map(String) : []
      if (list.length > LIMITS.colorants) found.problems.add('too many colorants')
      for (const each of list) {
        if (!PROCESS_COLORANTS.has(each) && !colorants?.has(name(each.slice(1))))
          found.problems.add(`colorant ${each} without a meaning`)
      }
      for (const colorant of colorants?.values() ?? [])
        this.#space(this.#document.context.lookup(colorant), found, depth + 1)
      this.#space(at(2), found, depth + 1)
    }
  }

  #content(data: Buffer, resources: PDFDict | undefined, found: Findings, depth: number): void {
    const fonts = resources && dictEntry(resources, 'Font')
    const states: { font: PDFDict | undefined; invisible: boolean }[] = []
    let font: PDFDict | undefined
    let invisible = false
    const show = (operand: Operand | undefined) => {
      if (operand === undefined || typeof operand === 'number') return
      if (!font) found.problems.add('text in a font that is missing')
      else if ('string' in operand) this.#fonts.use(font, operand.string, invisible)
      else if ('array' in operand) for (const item of operand.array) show(item)
    }
    try {
      for (const { operator, operands } of operations(data)) {
        if (!OPERATORS.has(operator)) found.problems.add('an unknown operator')
        for (const operand of operands)
          if (!isWithinLimits(operand)) found.problems.add('a value beyond the limits')
        const [first] = operands
        switch (operator) {
          case 'q':
            states.push({ font, invisible })
            if (states.length > LIMITS.states) found.problems.add('graphics states nested too deep')
            break
          case 'Q': {
            const state = states.pop()
            if (state) ({ font, invisible } = state)
            break
          }
          case 'Tf':
            font = dictOf(fonts && isName(first) ? entry(fonts, first.name) : undefined)
            if (font) found.fonts.add(font)
            break
          case 'Tr':
            invisible = first === 3
            break
          case 'Tj':
          case 'TJ':
          case "'":
            show(first)
            break
          case '"':
            show(operands[2])
            break
          case 'k':
          case 'K':
            this.usesInks = true
            break
          case 'cs':
          case 'CS':
            if (isName(first) && first.name === 'DeviceCMYK') this.usesInks = true
            break
          case 'ri':
            if (!isName(first) || !RENDERING_INTENTS.has(first.name))
              found.problems.add('an unknown rendering intent')
            break
          case 'BI':
            this.#inlineImage(operands, found)
            break
        }
      }
    } catch {
      found.problems.add('content that cannot be read')
    }
    if (depth > FORM_DEPTH) found.problems.add('forms nested too deep')
  }

  #inlineImage(operands: readonly Operand[], found: Findings): void {
    for (let i = 0; i + 1 < operands.length; i += 2) {
      const key = operands[i]
      const value = operands[i + 1]
      if (!isName(key)) continue
      const names =
        value !== undefined && typeof value !== 'number' && 'array' in value ? value.array : [value]
      for (const each of names) {
        if (!isName(each)) continue
        if (['LZW', 'LZWDecode', 'Crypt'].includes(each.name)) found.problems.add('a forbidden filter')
        if (['CMYK', 'DeviceCMYK'].includes(each.name)) this.usesInks = true
        if (['I', 'Interpolate'].includes(key.name) && each.name === 'true')
          found.problems.add('an interpolated picture')
      }
    }
  }
}

const isName = (operand: Operand | undefined): operand is { name: string } =>
  typeof operand === 'object' && 'name' in operand

function isWithinLimits(operand: Operand): boolean {
  if (typeof operand === 'number') return Math.abs(operand) <= LIMITS.integer
  if ('string' in operand) return operand.string.length <= LIMITS.string
  if ('name' in operand) return Buffer.byteLength(operand.name, 'latin1') <= LIMITS.name
  return !('array' in operand) || operand.array.every(isWithinLimits)
}

/** Whether a JPEG 2000 picture is one that part 2 takes (6.2.8.3): 1, 3 or 4 colours, of one known space. */
function isPlainJpx(image: PDFRawStream): boolean {
  if (filtersOf(image.dict).length !== 1) return false
  const data = Buffer.from(image.contents)
  let at = 0
  let components = 0
  let spaces = 0
  let ok = true
  // Boxes of ISO/IEC 15444-1, Annex I.
  const boxes = (end: number) => {
    while (at + 8 <= end) {
      const length = data.readUInt32BE(at)
      const type = data.toString('latin1', at + 4, at + 8)
      const next = length === 0 ? end : at + length
      if (length === 1 || next <= at || next > data.length) return
      const body = at + 8
      if (type === 'jp2h') {
        at = body
        boxes(next)
      } else if (type === 'ihdr') {
        components = data.readUInt16BE(body + 8)
        if (data[body + 10] === 255) ok = false
      } else if (type === 'colr') {
        spaces++
        const method = data[body]
        const known = method === 1 && [12, 16, 17, 18].includes(data.readUInt32BE(body + 3))
        if (!known && method !== 2) ok = false
      }
      at = next
    }
  }
  boxes(data.length)
  return ok && spaces === 1 && [1, 3, 4].includes(components) && numberEntry(image.dict, 'SMaskInData') !== 2
}
