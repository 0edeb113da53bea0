import { quickSignalOf } from '../../common/srgb.ts'
import type { Header } from './header.ts'

/** Samples for processing: 8 bits for documents with 1 and 8 bits, 16 for those with 16 and 32. */
export type Samples = Uint8Array | Uint16Array

export const maxOf = (samples: Samples): number => (samples instanceof Uint8Array ? 255 : 65535)

export const makeSamples = (depth: Header['depth'], length: number): Samples =>
  depth <= 8 ? new Uint8Array(length) : new Uint16Array(length)

/**
 * Writes the samples of a big-endian row into every `stride`th element of `target` from `start` on. One-bit
 * samples become 0 if set (black), otherwise 255; colours of 32 bits, which are linear light, get the sRGB curve.
 */
export function scatter(
  row: Uint8Array,
  depth: Header['depth'],
  target: Samples,
  start: number,
  stride: number,
  width: number,
  isColour: boolean,
): void {
  let place = start
  if (depth === 8) {
    for (let x = 0; x < width; x++, place += stride) target[place] = row[x]!
  } else if (depth === 16) {
    for (let x = 0; x < width; x++, place += stride) target[place] = (row[x * 2]! << 8) | row[x * 2 + 1]!
  } else if (depth === 1) {
    for (let x = 0; x < width; x++, place += stride)
      target[place] = (row[x >> 3]! >> (7 - (x & 7))) & 1 ? 0 : 255
  } else {
    const view = new DataView(row.buffer, row.byteOffset, row.byteLength)
    for (let x = 0; x < width; x++, place += stride) {
      const value = view.getFloat32(x * 4)
      // NaN counts as black.
      const light = value > 0 ? Math.min(1, value) : 0
      target[place] = Math.round(65535 * (isColour ? quickSignalOf(light) : light))
    }
  }
}
