import { create } from 'fontkit'

/** The letters shown in specimens, if a font has them. */
const USUAL = 'Ag'

/** How many code points of a font are searched for letters. */
const LOOKED_AT = 5000

/** Two letters that a font has, such as `Ag`; empty if it has none or cannot be read. */
export function lettersOf(file: Buffer): string {
  try {
    const font = create(file)
    if ('fonts' in font) return ''
    const has = (letter: string) => font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0)
    if ([...USUAL].every(has)) return USUAL
    const known = font.characterSet.slice(0, LOOKED_AT).map(point => String.fromCodePoint(point))
    const letters = known.filter(character => /[\p{L}\p{S}\p{N}]/u.test(character))
    return letters.slice(0, 2).join('')
  } catch {
    return ''
  }
}
