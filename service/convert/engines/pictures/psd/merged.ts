import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Raster } from './colors.ts'
import type { PsdDocument } from './document.ts'
import { colorChannels } from './header.ts'
import { openRows } from './rows.ts'
import { makeSamples, maxOf, type Samples, scatter } from './samples.ts'

/**
 * Reads the merged picture, which is stored for programs without layer support.
 * @param transparent whether the first channel after the colours is the picture's own transparency
 * @throws JobFailure corrupt_input if the file is truncated in it
 */
export function readMerged(document: PsdDocument, transparent: boolean): Raster {
  const { header, merged } = document
  const { width, height, depth, channels } = header
  const colors = colorChannels(header)
  const alpha = transparent && channels > colors && header.mode !== 'indexed' && header.mode !== 'bitmap'
  const stride = colors + (alpha ? 1 : 0)
  const next = openRows(merged, { ...header, planes: channels })
  const data = makeSamples(depth, width * height * stride)
  for (let channel = 0; channel < stride; channel++) {
    for (let y = 0; y < height; y++) {
      const row = next()
      if (!row) throw new JobFailure('jobs.corrupt_input', message('picture.ends_early'))
      const start = y * width * stride + channel
      scatter(row, depth, data, start, stride, width, channel < colors)
    }
  }
  if (!alpha) return { data, colors, alpha }
  const mattes = Array<number>(colors).fill(maxOf(data))
  if (header.mode === 'lab') mattes.fill(depth === 8 ? 128 : 32768, 1)
  removeMatte(data, mattes)
  return { data, colors, alpha }
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
