import { JobFailure } from '../../../shared/errors.ts'
import { type Message, message } from '../../../shared/messages/message.ts'
import { toCff } from '../../engines/fonts/outlines/to-cff.ts'
import { toTrueType } from '../../engines/fonts/outlines/to-truetype.ts'
import { type Font, flavors, tableOf } from '../../engines/fonts/sfnt/font.ts'

const hasCff = ({ tables }: Font) => tables.has('CFF ') || tables.has('CFF2')

/**
 * The font with TrueType outlines; existing ones are kept, and other ones of a variable font become its default style.
 * @throws JobFailure corrupt_input, unsupported_input, too_large
 */
export function withTrueTypeOutlines(font: Font, warn: (warning: Message) => void): Font {
  if (!hasCff(font) || font.tables.has('glyf')) return { ...font, flavor: flavors.trueType }
  if (font.tables.has('fvar')) warn(message('font.variations_left_out'))
  return toTrueType(font)
}

/** Whether glyphs have curves or composites of no published version of OpenType (`glyphDataFormat` 1, `VARC`). */
const hasExtendedGlyphs = (font: Font) => font.tables.has('VARC') || tableOf(font, 'head').u16(52) !== 0

/**
 * The font with CFF outlines; existing ones are kept, a variable font becomes its default style, and a font with only bitmap
 * glyphs is unchanged.
 * @throws JobFailure corrupt_input, unsupported_input, too_large
 */
export function withCffOutlines(font: Font, warn: (warning: Message) => void): Font {
  if (hasCff(font)) return { ...font, flavor: flavors.cff }
  if (font.tables.has('glyf')) {
    if (hasExtendedGlyphs(font))
      throw new JobFailure('jobs.unsupported_input', message('font.extended_glyphs'))
    if (font.tables.has('fvar')) warn(message('font.variations_left_out'))
    return toCff(font)
  }
  warn(message('font.no_outlines'))
  return font
}
