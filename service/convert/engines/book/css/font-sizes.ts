/** The keywords of `font-size` as multiples of `medium`: https://www.w3.org/TR/css-fonts-4/#absolute-size-mapping */
export const fontSizes: Readonly<Record<string, number>> = {
  'xx-small': 0.6,
  'x-small': 0.75,
  small: 0.89,
  medium: 1,
  large: 1.2,
  'x-large': 1.5,
  'xx-large': 2,
}
