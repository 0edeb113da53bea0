/** Recognises the markers of list entries. */
import type { Line } from './lines.ts'

/** Bullets, including those of symbol fonts, which use private code points of Unicode. */
const BULLET = /^[•‣⁃◦∙▪▫■□●○◆◇➢➤►▸✓✔✗❖·–—*\-\u{f0a7}\u{f0b7}\u{f0d8}\u{f0fc}\u{e000}-\u{f8ff}]$/u
const NUMBER = /^\(?(\d{1,3})[.)]$/
const LETTER = /^\(?([a-zA-Z])[.)]$/
const ROMAN = /^\(?([ivx]{1,5})[.)]$/i

export interface Marker {
  ordered: boolean
  /** Number of an ordered entry. */
  number: number
  /** Kind of the marker: entries of one list have the same. */
  style: string
}

const ROMAN_VALUES: Record<string, number> = { i: 1, v: 5, x: 10 }

function romanNumber(text: string): number {
  const values = [...text.toLowerCase()].map(letter => ROMAN_VALUES[letter]!)
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0)
}

/** Parses the first word of a line as a list marker; null if it is none. */
export function markerOf(word: string): Marker | null {
  if (BULLET.test(word)) return { ordered: false, number: 0, style: 'bullet' }
  const number = NUMBER.exec(word)
  const shape = word.replace(/[\p{L}\p{N}]+/u, '')
  if (number) return { ordered: true, number: Number(number[1]), style: `1${shape}` }
  const roman = ROMAN.exec(word)
  if (roman && romanNumber(roman[1]!) < 20)
    return { ordered: true, number: romanNumber(roman[1]!), style: `i${shape}` }
  const letter = LETTER.exec(word)
  if (letter)
    return { ordered: true, number: letter[1]!.toLowerCase().charCodeAt(0) - 96, style: `a${shape}` }
  return null
}

const SYMBOLS = /wingding|webding|dingbat|symbol/i
const DRAWN: Marker = { ordered: false, number: 0, style: 'bullet' }

/**
 * The marker at the start of a line, if text follows. A letter in a symbol font, or in a different style and apart from the
 * text, is drawn as a bullet.
 */
export function markerAt({ words, size }: Line): Marker | null {
  const [first, next] = words
  if (!first || !next) return null
  if ([...first.text].length === 1) {
    if (SYMBOLS.test(first.font.name)) return DRAWN
    const apart = next.x - (first.x + first.width) > size * 0.5
    const other = first.font.name !== next.font.name && Math.abs(first.size - size) > size * 0.15
    if (apart && other && first.baseline > next.baseline - size * 0.2) return DRAWN
  }
  return markerOf(first.text)
}

/** The beginning of the line that names a table. */
export const CAPTION =
  /^(?:tab(?:le|elle|leau|la|ela|ella|\.)|exhibit|schedule|таблица|表)\s*(?:\d+|[IVX]+\b)/iu
