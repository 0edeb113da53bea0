import { isRightToLeft, isSpace, isUnmapped, textOf, uprightLigature } from './characters.ts'
import { readFont } from './fonts.ts'
import { identity, type Matrix, mapped, multiply, turn, type View } from './geometry.ts'
import { type Handle, pdfium, readUtf16 } from './library.ts'
import type { PdfFont, TextItem } from './types.ts'

/** Characters of a page that are looked at; a page of a newspaper has fewer than 100,000. */
const CHARACTER_LIMIT = 500_000

/** Text render mode of text that is neither filled nor stroked. */
const INVISIBLE = 3

/** Turns of text beyond this many degrees off a quarter turn make it slanted, such as a watermark. */
const SLANT_DEGREES = 12

/** What characters of one text object have in common. */
interface Look {
  font: PdfFont
  size: number
  colour: number
  hidden: boolean
  content: number
  artefact: boolean
  /** Quarter turns it is turned clockwise on the page as shown. */
  quarters: number
  slanted: boolean
}

interface Character {
  text: string
  /** Left, top, right, bottom in the page's own coordinates, as PDFium has them. */
  box: Float32Array
  x: number
  y: number
  look: Look
  /** Whether a space comes before it. */
  spaced: boolean
}

export interface PageText {
  /** The page so that most of its text is upright. */
  view: View
  /** The way there from the page as it is shown. */
  turn: Matrix
  text: TextItem[]
  turned: { width: number; height: number; text: TextItem[] }[]
  unmapped: number
}

/** Words of a page, in the order of its content. */
export function readText(page: Handle, shown: View): PageText {
  const library = pdfium()
  const text = library.loadText(page)
  if (!text) return { view: shown, turn: identity, text: [], turned: [], unmapped: 0 }
  try {
    const { characters, unmapped } = readCharacters(text, shown.matrix)
    const counts = [0, 0, 0, 0]
    for (const { look } of characters) if (!look.slanted) counts[look.quarters]! += 1
    const main = counts.indexOf(Math.max(...counts))
    const views = counts.map((_, quarters) => turn(shown, -quarters))
    const itemsOf = (quarters: number) =>
      wordsOf(
        characters.filter(({ look }) => look.quarters === quarters && !look.slanted),
        views[quarters]!,
      )
    return {
      view: views[main]!,
      turn: turn({ ...shown, matrix: identity }, -main).matrix,
      text: itemsOf(main),
      turned: [0, 1, 2, 3]
        .filter(quarters => quarters !== main && counts[quarters]! > 0)
        .map(quarters => ({
          width: views[quarters]!.width,
          height: views[quarters]!.height,
          text: itemsOf(quarters),
        })),
      unmapped,
    }
  } finally {
    library.closeText(text)
  }
}

function readCharacters(text: Handle, view: Matrix): { characters: Character[]; unmapped: number } {
  const library = pdfium()
  const fonts = new Map<Handle, PdfFont>()
  const characters: Character[] = []
  const x = new Float64Array(1)
  const y = new Float64Array(1)
  let unmapped = 0
  let spaced = true
  let object: Handle = 0
  let look: Look | undefined
  const count = Math.min(library.charCount(text), CHARACTER_LIMIT)
  for (let index = 0; index < count; index++) {
    const code = library.unicode(text, index)
    if (isSpace(code)) {
      spaced = true
      continue
    }
    const content = textOf(code)
    if (content === '') {
      if (isUnmapped(code)) unmapped += 1
      continue
    }
    const owner = library.charObject(text, index)
    if (owner !== object || !look) {
      object = owner
      look = lookOf(text, index, owner, view, fonts)
    }
    const box = new Float32Array(4)
    library.charBox(text, index, box)
    library.charOrigin(text, index, x, y)
    characters.push({ text: content, box, x: x[0]!, y: y[0]!, look, spaced })
    spaced = false
  }
  return { characters, unmapped }
}

const matrix = new Float32Array(6)
const colour = new Uint32Array(4)
const NO_FONT: PdfFont = { name: '', bold: false, italic: false, monospace: false }

