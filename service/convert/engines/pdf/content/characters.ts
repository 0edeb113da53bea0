/** Maps single characters of a PDF to text. */

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u

export const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text)

/** Compatibility characters: Arabic presentation forms, ligatures, radicals in place of Chinese characters. */
const COMPATIBLE = /[\ufb00-\ufb06\ufb13-\ufb17\ufb1d-\ufdfb\ufe70-\ufefc\u2e80-\u2fdf]/u

/** Zero-width characters that only control text layout. */
const STEERING = new Set([0x200b, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060, 0xfeff])

/** Codes that PDFium uses for a hyphen that breaks a word at the end of a line. */
const HYPHENS = new Set([0x02, 0xad, 0xfffe])

const SPACES = /\s/u

export function isSpace(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || code === 0 || (code >= 0x09 && code <= 0x0d)
  if (code < 0x80 || code > 0xffff) return false
  return SPACES.test(String.fromCodePoint(code))
}

/** Whether a code leaves open which character its glyph is. */
export const isUnmapped = (code: number): boolean =>
  (code > 0x02 && code < 0x20) || code === 0xfffd || code === 0x01

const ASCII = Array.from({ length: 0x7f }, (_, code) => String.fromCharCode(code))

/** Text of a code; empty if it is not text. */
export function textOf(code: number): string {
  if (code > 0x20 && code < 0x7f) return ASCII[code]!
  if (HYPHENS.has(code)) return '-'
  if ((code >= 0xd800 && code <= 0xdfff) || code === 0xffff || code === 0xfffd) return ''
  if (code < 0x20 || (code >= 0x7f && code < 0xa0) || STEERING.has(code) || code > 0x10_ffff) return ''
  const text = String.fromCodePoint(code)
  return COMPATIBLE.test(text) ? text.normalize('NFKC') : text
}

/**
 * Restores the order of the letters of a ligature. PDFium reverses them with the rest of the line, so that the Arabic
 * ligature of lam and alef is read as alef before lam.
 */
export const uprightLigature = (letters: string): string => letters.replace(/^([آأإا])(ل)$/u, '$2$1')
