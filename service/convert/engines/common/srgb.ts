/** The tone curve of sRGB (IEC 61966-2-1), for values from 0 to 1. */

export const lightOf = (signal: number): number =>
  signal <= 0.04045 ? signal / 12.92 : ((signal + 0.055) / 1.055) ** 2.4

export const signalOf = (light: number): number =>
  light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055
