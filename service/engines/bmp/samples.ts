import { JobFailure } from '../../errors.ts'
import type { Pixels } from '../pixels.ts'
import type { DibHeader } from './header.ts'

/** Colours of a palette, RGB; missing ones are black. */
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

/** Bytes of one row of stored samples; rows are padded to four bytes. */
export const rowBytes = (width: number, bits: number): number => Math.ceil((width * bits) / 32) * 4

/**
 * Uncompressed samples as RGB, or RGBA where a mask names alpha.
 * @param at where the samples begin
 * @throws JobFailure corrupt_input when the file ends before the picture does
 */
export function readSamples(file: Buffer, at: number, header: DibHeader, palette: Uint8Array): Pixels {
  const { width, height, bits, topDown, masks } = header
  const stride = rowBytes(width, bits)
  // Some writers leave the last row's padding out.
  const needed = stride * (height - 1) + Math.ceil((width * bits) / 8)
  if (at + needed > file.length) throw new JobFailure('jobs.corrupt_input')
  const channels = (bits === 16 || bits === 32) && masks[3] !== 0 ? 4 : 3
  const data = new Uint8Array(width * height * channels)
  const readRow = rowReader(file, header, palette, channels)
  for (let row = 0; row < height; row++) {
    readRow(at + row * stride, data, (topDown ? row : height - 1 - row) * width * channels)
  }
  const pixels: Pixels = { data, width, height, channels }
  return channels === 4 ? dropEmptyAlpha(pixels) : pixels
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

/** Takes the bits of a mask out of a sample and scales them to 0–255. */
function scaleOf(mask: number): (sample: number) => number {
  if (mask === 0) return () => 0
  const shift = Math.log2((mask & -mask) >>> 0)
  const most = mask >>> shift
  if (most > 0xffff) return sample => Math.round((((sample & mask) >>> shift) / most) * 255)
  const table = Uint8Array.from({ length: most + 1 }, (_, value) => Math.round((value * 255) / most))
  return sample => table[(sample & mask) >>> shift] as number
}

/** Ignores alpha that is zero everywhere, as every viewer does. */
export function dropEmptyAlpha(pixels: Pixels): Pixels {
  const { data, width, height } = pixels
  for (let i = 3; i < data.length; i += 4) if (data[i] !== 0) return pixels
  const opaque = new Uint8Array(width * height * 3)
  for (let from = 0, to = 0; to < opaque.length; from += 4, to += 3) {
    opaque[to] = data[from] as number
    opaque[to + 1] = data[from + 1] as number
    opaque[to + 2] = data[from + 2] as number
  }
  return { data: opaque, width, height, channels: 3 }
}
