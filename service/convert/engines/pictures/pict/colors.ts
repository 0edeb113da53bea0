import type { ByteReader } from '../../common/byte-reader.ts'

/** Red, green, blue, 0–255. */
export type Rgb = readonly [number, number, number]

export const black: Rgb = [0, 0, 0]
export const white: Rgb = [255, 255, 255]

export const css = ([r, g, b]: Rgb): string => `rgb(${r},${g},${b})`

/** Reads a colour of three 16-bit parts. */
export function readColor(reader: ByteReader): Rgb {
  const part = () => reader.u16() >> 8
  return [part(), part(), part()]
}

/** The eight colours of the first QuickDraw, by their constants. */
const classic: Record<number, Rgb> = {
  33: black,
  30: white,
  205: [221, 8, 6],
  341: [0, 128, 17],
  409: [0, 0, 211],
  273: [2, 171, 234],
  137: [242, 8, 132],
  69: [252, 243, 5],
}

export const classicColor = (value: number): Rgb => classic[value] ?? black

/** Colours by pixel value; it has holes at values without a colour, which are black. */
export type Palette = readonly Rgb[]

/** Reads a colour table: seed, flags, highest index, then entries of a value and a colour. */
export function readPalette(reader: ByteReader): Palette {
  reader.skip(4)
  const device = (reader.u16() & 0x8000) !== 0
  const count = reader.u16() + 1
  const palette: Rgb[] = []
  for (let i = 0; i < count; i++) {
    const value = reader.u16()
    palette[device ? i : value & 0xff] = readColor(reader)
  }
  return palette
}
