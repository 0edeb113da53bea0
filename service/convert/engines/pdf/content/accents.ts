/** Joins letters with accents that are drawn over them as signs of their own, as TeX does in its oldest encoding. */
import type { Character } from './placed-characters.ts'

/** Accents as signs, and as marks that combine with a letter. */
const MARKS: Record<string, string> = {
  '`': '\u0300',
  '´': '\u0301',
  '\u02c6': '\u0302',
  '^': '\u0302',
  '\u02dc': '\u0303',
  '~': '\u0303',
  '¯': '\u0304',
  '\u02d8': '\u0306',
  '\u02d9': '\u0307',
  '¨': '\u0308',
  '\u02da': '\u030a',
  '\u02dd': '\u030b',
  '\u02c7': '\u030c',
  '¸': '\u0327',
  '\u02db': '\u0328',
}

/** The same characters, where an accent and the letter that it stands over or under are one. */
export function withAccents(characters: readonly Character[]): Character[] {
  const found: Character[] = []
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index]!
    const mark = MARKS[character.text]
    const next = characters[index + 1]
    const after = mark && next && joined(next, character, mark)
    if (after) {
      found.push({ ...after, spaced: character.spaced })
      index++
    } else if (mark && !joinedBefore(found, character, mark)) found.push(character)
    else if (!mark) found.push(character)
  }
  return found
}

/** How far back the letter of an accent may be, which PDFium puts behind what stands to its left. */
const REACH = 40

/** Whether an accent was joined to a letter before it. */
function joinedBefore(found: Character[], accent: Character, mark: string): boolean {
  for (let at = found.length - 1; at >= Math.max(0, found.length - REACH); at--) {
    const letter = joined(found[at]!, accent, mark)
    if (letter) found[at] = letter
    if (letter) return true
  }
  return false
}

/** The letter with an accent; undefined if the accent is not over or under it. */
function joined(letter: Character, accent: Character, mark: string): Character | undefined {
  const middle = (accent.left + accent.right) / 2
  if (letter.look.quarters !== accent.look.quarters || letter.look.slanted) return undefined
  const isOver =
    middle > letter.left && middle < letter.right && letter.bottom < accent.top && letter.top > accent.bottom
  const text = (letter.text.replace('ı', 'i').replace('ȷ', 'j') + mark).normalize('NFC')
  return isOver && /^\p{L}$/u.test(text) ? { ...letter, text } : undefined
}
