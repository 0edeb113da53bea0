import { open } from 'node:fs/promises'
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
  { data, width, height, channels }: { data: Uint8Array; width: number; height: number; channels: 3 | 4 },
  path: string,
  density = 96,
): Promise<void> {
  const bits = channels * 8
  const stride = rowBytes(width, bits)
  const header = headers(width, height, bits, stride * height, density)
  const file = await open(path, 'w')
  try {
    await file.write(header)
    for (let bottom = height; bottom > 0; bottom -= ROWS) {
      const rows = Math.min(ROWS, bottom)
      const block = Buffer.alloc(stride * rows)
      for (let i = 0; i < rows; i++) {
        const from = (bottom - 1 - i) * width * channels
        copyRow(data.subarray(from, from + width * channels), block, i * stride, channels)
      }
      await file.write(block)
    }
  } finally {
    await file.close()
  }
}

function copyRow(row: Uint8Array, block: Buffer, to: number, channels: 3 | 4): void {
  for (let i = 0; i < row.length; i += channels, to += channels) {
    block[to] = row[i + 2] as number
    block[to + 1] = row[i + 1] as number
    block[to + 2] = row[i] as number
    if (channels === 4) block[to + 3] = row[i + 3] as number
  }
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
