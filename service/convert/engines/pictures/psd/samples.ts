import { signalOf } from '../../common/srgb.ts'
import type { Header } from './header.ts'

/** Samples for processing: 8 bits for documents with 1 and 8 bits, 16 for those with 16 and 32. */
export type Samples = Uint8Array | Uint16Array

export const maxOf = (samples: Samples): number => (samples instanceof Uint8Array ? 255 : 65535)

export const makeSamples = (depth: Header['depth'], length: number): Samples =>
  depth <= 8 ? new Uint8Array(length) : new Uint16Array(length)

/** How 32-bit floating-point samples become 16-bit ones: unchanged, or with the sRGB curve. */
export type Tone = 'linear' | 'srgb'

// The curve is nearly linear over the square root of the light, so a short table is accurate enough.
const STEPS = 4096
const curve = Float64Array.from({ length: STEPS + 2 }, (_, i) => {
  return 65535 * signalOf(Math.min(1, (i / STEPS) ** 2))
})

function encodeSrgb(light: number): number {
  const at = Math.sqrt(light) * STEPS
  const step = at | 0
  return curve[step]! + (at - step) * (curve[step + 1]! - curve[step]!)
}

/**
 * Writes samples `from` to `to` of a big-endian row into every `stride`th element of `target` from `start` on. One-bit
 * samples become 0 if set (black), otherwise 255.
 */
export function scatter(
  row: Uint8Array,
  depth: Header['depth'],
  target: Samples,
  start: number,
  stride: number,
  from: number,
  to: number,
  tone: Tone = 'linear',
): void {
  let place = start
  if (depth === 8) {
    for (let x = from; x < to; x++, place += stride) target[place] = row[x]!
  } else if (depth === 16) {
    for (let x = from; x < to; x++, place += stride) target[place] = (row[x * 2]! << 8) | row[x * 2 + 1]!
  } else if (depth === 1) {
    for (let x = from; x < to; x++, place += stride)
      target[place] = (row[x >> 3]! >> (7 - (x & 7))) & 1 ? 0 : 255
  } else {
    const view = new DataView(row.buffer, row.byteOffset, row.byteLength)
    for (let x = from; x < to; x++, place += stride) {
      const value = view.getFloat32(x * 4)
      // NaN counts as black.
      const light = value > 0 ? Math.min(1, value) : 0
      target[place] = Math.round(tone === 'srgb' ? encodeSrgb(light) : light * 65535)
    }
  }
}
