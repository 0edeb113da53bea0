// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** Removes characters that are not allowed in XML: https://www.w3.org/TR/xml/#charsets */
export const withoutControls = (text: string): string => text.toWellFormed().replace(forbidden, '')

/** Whether a character is allowed in XML. */
export const isCharacter = (code: number): boolean =>
  code >= 0x20
    ? code < 0xd800 || (code > 0xdfff && code < 0xfffe) || (code > 0xffff && code <= 0x10ffff)
    : code === 9 || code === 10 || code === 13

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes text for XML, without the control characters that XML does not allow. */
export const escapeXml = (text: string): string =>
  withoutControls(text).replace(/[&<>"]/g, sign => signs[sign] ?? sign)
