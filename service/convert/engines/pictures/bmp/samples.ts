import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { type Pixels, withAlpha, withoutAlpha } from '../pixels.ts'
import type { DibHeader } from './header.ts'

/** A decoded bitmap, and whether its file was complete. */
export interface Bitmap {
  pixels: Pixels
  complete: boolean
}

/** Palette colours as RGB; missing ones are black. */
export function readPalette(file: Buffer, at: number, { palette, bits }: DibHeader, end: number): Uint8Array {
  const colours = new Uint8Array(256 * 3)
  if (bits > 8) return colours
  for (let i = 0; i < palette.count; i++) {
    const entry = at + palette.offset + i * palette.entryBytes
    if (entry + 3 > end) break
    colours.set([file[entry + 2] ?? 0, file[entry + 1] ?? 0, file[entry] ?? 0], i * 3)
  }
  return colours
}

/** Size of one row of stored samples; rows are padded to four bytes. */
export const rowBytes = (width: number, bits: number): number => Math.ceil((width * bits) / 32) * 4

/** A picture is only converted if at least this share of its rows is there. */
const MIN_SHARE = 0.01

/**
 * Uncompressed samples as RGB, or RGBA if a mask names alpha. Missing rows of a truncated file are transparent.
 * @param at offset of the samples
 * @throws JobFailure corrupt_input if hardly a row is there
 */
export function readSamples(file: Buffer, at: number, header: DibHeader, palette: Uint8Array): Bitmap {
  const { width, height, bits, topDown, masks } = header
  const stride = rowBytes(width, bits)
  // Some writers omit the last row's padding.
  const padding = stride - Math.ceil((width * bits) / 8)
  const rows = Math.min(height, Math.floor((file.length - at + padding) / stride))
  if (rows < Math.max(1, height * MIN_SHARE)) {
    throw new JobFailure('jobs.corrupt_input', message('picture.nothing_left'))
  }
  const complete = rows === height
  const channels = (bits === 16 || bits === 32) && masks[3] !== 0 ? 4 : 3
  const data = new Uint8Array(width * rows * channels)
  const readRow = rowReader(file, header, palette, channels)
  for (let row = 0; row < rows; row++) {
    readRow(at + row * stride, data, (topDown ? row : rows - 1 - row) * width * channels)
  }
  const read: Pixels = { data, width, height: rows, channels }
  // Alpha that is zero everywhere is ignored by every viewer.
  const pixels = channels === 4 ? withoutEvenAlpha(read, 0) : read
  return { pixels: complete ? pixels : onClearGround(pixels, height, !topDown), complete }
}

/** A picture's rows at the top or bottom of a taller, otherwise transparent picture. */
function onClearGround({ data, width, height, channels }: Pixels, whole: number, atBottom: boolean): Pixels {
  const full = new Uint8Array(width * whole * 4)
  full.set(channels === 4 ? data : withAlpha(data), atBottom ? (whole - height) * width * 4 : 0)
  return { data: full, width, height: whole, channels: 4 }
}

type RowReader = (from: number, data: Uint8Array, to: number) => void

function rowReader(file: Buffer, header: DibHeader, palette: Uint8Array, channels: 3 | 4): RowReader {
  const { width, bits, masks } = header
  if (bits === 24) {
    return (from, data, to) => {
      for (let x = 0; x < width; x++, from += 3, to += 3) {
        data[to] = file[from + 2] as number
        data[to + 1] = file[from + 1] as number
        data[to + 2] = file[from] as number
      }
    }
  }
  if (bits <= 8) {
    const mask = (1 << bits) - 1
    return (from, data, to) => {
      for (let x = 0; x < width; x++, to += 3) {
        const bit = x * bits
        const index = ((file[from + (bit >> 3)] as number) >> (8 - bits - (bit & 7))) & mask
        data[to] = palette[index * 3] as number
        data[to + 1] = palette[index * 3 + 1] as number
        data[to + 2] = palette[index * 3 + 2] as number
      }
    }
  }
  const scales = masks.slice(0, channels).map(scaleOf)
  const bytes = bits >> 3
  return (from, data, to) => {
    for (let x = 0; x < width; x++, from += bytes) {
      const sample = bytes === 2 ? file.readUInt16LE(from) : file.readUInt32LE(from)
      for (const scale of scales) data[to++] = scale(sample)
    }
  }
}

/** Extracts the bits of a mask from a sample and scales them to 0–255. */
function scaleOf(mask: number): (sample: number) => number {
  if (mask === 0) return () => 0
  const shift = Math.log2((mask & -mask) >>> 0)
  const most = mask >>> shift
  if (most > 0xffff) return sample => Math.round((((sample & mask) >>> shift) / most) * 255)
  const table = Uint8Array.from({ length: most + 1 }, (_, value) => Math.round((value * 255) / most))
  return sample => table[(sample & mask) >>> shift] as number
}

/** Leaves out an alpha that is the same everywhere. @param level its value */
export function withoutEvenAlpha(pixels: Pixels, level: 0 | 255): Pixels {
  const { data, width, height } = pixels
  for (let i = 3; i < data.length; i += 4) if (data[i] !== level) return pixels
  return { data: withoutAlpha(data), width, height, channels: 3 }
}
