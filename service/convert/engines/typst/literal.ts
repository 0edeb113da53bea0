/**
 * A string literal of Typst code. Text enters a document only in this form, so that it is never executed as code.
 * Control characters that no font can show are left out.
 */
export function literal(text: string): string {
  const escaped = text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, '')
    .toWellFormed()
    .replace(/[\\"]/g, sign => `\\${sign}`)
    .replace(/\r\n?|\n/g, '\\n')
    .replaceAll('\t', '\\t')
  return `"${escaped}"`
}

/** Text as document content. The semicolon ends the expression, whatever follows it. */
export const textContent = (text: string): string => (text === '' ? '' : `#${literal(text)};`)