function lookOf(
  text: Handle,
  index: number,
  object: Handle,
  view: Matrix,
  fonts: Map<Handle, PdfFont>,
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
  const coloured =
    object &&
    library.fillColour(
      object,
      colour.subarray(0, 1),
      colour.subarray(1, 2),
      colour.subarray(2, 3),
      colour.subarray(3, 4),
    )
  return {
    font,
    size: Math.max(0.1, Math.abs(library.charFontSize(text, index)) * Math.hypot(c, d)),
    colour: coloured ? (colour[0]! << 16) | (colour[1]! << 8) | colour[2]! : 0,
    hidden: object ? library.renderMode(object) === INVISIBLE : false,
    content: object ? library.markedContent(object) : -1,
    artefact: object ? isArtefact(object) : false,
    quarters: (quarters + 4) % 4,
    slanted: Math.abs(degrees - quarters * 90) > SLANT_DEGREES,
  }
}

/** Whether a page object is marked as no part of the document's own content; ISO 32000-1, 14.8.2.2. */
export function isArtefact(object: Handle): boolean {
  const library = pdfium()
  const count = Math.min(library.markCount(object), 8)
  for (let index = 0; index < count; index++) {
    const mark = library.mark(object, index)
    const needed = new Uint32Array(2)
    const name = readUtf16((out, bytes) => {
      library.markName(mark, out, bytes, needed)
      return needed[0]!
    })
    if (name === 'Artifact') return true
  }
  return false
}

/** Shares of the size of the font. */
const BASELINE_TOLERANCE = 0.06
const WORD_GAP = 0.5
const OVERLAP = 0.35
const JOINT_GAP = 0.25
/** Where the top and the bottom of most letters are. */
const ASCENT = 0.8
const HEIGHT = 1

const sameLook = (one: Look, other: Look) =>
  one === other ||
  (one.font === other.font &&
    Math.abs(one.size - other.size) < 0.05 &&
    one.colour === other.colour &&
    one.hidden === other.hidden &&
    one.content === other.content &&
    one.artefact === other.artefact)

/** A word in the making. */
interface Word {
  item: TextItem
  look: Look
  /** Bounds of its last glyph. */
  left: number
  right: number
}

function wordsOf(characters: Character[], { matrix: view }: View): TextItem[] {
  const items: TextItem[] = []
  let word: Word | undefined
  for (let index = 0; index < characters.length; ) {
    const first = characters[index]!
    let letters = first.text
    let end = index + 1
    // Letters that share a glyph have its bounds.
    while (end < characters.length && !characters[end]!.spaced && sameGlyph(first, characters[end]!)) {
      letters += characters[end]!.text
      end += 1
    }
    if (end - index === 2) letters = uprightLigature(letters)
    index = end
    const { look, box } = first
    const { x, width } = mapped(view, box[0]!, box[3]!, box[2]!, box[1]!)
    const baseline = view[1] * first.x + view[3] * first.y + view[5]
    const size = look.size
    const gap = word ? gapAfter(word, x, x + width) * (first.spaced ? Number.NaN : 1) : Number.NaN
    const level = word !== undefined && Math.abs(word.item.baseline - baseline) <= size * BASELINE_TOLERANCE
    if (word && level && gap < size * WORD_GAP && gap > -size * OVERLAP && sameLook(word.look, look)) {
      const { item } = word
      const right = Math.max(item.x + item.width, x + width)
      item.x = Math.min(item.x, x)
      item.width = right - item.x
      item.text += letters
      word.left = x
      word.right = x + width
      continue
    }
    const { font, colour, hidden, content, artefact } = look
    const joined =
      word !== undefined &&
      Math.abs(gap) < size * JOINT_GAP &&
      Math.abs(word.item.baseline - baseline) < Math.max(size, word.look.size) * ASCENT
    const item: TextItem = {
      text: letters,
      x,
      y: baseline - size * ASCENT,
      width,
      height: size * HEIGHT,
      baseline,
      size,
      font,
      colour,
      joined,
      hidden,
      content,
      artefact,
    }
    items.push(item)
    word = { item, look, left: x, right: x + width }
  }
  return items
}

const sameGlyph = (one: Character, other: Character) =>
  one.look === other.look &&
  one.x === other.x &&
  one.y === other.y &&
  one.box[0] === other.box[0] &&
  one.box[2] === other.box[2]

/** Space between a word's last glyph and the next one, which follows on the left in writing from right to left. */
function gapAfter({ item, left, right }: Word, nextLeft: number, nextRight: number): number {
  const forward = nextLeft - right
  if (!isRightToLeft(item.text)) return forward
  const backward = left - nextRight
  return Math.abs(backward) < Math.abs(forward) ? backward : forward
}
