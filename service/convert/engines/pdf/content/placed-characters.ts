import { type Matrix, multiply } from '../../common/matrix.ts'
import { type Handle, pdfium } from '../pdfium/library.ts'
import { isSpace, isUnmapped, textOf } from './characters.ts'
import { readFont } from './fonts.ts'
import { isGibberish } from './gibberish.ts'
import { fillColourOf } from './graphics.ts'
import { type PageMarks, readMarks } from './marks.ts'
import type { PdfFont, ReplacedText, WrongFonts } from './types.ts'

/** Maximum number of characters read from a page; a newspaper page has fewer than 100,000. */
const CHARACTER_LIMIT = 500_000

/** Text rendering mode of text that is neither filled nor stroked. */
const INVISIBLE = 3

/** Text that deviates from a quarter turn by more than this is read along its own direction. */
const SLANT_DEGREES = 12

/** What characters of one text object have in common. */
export interface Look {
  font: PdfFont
  size: number
  colour: number
  hidden: boolean
  content: number
  artefact: boolean
  /** Whether it is not on a hidden layer. */
  shown: boolean
  /** Replacement text of its marked content. */
  replaced?: ReplacedText | undefined
  /** Clockwise rotation on the displayed page, in quarter turns. */
  quarters: number
  /** The same in degrees. */
  degrees: number
  slanted: boolean
  /** A point on its baseline, in the page's own coordinates. */
  x: number
  y: number
  /** Number of characters of its font on the page that were read, and that have no known text. */
  use: { lost: number; read: number }
  /** How far its digits are drawn above their baseline, in points. */
  raise?: number
}

/** A character with its position. */
export interface Character {
  text: string
  /** Edges in the page's own coordinates. */
  left: number
  top: number
  right: number
  bottom: number
  /** Where it begins on its baseline, in the same coordinates; only of slanted text. */
  origin?: { x: number; y: number }
  look: Look
  /** Whether a space precedes it: one from the file, or one inserted by PDFium. */
  spaced: 'no' | 'inserted' | 'yes'
}

/**
 * Characters of a page in content order, without spaces and characters that have no text.
 * @param view maps the page's own coordinates to the displayed page
 * @returns `unmapped`: the number of characters that could not be mapped to text; `wrong`: fonts with such, and with gibberish
 */
export function readCharacters(
  text: Handle,
  view: Matrix,
): { characters: Character[]; unmapped: number; wrong: WrongFonts } {
  const library = pdfium()
  const fonts = new Map<Handle, PdfFont>()
  const uses = new Map<PdfFont, Look['use']>()
  const marks: PageMarks = new Map()
  const characters: Character[] = []
  const box = new Float32Array(4)
  let spaced: Character['spaced'] = 'yes'
  let object: Handle = 0
  let look: Look | undefined
  const count = Math.min(library.charCount(text), CHARACTER_LIMIT)
  for (let index = 0; index < count; index++) {
    const unit = library.unicode(text, index)
    const code =
      unit >= 0xd800 && unit <= 0xdbff ? joinedHalves(unit, library.unicode(text, index + 1)) : unit
    if (isSpace(code)) {
      if (spaced !== 'yes') spaced = library.isGenerated(text, index) ? 'inserted' : 'yes'
      continue
    }
    const content = textOf(code)
    // PDFium gives the number of a letter that its font does not identify.
    const isLost = library.isUnmapped(text, index) !== 0 || (content === '' && isUnmapped(code))
    if (content === '' && !isLost) continue
    const owner = library.charObject(text, index)
    if (owner !== object || !look) {
      object = owner
      look = lookOf(text, index, owner, view, fonts, uses, marks)
    }
    if (!look.shown) continue
    if (isLost && !look.replaced) {
      look.use.lost += 1
      continue
    }
    if (!look.replaced) look.use.read += 1
    library.charBox(text, index, box)
    const raise = code >= 0x30 && code <= 0x39 ? raiseOf(text, index, look) : 0
    characters.push({
      text: content || UNREADABLE,
      left: box[0]!,
      top: box[1]!,
      right: box[2]!,
      bottom: box[3]!,
      look: raise === 0 ? look : shifted(look, raise),
      spaced,
      ...(look.slanted && { origin: originOf(text, index) }),
    })
    spaced = 'no'
  }
  // If more than a third of a font's characters are lost, the others are probably wrong too.
  const garbled = new Set(
    [...uses].flatMap(([font, { lost, read }]) => (lost > 8 && lost > read * 0.5 ? [font] : [])),
  )
  let unmapped = 0
  const wrong: WrongFonts = new Map()
  for (const [font, { lost, read }] of uses) {
    unmapped += garbled.has(font) ? lost + read : lost
    if (lost > 0) wrong.set(font.name, 'lost')
  }
  const kept = characters.filter(({ look: { font, replaced } }) => replaced || !garbled.has(font))
  const own = Map.groupBy(kept, ({ look }) => (look.replaced ? undefined : look.font))
  for (const [font, letters] of own) {
    const read = letters.map(letter => (letter.spaced === 'no' ? '' : ' ') + letter.text)
    if (font && isGibberish(read.join(''))) wrong.set(font.name, 'gibberish')
  }
  return { characters: kept, unmapped, wrong }
}

