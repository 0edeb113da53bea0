import { type Handle, pdfium, readUtf8 } from '../pdfium/library.ts'
import type { PdfFont } from './types.ts'

/** Flags of a font descriptor; ISO 32000-1, table 123. */
const FIXED_PITCH = 1
const ITALIC = 1 << 6
const FORCE_BOLD = 1 << 18

const BOLD = /bold|black|heavy|demi|cmbx|cmssbx|[-,]bd\b|extrabd/i
const ITALIC_NAME = /ital|obli|slant|cmti|cmmi|cmsl|[-,]it\b/i
const MONOSPACE =
  /mono|letter ?gothic|lucida ?(sans ?)?(console|typewriter)|andale|courier|consol|menlo|cmtt|typewriter|source ?code|fira ?code|inconsolata|[-,]tt\b/i

/** Weight from which a font is bold. PDFium derives it from the stem width, so lower values are not reliable. */
const BOLD_WEIGHT = 700

/** The style of a font, from its name and its descriptor; descriptors are incomplete in many files. */
export function readFont(font: Handle): PdfFont {
  const library = pdfium()
  const name = readUtf8((out, bytes) => library.fontName(font, out, bytes)).replace(/^[A-Z]{6}\+/, '')
  const flags = library.fontFlags(font)
  const known = flags === -1 ? 0 : flags
  return {
    name,
    bold: BOLD.test(name) || (known & FORCE_BOLD) !== 0 || library.fontWeight(font) >= BOLD_WEIGHT,
    italic: ITALIC_NAME.test(name) || (known & ITALIC) !== 0,
    monospace: MONOSPACE.test(name) || (known & FIXED_PITCH) !== 0,
  }
}
