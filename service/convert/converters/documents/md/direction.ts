const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** The direction of a text, from its first letter with a direction; undefined for digits and signs only. */
export function directionOf(text: string): 'ltr' | 'rtl' | undefined {
  const letter = /\p{L}/u.exec(text)?.[0]
  if (!letter) return undefined
  return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr'
}

/** Whether most lines of a document start with right-to-left letters. */
export function isMostlyRightToLeft(text: string): boolean {
  const directions = text.slice(0, 200_000).split('\n').map(directionOf).filter(Boolean)
  return directions.filter(direction => direction === 'rtl').length > directions.length / 2
}
