/**
 * Marks on one letter, even if words may break between them; shaping takes the cube of their number. No text needs as many: Unicode Standard Annex 15, 13, calls text
 * with at most 30 safe.
 */
const MARKS = /((?:\u200b?\p{M}){30})(?:\u200b?\p{M})+/gu

/**
 * A string literal of Typst code. Text enters a document only in this form, so that it is never executed as code.
 * Control characters that no font can show are left out, and marks
 * beyond the 30th of a letter.
 */
export function literal(text: string): string {
  const escaped = text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, '')
    .toWellFormed()
    .replace(MARKS, '$1')
    .replace(/[\\"]/g, sign => `\\${sign}`)
    .replace(/\r\n?|\n/g, '\\n')
    .replaceAll('\t', '\\t')
  return `"${escaped}"`
}

/** Text as document content. The semicolon ends the expression, whatever follows it. */
export const textContent = (text: string): string => (text === '' ? '' : `#${literal(text)};`)
