import type { Rgb } from './colors.ts'

/** Combines a source with what is below it, both 0–255; `operand` is the port's operand colour. */
export type Transfer = (source: number, under: number, operand: number) => number

/**
 * Transfer modes of colours (Inside Macintosh: Imaging with QuickDraw, 4-32 ff.). The Boolean ones work on inverted
 * values, since a set bit is black. Copying is absent. Pattern modes (8–15) equal the source ones (0–7).
 */
const transfers: Record<number, Transfer> = {
  1: (s, d) => s & d,
  2: (s, d) => 255 - (s ^ d),
  3: (s, d) => (255 - s) | d,
  4: s => 255 - s,
  5: (s, d) => (255 - s) & d,
  6: (s, d) => s ^ d,
  7: (s, d) => s | d,
  32: (s, d, w) => (s * w + d * (255 - w)) / 255,
  33: (s, d, pin) => Math.min(s + d, pin),
  34: (s, d) => (s + d) & 255,
  35: (s, d, pin) => Math.max(d - s, pin),
  37: Math.max,
  38: (s, d) => (d - s) & 255,
  39: Math.min,
}

export const transferOf = (mode: number): Transfer | undefined => transfers[mode < 16 ? mode & 7 : mode]

/** Composites a source with coverage in its alpha onto an opaque ground of the same size, in place. */
export function transfer(
  ground: Uint8ClampedArray,
  source: Uint8ClampedArray,
  combine: Transfer,
  operand: Rgb,
): void {
  for (let i = 0; i < ground.length; i += 4) {
    const coverage = source[i + 3]!
    if (coverage === 0) continue
    for (let part = 0; part < 3; part++) {
      const under = ground[i + part]!
      const result = combine(source[i + part]!, under, operand[part as 0 | 1 | 2])
      ground[i + part] = coverage === 255 ? result : under + ((result - under) * coverage) / 255
    }
  }
}

/** Exchanges two colours wherever the source covers; others stay. */
export function exchange(ground: Uint8ClampedArray, source: Uint8ClampedArray, a: Rgb, b: Rgb): void {
  const is = (i: number, color: Rgb) =>
    ground[i] === color[0] && ground[i + 1] === color[1] && ground[i + 2] === color[2]
  for (let i = 0; i < ground.length; i += 4) {
    if (source[i + 3]! < 128) continue
    const next = is(i, a) ? b : is(i, b) ? a : undefined
    if (next) ground.set(next, i)
  }
}
