import { UNSPACED } from '../../../engines/common/language/script.ts'
import type { TranscriptSegment } from './transcript.ts'

/** The smallest unit of speech at which a subtitle may be broken. */
export interface Token {
  text: string
  start: number
  end: number
  /** Whether a space precedes it. */
  spaced: boolean
}

/** Number of columns that a text takes on a screen: East Asian letters count two, combining marks none. */
export function columns(text: string): number {
  let total = 0
  for (const character of text) {
    if (/\p{M}|\p{Cf}/u.test(character)) continue
    total += WIDE.test(character) ? 2 : 1
  }
  return total
}

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60\p{Extended_Pictographic}]/u

/**
 * Tokens of a segment with their times: from its words if the engine provides them, otherwise spread over the segment
 * by length. A token never takes more than `widest` columns.
 */
export function tokensOf(segment: TranscriptSegment, language: string, widest: number): Token[] {
  const timed = segment.words ? withSpaces(segment.words, segment.text) : spread(segment, language)
  return timed.flatMap(token => cut(token, widest))
}

/** Only the text of the segment shows whether a space precedes a word. */
function withSpaces(words: NonNullable<TranscriptSegment['words']>, text: string): Token[] {
  let at = 0
  return words.map(({ start, end, text: word }) => {
    const found = text.indexOf(word, at)
    const spaced = found < 0 ? !UNSPACED.test(word) : found > 0 && /\s/.test(text[found - 1] ?? '')
    if (found >= 0) at = found + word.length
    return { text: word, start, end, spaced }
  })
}

function spread({ text, start, end }: TranscriptSegment, language: string): Token[] {
  const pieces = text.split(' ').flatMap(piece => {
    const parts = UNSPACED.test(piece) ? wordsOf(piece, language) : [piece]
    return parts.map((part, nth) => ({ text: part, spaced: nth === 0 }))
  })
  const total = pieces.reduce((sum, piece) => sum + piece.text.length, 0)
  let before = 0
  return pieces.map(piece => {
    const from = start + ((end - start) * before) / total
    before += piece.text.length
    return { ...piece, start: from, end: start + ((end - start) * before) / total }
  })
}

/** Words of a text without spaces; punctuation belongs to the previous word. */
function wordsOf(text: string, language: string): string[] {
  const words: string[] = []
  for (const { segment, isWordLike } of new Intl.Segmenter(language, { granularity: 'word' }).segment(text)) {
    if (isWordLike || words.length === 0) words.push(segment)
    else words.push(words.pop() + segment)
  }
  return words
}

/** Splits a token that is wider than a line, such as a URL, into pieces without spaces between them. */
function cut(token: Token, widest: number): Token[] {
  if (columns(token.text) <= widest) return [token]
  const pieces: string[] = ['']
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(token.text)) {
    if (columns(pieces.at(-1) + segment) > widest) pieces.push('')
    pieces.push(pieces.pop() + segment)
  }
  const step = (token.end - token.start) / pieces.length
  return pieces.map((text, nth) => ({
    ...token,
    text,
    spaced: nth === 0 && token.spaced,
    start: token.start + step * nth,
    end: token.start + step * (nth + 1),
  }))
}
