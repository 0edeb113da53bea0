import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { DibHeader } from './header.ts'
import { type Bitmap, withoutEvenAlpha } from './samples.ts'

/** A two-byte run covers 255 pixels at most; a picture far larger than its runs can fill only wastes memory. */
const LARGEST_RUN = 255
const ALWAYS_ALLOWED = 16_000_000

/**
 * Decodes run-length samples (RLE4, RLE8) to RGBA. Pixels that no run covers are transparent;
 * if there are none, the picture is returned as RGB. Runs without an end marker were truncated.
 * @throws JobFailure corrupt_input, too_large
 */
export function readRuns(file: Buffer, at: number, header: DibHeader, palette: Uint8Array): Bitmap {
  const { width, height, topDown, compression } = header
  if (width * height > Math.max(ALWAYS_ALLOWED, (file.length - at) * LARGEST_RUN)) {
    throw new JobFailure('jobs.too_large')
  }
  const data = new Uint8Array(width * height * 4)
  const nibbles = compression === 'rle4'
  let x = 0
  let y = 0
  let filled = 0

  const put = (index: number) => {
    if (x < width && y < height) {
      const to = ((topDown ? y : height - 1 - y) * width + x) * 4
      for (let channel = 0; channel < 3; channel++) data[to + channel] = palette[index * 3 + channel]!
      data[to + 3] = 255
      filled++
    }
    x++
  }
  const byte = (offset: number) => file[offset] ?? 0
  const putFrom = (offset: number, i: number) => {
    if (nibbles) put(i & 1 ? byte(offset + (i >> 1)) & 15 : byte(offset + (i >> 1)) >> 4)
    else put(byte(offset + i))
  }

  let finished = false
  while (!finished && at + 1 < file.length && y < height) {
    const count = byte(at)
    const code = byte(at + 1)
    if (count > 0) {
      // One value, or for RLE4 an alternating pair, repeated.
      for (let i = 0; i < count; i++) putFrom(at + 1, nibbles ? i & 1 : 0)
      at += 2
    } else if (code === 0) {
      x = 0
      y++
      at += 2
    } else if (code === 1) {
      finished = true
    } else if (code === 2) {
      x += byte(at + 2)
      y += byte(at + 3)
      at += 4
    } else {
      for (let i = 0; i < code; i++) putFrom(at + 2, i)
      const bytes = nibbles ? (code + 1) >> 1 : code
      at += 2 + bytes + (bytes & 1)
    }
  }
  if (filled === 0) throw new JobFailure('jobs.corrupt_input', message('picture.nothing_left'))
  // Some writers omit the end of the last row.
  const complete = finished || y >= height - 1
  return { pixels: withoutEvenAlpha({ data, width, height, channels: 4 }, 255), complete }
}
