/** Documents that break off: channels are stored one after the other, so that the last ones are missing first. */
import type { ColorMode } from './header.ts'
import { maxOf, type Samples } from './samples.ts'

/** Interleaved samples of which not all were there to be read. */
export interface Incomplete {
  data: Samples
  width: number
  height: number
  /** Colour channels; alpha follows them. */
  colors: number
  mode: ColorMode
  /** Rows that were read of each colour channel, and of alpha. */
  rows: readonly number[]
}

/**
 * Makes a picture of what is there, in place: rows without their first colour become transparent; where only the
 * further ones are missing, RGB comes out in shades of those it has, other modes with none of them.
 * @returns whether any row is left
 */
export function fillMissing({ data, width, height, colors, mode, rows }: Incomplete): boolean {
  const max = maxOf(data)
  const step = colors + 1
  const none = mode === 'lab' ? (max === 255 ? 128 : 32_768) : max
  const missing = Array.from({ length: height }, (_, y) => rows.map(count => y >= count))
  for (const [y, lacks] of missing.entries()) {
    if (!lacks.includes(true)) continue
    for (let at = y * width * step, end = at + width * step; at < end; at += step) {
      for (let color = 1; color < colors; color++) {
        if (lacks[color]) data[at + color] = mode === 'rgb' ? data[at + color - 1]! : none
      }
      if (lacks[0]) data[at + colors] = 0
      else if (lacks[colors]) data[at + colors] = max
    }
  }
  return (rows[0] ?? 0) > 0
}