/** Placeholder for characters that a replacement text will replace. */
const UNREADABLE = '\ufffd'

/** Joins surrogate pairs: characters beyond 16 bits may be returned as two halves. */
const joinedHalves = (high: number, low: number) =>
  low >= 0xdc00 && low <= 0xdfff ? 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00) : 0xfffd

const ink = {
  left: new Float64Array(1),
  right: new Float64Array(1),
  bottom: new Float64Array(1),
  top: new Float64Array(1),
}

/**
 * How far a digit is drawn above its baseline (negative: below), as a share of its size. Fonts have special digits for
 * superscripts and subscripts, which look small although their font size is that of the text.
 */
function raiseOf(text: Handle, index: number, { size, quarters, slanted }: Look): number {
  if (slanted || quarters !== 0) return 0
  const { left, right, bottom, top } = ink
  const library = pdfium()
  if (!library.inkBox(text, index, left, right, bottom, top)) return 0
  library.charOrigin(text, index, left, right)
  const [low, high] = [(bottom[0]! - right[0]!) / size, (top[0]! - right[0]!) / size]
  if (low > RAISED && high - low < SMALL_DIGIT) return low
  return low < -LOWERED && high < SMALL_DIGIT && high - low < SMALL_DIGIT ? low : 0
}

/** Shares of the font size: minimum height of superscript digits above the baseline, of subscripts below it, and maximum digit height. */
const RAISED = 0.2
const LOWERED = 0.08
const SMALL_DIGIT = 0.52
const SMALL_SIZE = 0.6

const shifted = (look: Look, raise: number): Look => ({
  ...look,
  size: look.size * SMALL_SIZE,
  raise: raise * look.size,
})

const matrix = new Float32Array(6)
const originX = new Float64Array(1)
const originY = new Float64Array(1)

function originOf(text: Handle, index: number): { x: number; y: number } {
  pdfium().charOrigin(text, index, originX, originY)
  return { x: originX[0]!, y: originY[0]! }
}

const NO_FONT: PdfFont = { name: '', bold: false, italic: false, monospace: false }

function lookOf(
  text: Handle,
  index: number,
  object: Handle,
  view: Matrix,
  fonts: Map<Handle, PdfFont>,
  uses: Map<PdfFont, Look['use']>,
  pageMarks: PageMarks,
): Look {
  const library = pdfium()
  const known = library.charMatrix(text, index, matrix)
  const [a, b, c, d] = known ? multiply([...matrix] as unknown as Matrix, view) : view
  const degrees = (Math.atan2(b, a) * 180) / Math.PI
  const quarters = Math.round(degrees / 90)
  const handle = object ? library.font(object) : 0
  let font = fonts.get(handle)
  if (!font) {
    font = handle ? readFont(handle) : NO_FONT
    fonts.set(handle, font)
  }
  const use = uses.get(font) ?? { lost: 0, read: 0 }
  uses.set(font, use)
  const marks = object ? readMarks(object, pageMarks) : undefined
  return {
    font,
    size: Math.max(0.1, Math.abs(library.charFontSize(text, index)) * Math.hypot(c, d)),
    colour: object ? (fillColourOf(object) ?? 0) : 0,
    hidden: object ? library.renderMode(object) === INVISIBLE : false,
    content: object ? library.markedContent(object) : -1,
    artefact: marks?.artefact ?? false,
    shown: !marks?.hidden,
    replaced: marks?.replaced,
    quarters: (quarters + 4) % 4,
    degrees,
    slanted: Math.abs(degrees - quarters * 90) > SLANT_DEGREES,
    ...originOf(text, index),
    use,
  }
}
