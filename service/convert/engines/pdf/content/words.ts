import { isRightToLeft, uprightLigature } from './characters.ts'
import { itemOf } from './fields.ts'
import { mapped, type View } from './geometry.ts'
import type { Character, Look } from './placed-characters.ts'
import type { TextItem } from './types.ts'

/** Shares of the font size. */
const BASELINE_TOLERANCE = 0.06
const WORD_GAP = 0.5
const OVERLAP = 0.35
const JOINT_GAP = 0.25
/** Ascent of most letters. */
const ASCENT = 0.8

const SAME = ['colour', 'hidden', 'replaced', 'content', 'artefact'] as const

const sameLook = (one: Look, other: Look) =>
  one === other ||
  (one.font === other.font &&
    Math.abs(one.size - other.size) < 0.05 &&
    SAME.every(key => one[key] === other[key]))

/** A word that is being assembled. */
interface Word {
  item: TextItem
  look: Look
  /** Bounds of its last glyph. */
  left: number
  right: number
}

/** Groups characters into words: characters on the same line with the same look and no gap between them. */
export function wordsOf(characters: readonly Character[], { matrix: view }: View): TextItem[] {
  const items: TextItem[] = []
  let word: Word | undefined
  for (let index = 0; index < characters.length; ) {
    const first = characters[index]!
    let letters = first.text
    let end = index + 1
    // Letters that share a glyph have its bounds.
    while (
      end < characters.length &&
      characters[end]!.spaced === 'no' &&
      sameGlyph(first, characters[end]!)
    ) {
      letters += characters[end]!.text
      end += 1
    }
    if (end - index === 2) letters = uprightLigature(letters)
    index = end
    const { look } = first
    const { x, width } = mapped(view, first.left, first.bottom, first.right, first.top)
    const baseline = view[1] * look.x + view[3] * look.y + view[5] - (look.raise ?? 0)
    const size = look.size
    const gap = word ? spaceBefore(first, word, x, x + width) : Number.NaN
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
    const { font, colour, hidden, content, artefact, replaced } = look
    const joined =
      word !== undefined &&
      Math.abs(gap) < size * JOINT_GAP &&
      Math.abs(word.item.baseline - baseline) < Math.max(size, word.look.size) * ASCENT
    const item: TextItem = {
      ...itemOf(letters, x, baseline, width, size, font),
      ...{ colour, joined, hidden, content, artefact, ...(replaced && { replaced }) },
    }
    items.push(item)
    word = { item, look, left: x, right: x + width }
  }
  return items
}

/** Maximum gap before a raised digit that belongs to its word, although PDFium inserts a space. */
const CLOSE = 0.05

/** Distance between a word and the next character; NaN if a space separates them. */
function spaceBefore({ spaced, look }: Character, word: Word, left: number, right: number): number {
  if (spaced === 'yes') return Number.NaN
  const gap = gapAfter(word, left, right)
  if (spaced === 'no') return gap
  const raised = look.size < word.look.size * 0.85
  return raised && Math.abs(gap) < word.look.size * CLOSE ? gap : Number.NaN
}

const sameGlyph = (one: Character, other: Character) =>
  one.look === other.look &&
  one.left === other.left &&
  one.right === other.right &&
  one.top === other.top &&
  one.right > one.left

/** Distance between a word's last glyph and the next one, which is on the left in right-to-left text. */
function gapAfter({ item, left, right }: Word, nextLeft: number, nextRight: number): number {
  const forward = nextLeft - right
  if (!isRightToLeft(item.text)) return forward
  const backward = left - nextRight
  return Math.abs(backward) < Math.abs(forward) ? backward : forward
}
