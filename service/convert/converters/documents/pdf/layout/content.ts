import { isUnspaced } from '../../../../engines/common/language/script.ts'
import { median } from '../../../../engines/common/median.ts'
import { edgesOf, type Line, spansOf } from './lines.ts'
import { markerAt } from './markers.ts'
import { append, appendSpace, plainText, type TextSpan, trimmed } from './model.ts'

/** Words that occur within lines of the document; they show whether a hyphen at the end of a line belongs to a word. */
export type Vocabulary = ReadonlySet<string>

const WORD = /[\p{L}\p{N}]+(?:[-‐][\p{L}\p{N}]+)*/gu

export function vocabularyOf(words: Iterable<{ text: string }>): Vocabulary {
  const vocabulary = new Set<string>()
  for (const { text } of words)
    for (const [word] of text.matchAll(WORD)) if (word.length > 3) vocabulary.add(word.toLowerCase())
  return vocabulary
}

const BROKEN = /([\p{L}\p{N}]+(?:[-‐][\p{L}\p{N}]+)*)[-‐]$/u
const GOES_ON = /^(\p{L}[\p{L}\p{N}]*)/u

/** Whether the hyphen at the end of a line was only added to break a word. */
export function isBrokenWord(before: string, after: string, vocabulary: Vocabulary): boolean {
  const start = BROKEN.exec(before)?.[1]
  const rest = GOES_ON.exec(after)?.[1]
  if (!start || !rest) return false
  const hyphenated = `${start}-${rest}`.toLowerCase()
  const whole = `${start}${rest}`.toLowerCase()
  if (vocabulary.has(whole)) return true
  if (!/^\p{Ll}/u.test(rest)) return false
  return !vocabulary.has(hyphenated) && !/\p{N}/u.test(start)
}

/** Appends the text of the next line or paragraph to the content before it. */
export function join(content: TextSpan[], next: readonly TextSpan[], vocabulary: Vocabulary): void {
  const [before, after] = [plainText(content).slice(-60), plainText(next).slice(0, 60)]
  if (isBrokenWord(before, after, vocabulary)) {
    const last = content.at(-1)!
    content[content.length - 1] = { ...last, text: last.text.slice(0, -1) }
  } else if (!isUnspaced(before, after) && !/[-‐–—/]$/u.test(before) && !/\s$/.test(before))
    appendSpace(content)
  else if (/[\p{L}\p{N}]\s?[–—]$/u.test(before) && /\s[–—]$/u.test(before)) appendSpace(content)
  for (const span of next) append(content, span)
}

/** Joins lines to one running text. */
export function running(lines: readonly Line[], vocabulary: Vocabulary): TextSpan[] {
  const content: TextSpan[] = []
  for (const line of lines) join(content, spansOf(line), vocabulary)
  return trimmed(content)
}

/** Whether a line starts a list entry. */
export const startsList = (line: Line): boolean => markerAt(line) !== null

/** Lines of code with their indentation and inner spaces, derived from character columns. */
export function codeOf(lines: readonly Line[]): string {
  const { left } = edgesOf(lines)
  const advance = characterWidth(lines)
  const pitches = lines.slice(1).map((line, index) => line.baseline - lines[index]!.baseline)
  const pitch = Math.min(...pitches)
  const rows: string[] = []
  for (const [index, line] of lines.entries()) {
    const blank = index === 0 ? 0 : Math.min(2, Math.round(pitches[index - 1]! / pitch) - 1)
    for (let count = 0; count < blank; count++) rows.push('')
    let row = ''
    let end = left
    for (const word of line.words) {
      const spaces = Math.round((word.x - end) / advance)
      row += ' '.repeat(Math.max(row === '' || word.joined ? 0 : 1, Math.min(spaces, 200)))
      row += word.text
      end = word.x + word.width
    }
    rows.push(row)
  }
  return rows.join('\n')
}

function characterWidth(lines: readonly Line[]): number {
  const widths = lines.flatMap(({ words }) => words.map(({ width, text }) => width / [...text].length))
  return median(widths) || 6
}
