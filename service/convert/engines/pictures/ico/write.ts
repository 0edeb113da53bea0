import { rowBytes } from '../bmp/samples.ts'
import { upwards } from '../bmp/write.ts'

/** A square picture of an icon: a bitmap, or a PNG file for the large ones. */
export interface IconImage {
  size: number
  data: Uint8Array
}

const DIRECTORY_ENTRY = 16
const INFO_HEADER = 40

/** Builds an ICO file. Every Windows version reads bitmaps, and Windows Vista and later PNG files. */
export function buildIcon(images: readonly IconImage[]): Buffer {
  const directory = Buffer.alloc(6 + images.length * DIRECTORY_ENTRY)
  directory.writeUInt16LE(1, 2)
  directory.writeUInt16LE(images.length, 4)
  let offset = directory.length
  for (const [i, { size, data }] of images.entries()) {
    const at = 6 + i * DIRECTORY_ENTRY
    // 256 is written as 0.
    directory[at] = size & 255
    directory[at + 1] = size & 255
    directory.writeUInt16LE(1, at + 4)
    directory.writeUInt16LE(32, at + 6)
    directory.writeUInt32LE(data.length, at + 8)
    directory.writeUInt32LE(offset, at + 12)
    offset += data.length
  }
  return Buffer.concat([directory, ...images.map(({ data }) => data)])
}

/** The bitmap of RGBA pixels: bottom-up BGRA rows, then the mask, set where a pixel is more transparent than opaque. */
export function iconBitmap(size: number, rgba: Uint8Array): Buffer {
  const maskStride = rowBytes(size, 1)
  const mask = INFO_HEADER + size * size * 4
  const bytes = Buffer.alloc(mask + maskStride * size)
  bytes.writeUInt32LE(INFO_HEADER, 0)
  bytes.writeInt32LE(size, 4)
  bytes.writeInt32LE(size * 2, 8)
  bytes.writeUInt16LE(1, 12)
  bytes.writeUInt16LE(32, 14)
  bytes.writeUInt32LE(bytes.length - INFO_HEADER, 20)
  const rows = upwards(rgba, size * 4, 4)
  bytes.set(rows, INFO_HEADER)
  for (let at = 0; at < size * size; at++)
    if (rows[at * 4 + 3]! < 128) {
      const x = at % size
      bytes[mask + Math.floor(at / size) * maskStride + (x >> 3)]! |= 128 >> (x & 7)
    }
  return bytes
}
