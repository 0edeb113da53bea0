import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Raster } from './colors.ts'
import { type PsdDocument, toneOf } from './document.ts'
import { colorChannels } from './header.ts'
import { fillMissing } from './missing.ts'
import { openRows } from './rows.ts'
import { makeSamples, maxOf, type Samples, scatter } from './samples.ts'

/**
 * Reads the merged picture, which is stored for programs without layer support.
 * @param transparent whether the first channel after the colours is the picture's own transparency
 * @returns `complete` is false if the file is truncated in it
 */
export function readMerged(document: PsdDocument, transparent: boolean): Raster & { complete: boolean } {
  const { header, merged } = document
  const { width, height, depth, large, channels } = header
  const colors = colorChannels(header)
  const alpha = transparent && channels > colors && header.mode !== 'indexed' && header.mode !== 'bitmap'
  const stride = colors + (alpha ? 1 : 0)
  const next = openRows(merged, { planes: channels, width, height, depth, large })
  const data = makeSamples(depth, width * height * stride)
  const tone = toneOf(document)
  const rows = Array<number>(stride).fill(height)
  for (let channel = 0; channel < stride; channel++) {
    for (let y = 0; y < height; y++) {
      const row = next()
      if (!row) {
        rows[channel] = y
        break
      }
      const start = y * width * stride + channel
      scatter(row, depth, data, start, stride, 0, width, channel < colors ? tone : 'linear')
    }
  }
  const complete = rows.every(count => count === height)
  // A palette has no room for transparency.
  if (!complete && header.mode !== 'indexed') {
    const picture = alpha ? data : withAlpha(data, colors)
    const shape = { width, height, colors, mode: header.mode, rows: alpha ? rows : [...rows, height] }
    if (!fillMissing({ data: picture, ...shape })) throw nothingLeft()
    return { data: picture, colors, alpha: true, complete }
  }
  if (!alpha) return { data, colors, alpha, complete }
  const mattes = Array<number>(colors).fill(maxOf(data))
  if (header.mode === 'lab') mattes.fill(depth === 8 ? 128 : 32768, 1)
  removeMatte(data, mattes)
  return { data, colors, alpha, complete }
}

const nothingLeft = () => new JobFailure('jobs.corrupt_input', message('picture.nothing_left'))

/** The same samples with an opaque alpha channel. */
function withAlpha(data: Samples, colors: number): Samples {
  const length = (data.length / colors) * (colors + 1)
  const max = maxOf(data)
  const wide = max === 255 ? new Uint8Array(length) : new Uint16Array(length)
  for (let from = 0, to = 0; from < data.length; from += colors, to += colors + 1) {
    for (let color = 0; color < colors; color++) wide[to + color] = data[from + color]!
    wide[to + colors] = max
  }
  return wide
}

/** The merged picture is composited on white; removes that white from the half-transparent pixels. */
function removeMatte(data: Samples, mattes: readonly number[]): void {
  const max = maxOf(data)
  const colors = mattes.length
  for (let i = colors; i < data.length; i += colors + 1) {
    const alpha = data[i]!
    if (alpha === 0 || alpha === max) continue
    for (let c = 0; c < colors; c++) {
      const color = Math.round((data[i - colors + c]! * max - mattes[c]! * (max - alpha)) / alpha)
      data[i - colors + c] = color < 0 ? 0 : Math.min(color, max)
    }
  }
}
