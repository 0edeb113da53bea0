/** Colours of brightness and chroma (ITU-T H.273, 8.3). */
import type { CodePoints } from '../../formats/code-points.ts'
import { unknownCoding } from '../failure.ts'
import type { Plane } from './planes.ts'

/** Shares of red and blue in brightness by matrix coefficients (table 4); 2 is unspecified. */
const SHARES: Readonly<Record<number, [red: number, blue: number]>> = {
  1: [0.2126, 0.0722],
  2: [0.299, 0.114],
  5: [0.299, 0.114],
  6: [0.299, 0.114],
  9: [0.2627, 0.0593],
}

/** The planes of a picture, and the width and height in pixels of one sample of chroma. */
export interface YcbcrPlanes {
  y: Plane
  cb: Plane
  cr: Plane
  chroma: { width: number; height: number }
}

export type Colour = Record<'r' | 'g' | 'b', number>

/**
 * A function that gives the colour of a pixel, from 0 to 1; it returns the same object every time.
 * @throws JobFailure unsupported_input for other matrices
 */
export function colourReader(
  { y, cb, cr, chroma }: YcbcrPlanes,
  { matrix, fullRange }: Pick<CodePoints, 'matrix' | 'fullRange'>,
): (column: number, row: number) => Colour {
  const [red, blue] = SHARES[matrix] ?? []
  if (red === undefined || blue === undefined) throw unknownCoding()
  const brightness = levels(y.bits, fullRange ? 0 : 16, fullRange ? 255 : 219)
  const blues = levels(cb.bits, 128, fullRange ? 255 : 224)
  const reds = levels(cr.bits, 128, fullRange ? 255 : 224)
  const clamped = (value: number) => Math.min(1, Math.max(0, value))
  const colour: Colour = { r: 0, g: 0, b: 0 }
  return (column, row) => {
    const place = Math.floor(row / chroma.height) * cb.width + Math.floor(column / chroma.width)
    const light = brightness[y.data[row * y.width + column]!]!
    const r = light + 2 * (1 - red) * reds[cr.data[place]!]!
    const b = light + 2 * (1 - blue) * blues[cb.data[place]!]!
    colour.r = clamped(r)
    colour.g = clamped((light - red * r - blue * b) / (1 - red - blue))
    colour.b = clamped(b)
    return colour
  }
}

/** What the samples of a component with this depth mean, from its zero and its range at 8 bits. */
function levels(bits: number, zero: number, range: number): Float64Array {
  const most = 2 ** bits - 1
  // Limited range and the middle of chroma scale by powers of two, the full range by its largest value.
  const unit = 2 ** (bits - 8)
  const span = range === 255 ? most : range * unit
  return Float64Array.from({ length: most + 1 }, (_, value) => (value - zero * unit) / span)
}
