/** What single characters of a PDF stand for. */

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u

export const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text)

/** Characters that stand for others: shapes of Arabic letters, ligatures, radicals in place of Chinese characters. */
const COMPATIBLE = /[\ufb00-\ufb06\ufb13-\ufb17\ufb1d-\ufdfb\ufe70-\ufefc\u2e80-\u2fdf]/u

/** Marks without a width that only steer how text is laid out. */
const STEERING = new Set([0x200b, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060, 0xfeff])

/** Names PDFium gives to a hyphen that breaks a word at the end of a line. */
const HYPHENS = new Set([0x02, 0xad, 0xfffe])

const SPACES = /\s/u

export function isSpace(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || code === 0 || (code >= 0x09 && code <= 0x0d)
  if (code < 0x80 || code > 0xffff) return false
  return SPACES.test(String.fromCodePoint(code))
}

/** Whether a code says nothing of what its glyph means. */
export const isUnmapped = (code: number): boolean =>
  (code > 0x02 && code < 0x20) || code === 0xfffd || code === 0x01

const ASCII = Array.from({ length: 0x7f }, (_, code) => String.fromCharCode(code))

/** Text of a code; empty for what is no text. */
export function textOf(code: number): string {
  if (code > 0x20 && code < 0x7f) return ASCII[code]!
  if (HYPHENS.has(code)) return '-'
  if ((code >= 0xd800 && code <= 0xdfff) || code === 0xffff || code === 0xfffd) return ''
  if (code < 0x20 || (code >= 0x7f && code < 0xa0) || STEERING.has(code) || code > 0x10_ffff) return ''
  const text = String.fromCodePoint(code)
  return COMPATIBLE.test(text) ? text.normalize('NFKC') : text
}

/**
 * Letters of one glyph that PDFium turned around with the line around them: lam before alef, which Arabic writes as one
 * glyph, comes out as alef before lam.
 */
export const uprightLigature = (letters: string): string => letters.replace(/^([آأإا])(ل)$/u, '$2$1')
