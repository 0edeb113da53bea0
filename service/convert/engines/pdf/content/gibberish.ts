/** Tells letters that form no words, as of a font whose map to Unicode is there but wrong. */

/** Letters of an alphabet from the most to the least frequent, over the languages that use it. */
const ALPHABETS = ['eainotsrludcmphgvbfkzywjqx', 'оеаинтсрвлкмдпуяыьгзбчйхжшющцэф']
/** Weights of letters fall by this from one to the next. */
const FALL = 0.92
/** Fewer different words and letters prove nothing: they may be numerals, units, sequences of DNA or one line of a rare language. */
const [WORDS, LETTERS] = [20, 14]
/**
 * How much the letters of words have to be those of a language: 1 are equal, unlike ones come to 0.5. Of texts in 132 languages from 300
 * letters on, 0.4 in a hundred are less alike; of those whose letters are shifted, four in five.
 */
const LIKE = 0.7
/** Nothing but one letter or digit, over and over. */
const SINGLE = /^([\p{L}\p{N}])\1{39,}$/u
/** Letters that only a font knows. */
const PRIVATE = /\p{Co}/gu

/** @param text of one font, with spaces */
export function isGibberish(text: string): boolean {
  const tight = text.replace(/\s/g, '')
  const unknown = tight.match(PRIVATE) ?? []
  if (SINGLE.test(tight)) return true
  if (unknown.length > tight.length / 2 && new Set(unknown).size > 8) return true
  const words = new Set(
    text
      .normalize('NFD')
      .toLowerCase()
      .match(/[\p{L}\p{M}]{4,}/gu),
  )
  if (words.size < WORDS) return false
  const letters = [...words].join('')
  return ALPHABETS.some(alphabet => {
    const counts = [...alphabet].map(letter => letters.split(letter).length - 1)
    const weights = counts.map((_, rank) => FALL ** rank)
    const product = counts.reduce((sum, each, rank) => sum + each * weights[rank]!, 0)
    return (
      counts.filter(Boolean).length >= LETTERS &&
      product < LIKE * Math.hypot(...counts) * Math.hypot(...weights)
    )
  })
}
