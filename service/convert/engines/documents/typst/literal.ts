/**
 * Marks on one letter, even if words may break between them; shaping takes the cube of their number. No text needs as many: Unicode Standard Annex 15, 13, calls text
 * with at most 30 safe.
 */
const MARKS = /((?:\u200b?\p{M}){30})(?:\u200b?\p{M})+/gu

/** Text without control characters, which no font can show, and without marks beyond the 30th of a letter. */
export const tamed = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, '')
    .toWellFormed()
    .replace(MARKS, '$1')

/** A string literal of Typst code, in which text is never executed as code. */
export function literal(text: string): string {
  const escaped = tamed(text)
    .replace(/[\\"]/g, sign => `\\${sign}`)
    .replace(/\r\n?|\n/g, '\\n')
    .replaceAll('\t', '\\t')
  return `"${escaped}"`
}
