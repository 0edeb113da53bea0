import { open } from 'node:fs/promises'
import type { Rows } from '../pixels.ts'
import { rowBytes } from './samples.ts'

const FILE_HEADER = 14
/** Windows 3 header, for RGB. */
const INFO_HEADER = 40
/** Windows 4 header, which can name the bits of alpha. */
const V4_HEADER = 108

/** Rows written at once. */
const ROWS = 256

/**
 * Writes a BMP file: 24 bits for RGB, 32 with an alpha mask (Windows 4 header) for RGBA.
 * @param data rows from the top, without padding
 * @param density pixels per inch
 */
export async function writeBmp(
  { data, width, height, channels }: Rows,
  path: string,
  density = 96,
): Promise<void> {
  const bits = channels * 8
  const stride = rowBytes(width, bits)
  const header = headers(width, height, bits, stride * height, density)
  await using file = await open(path, 'w')
  await file.write(header)
  const line = width * channels
  for (let bottom = height; bottom > 0; bottom -= ROWS)
    await file.write(upwards(data.subarray(Math.max(0, bottom - ROWS) * line, bottom * line), line, channels))
}

/** Rows of so many bytes from the last one on, as bitmaps store them: with blue first, and padded. */
export function upwards(data: Uint8Array, line: number, channels: 3 | 4): Buffer {
  const stride = rowBytes(line, 8)
  const block = Buffer.alloc((data.length / line) * stride)
  for (let from = data.length - line, row = 0; from >= 0; from -= line, row += stride)
    for (let i = from, to = row; i < from + line; i += channels, to += channels) {
      block[to] = data[i + 2]!
      block[to + 1] = data[i + 1]!
      block[to + 2] = data[i]!
      if (channels === 4) block[to + 3] = data[i + 3]!
    }
  return block
}

function headers(width: number, height: number, bits: number, imageBytes: number, density: number): Buffer {
  const info = bits === 32 ? V4_HEADER : INFO_HEADER
  const offset = FILE_HEADER + info
  const perMetre = Math.round(density / 0.0254)
  const bytes = Buffer.alloc(offset)
  bytes.write('BM', 'latin1')
  bytes.writeUInt32LE(offset + imageBytes, 2)
  bytes.writeUInt32LE(offset, 10)
  bytes.writeUInt32LE(info, 14)
  bytes.writeInt32LE(width, 18)
  bytes.writeInt32LE(height, 22)
  bytes.writeUInt16LE(1, 26)
  bytes.writeUInt16LE(bits, 28)
  bytes.writeUInt32LE(bits === 32 ? 3 : 0, 30)
  bytes.writeUInt32LE(imageBytes, 34)
  bytes.writeInt32LE(perMetre, 38)
  bytes.writeInt32LE(perMetre, 42)
  if (bits === 32) {
    for (const [i, mask] of [0xff0000, 0xff00, 0xff, 0xff000000].entries())
      bytes.writeUInt32LE(mask, 54 + i * 4)
    bytes.write('BGRs', 70, 'latin1')
  }
  return bytes
}
