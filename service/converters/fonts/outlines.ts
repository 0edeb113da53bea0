import { toCff } from '../../engines/outlines/to-cff.ts'
import { toTrueType } from '../../engines/outlines/to-truetype.ts'
import { type Font, flavors } from '../../engines/sfnt/font.ts'
import { type Message, message } from '../../messages/message.ts'

const hasCff = ({ tables }: Font) => tables.has('CFF ') || tables.has('CFF2')

/**
 * The font with TrueType outlines; existing ones are kept.
 * @throws JobFailure corrupt_input, unsupported_input, too_large
 */
export function withTrueTypeOutlines(font: Font): Font {
  return hasCff(font) && !font.tables.has('glyf') ? toTrueType(font) : { ...font, flavor: flavors.trueType }
}

/**
 * The font with CFF outlines; existing ones are kept, and a font with only bitmap glyphs is unchanged.
 * @throws JobFailure corrupt_input, unsupported_input, too_large
 */
export function withCffOutlines(font: Font, warn: (warning: Message) => void): Font {
  if (hasCff(font)) return { ...font, flavor: flavors.cff }
  if (font.tables.has('glyf')) return toCff(font)
  warn(message('font.no_outlines'))
  return font
}
