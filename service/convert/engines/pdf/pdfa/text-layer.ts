/** Invisible searchable text over a picture of a page, in a font whose letters are all spaces. */

import { type PDFDocument, type PDFPage, type PDFRef, PDFString } from '@cantoo/pdf-lib'
import { identity } from '../../common/matrix.ts'
import type { Rectangle } from '../../common/rectangle.ts'
import { writeSfnt } from '../../fonts/sfnt/sfnt.ts'
import { toUnicodeMap } from './encodings.ts'
import { partOf, substitute } from './fonts.ts'
import { name } from './objects.ts'

/** Text on one line, with its lower left corner and size. */
export interface TextBox extends Rectangle {
  text: string
}

/** Part of a line's height below its baseline. */
const DESCENT = 0.2
/** Advance of the space, in thousandths of its size. */
const ADVANCE = 278
const FONT = 'FInvisible'

export class TextLayer {
  readonly #document: PDFDocument
  readonly #isTagged: boolean
  /** Number of paragraphs on each page. */
  readonly marks = new Map<PDFPage, number>()
  #font: PDFRef | undefined

  constructor(document: PDFDocument) {
    this.#document = document
    this.#isTagged = document.catalog.has(name('StructTreeRoot'))
  }

  /** Adds text over the content of a page; without tags, each paragraph is marked, to get one. */
  add(page: PDFPage, paragraphs: readonly (readonly TextBox[])[], matrix = identity): void {
    const parts = paragraphs
      .map(boxes => boxes.filter(box => box.width > 0 && box.height > 0 && box.text !== '').map(lineOf))
      .filter(lines => lines.length > 0)
    if (parts.length === 0) return
    const first = this.marks.get(page) ?? 0
    const marked = parts.map((lines, at) =>
      this.#isTagged ? lines.join('\n') : `/P <</MCID ${first + at}>> BDC\n${lines.join('\n')}\nEMC`,
    )
    this.marks.set(page, first + parts.length)
    const content = `q ${matrix.map(number).join(' ')} cm BT 3 Tr\n${marked.join('\n')}\nET Q`
    const { context } = this.#document
    page.node.normalize()
    this.#font ??= emptyFont(this.#document)
    page.node.setFontDictionary(name(FONT), this.#font)
    page.node.addContentStream(context.register(context.flateStream(content)))
  }
}

const number = (value: number) => String(Math.round(value * 1e4) / 1e4)

/** Text stretched to fill its box. */
function lineOf({ text, x, y, width, height }: TextBox): string {
  const units = Array.from({ length: text.length }, (_, i) =>
    text.charCodeAt(i).toString(16).padStart(4, '0'),
  )
  const stretch = (100 * width) / ((ADVANCE / 1000) * height * text.length)
  const place = `1 0 0 1 ${number(x)} ${number(y + DESCENT * height)} Tm`
  return `/${FONT} ${number(height)} Tf ${number(stretch)} Tz ${place} <${units.join('')}> Tj`
}

/** A font in which every two-byte code is a space and represents the UTF-16 unit with that number. */
function emptyFont({ context }: PDFDocument): PDFRef {
  const { program: whole, space } = substitute('Arimo-Regular')
  const program = writeSfnt(partOf(whole, [space]))
  const glyphs = Buffer.alloc(0x2_0000)
  for (let code = 0; code < 0x1_0000; code++) glyphs.writeUInt16BE(space, code * 2)
  const descriptor = context.obj({
    Type: 'FontDescriptor',
    FontName: 'AAAAAA+Invisible',
    Flags: 5,
    FontBBox: [0, 0, ADVANCE, 1000],
    ItalicAngle: 0,
    Ascent: 800,
    Descent: -200,
    CapHeight: 800,
    StemV: 80,
    FontFile2: context.register(context.flateStream(program, { Length1: program.length })),
  })
  const descendant = context.obj({
    Type: 'Font',
    Subtype: 'CIDFontType2',
    BaseFont: 'AAAAAA+Invisible',
    CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Identity'), Supplement: 0 },
    FontDescriptor: context.register(descriptor),
    DW: ADVANCE,
    CIDToGIDMap: context.register(context.flateStream(glyphs)),
  })
  return context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: 'AAAAAA+Invisible',
      Encoding: 'Identity-H',
      DescendantFonts: [context.register(descendant)],
      ToUnicode: context.register(context.flateStream(IDENTITY)),
    }),
  )
}

const IDENTITY = toUnicodeMap(['0000', 'FFFF'], ['1 beginbfrange\n<0000> <FFFF> <0000>\nendbfrange'])
