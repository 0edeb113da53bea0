/** Truncated documents: channels are stored one after the other, so the last ones are missing first. */
import type { ColorMode } from './header.ts'
import { maxOf, type Samples } from './samples.ts'

/** Interleaved samples, not all of which could be read. */
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
 * Turns the available samples into a picture, in place: rows without their first channel become transparent; if only
 * later channels are missing, RGB is shown in shades of the available ones, and other modes treat the missing ones as
 * empty.
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
