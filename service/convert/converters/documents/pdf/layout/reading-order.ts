import { hasLeftToRight, hasRightToLeft } from '../../../../engines/common/language/script.ts'

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
