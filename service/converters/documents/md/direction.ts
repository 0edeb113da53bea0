const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** The direction of a text, by its first letter that has one; undefined for a text of digits and signs. */
export function directionOf(text: string): 'ltr' | 'rtl' | undefined {
  const letter = /\p{L}/u.exec(text)?.[0]
  if (!letter) return undefined
  return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr'
}

/** Whether most lines of a document begin with letters that are written from right to left. */
export function isMostlyRightToLeft(text: string): boolean {
  const directions = text.slice(0, 200_000).split('\n').map(directionOf).filter(Boolean)
  return directions.filter(direction => direction === 'rtl').length > directions.length / 2
}
