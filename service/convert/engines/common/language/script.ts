/** Properties of writing systems. */

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const LETTER = /\p{L}/u

/** Characters of scripts without spaces between words, and their punctuation. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u303f\uff00-\uffef]/u

export const hasRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text)

export const hasLeftToRight = (text: string): boolean => !RIGHT_TO_LEFT.test(text) && LETTER.test(text)

/** The direction of a text, from its first letter; undefined for digits and signs only. */
export function directionOf(text: string): 'ltr' | 'rtl' | undefined {
  const letter = LETTER.exec(text)?.[0]
  if (!letter) return undefined
  return hasRightToLeft(letter) ? 'rtl' : 'ltr'
}

/** Whether there are more right-to-left letters than left-to-right ones. */
export function isRightToLeft(text: string): boolean {
  if (!hasRightToLeft(text)) return false
  let balance = 0
  for (const character of text) {
    if (hasRightToLeft(character)) balance += 1
    else if (LETTER.test(character)) balance -= 1
  }
  return balance > 0
}

/** Whether no space belongs between two texts. */
export const isUnspaced = (before: string, after: string): boolean =>
  UNSPACED.test(before.slice(-1)) && UNSPACED.test(after.slice(0, 1))
