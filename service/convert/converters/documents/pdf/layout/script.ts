/** Properties of writing systems. */

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const LETTER = /\p{L}/u
/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u303f\uff00-\uffef]/u

/** Whether there are more right-to-left letters than left-to-right ones. */
export function isRightToLeft(text: string): boolean {
  if (!RIGHT_TO_LEFT.test(text)) return false
  let balance = 0
  for (const character of text) {
    if (RIGHT_TO_LEFT.test(character)) balance += 1
    else if (LETTER.test(character)) balance -= 1
  }
  return balance > 0
}

export const hasRightToLeft = (text: string) => RIGHT_TO_LEFT.test(text)
const hasLeftToRight = (text: string) => !RIGHT_TO_LEFT.test(text) && LETTER.test(text)

/** Whether no space belongs between two characters. */
export const isUnspaced = (before: string, after: string): boolean =>
  UNSPACED.test(before.slice(-1)) && UNSPACED.test(after.slice(0, 1))

/**
 * Puts the words of a line, given from left to right, into reading order. In a right-to-left line, Latin words and the text
 * between them keep their order.
 */
export function inReadingOrder<Word extends { text: string }>(
  words: readonly Word[],
  rightToLeft: boolean,
): Word[] {
  if (!rightToLeft && !words.some(({ text }) => hasRightToLeft(text))) return [...words]
  const against = rightToLeft ? hasLeftToRight : hasRightToLeft
  const along = rightToLeft ? hasRightToLeft : hasLeftToRight
  const ordered = rightToLeft ? words.toReversed() : [...words]
  for (let index = 0; index < ordered.length; index++) {
    if (!against(ordered[index]!.text)) continue
    let end = index
    for (let next = index + 1; next < ordered.length && !along(ordered[next]!.text); next++) {
      if (against(ordered[next]!.text)) end = next
    }
    const run = ordered.slice(index, end + 1).reverse()
    ordered.splice(index, run.length, ...run)
    index = end
  }
  return ordered
}
