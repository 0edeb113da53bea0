import { styleLength } from '../../../common/css/length.ts'

/** The keywords of `font-size` as multiples of `medium`: https://www.w3.org/TR/css-fonts-4/#absolute-size-mapping */
const fontSizes: Readonly<Record<string, number>> = {
  'xx-small': 0.6,
  'x-small': 0.75,
  small: 0.89,
  medium: 1,
  large: 1.2,
  'x-large': 1.5,
  'xx-large': 2,
}

/** CSS pixels in the usual text of a book. */
export const TEXT_PIXELS = 16

/**
 * A font size as a multiple of the usual one; undefined if it is invalid.
 * @param outer the size around it
 */
export function fontSize(value: string, outer: number): number | undefined {
  if (value === 'smaller') return outer / 1.2
  if (value === 'larger') return outer * 1.2
  const size = outer * TEXT_PIXELS
  const length = styleLength(value, { whole: size, fontSize: size, rootFontSize: TEXT_PIXELS })
  return fontSizes[value] ?? (length && length > 0 ? length / TEXT_PIXELS : undefined)
}
