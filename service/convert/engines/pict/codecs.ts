import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import { PIXEL_LIMIT } from '../limits.ts'
import { sharpFailure } from '../sharp/failure.ts'
import { sharp } from '../sharp/load.ts'
import { type Palette, standardPalette } from './colors.ts'
import { expand555, expandIndexed, expandInterleaved, type Rgba } from './pixmaps.ts'
import type { QuickTimeImage } from './quicktime.ts'
import { unpackAnimation } from './quicktime-rle.ts'

/** A decoded image: RGBA, not premultiplied. */
export interface Decoded {
  width: number
  height: number
  data: Uint8ClampedArray
}

type Decoder = (image: QuickTimeImage) => Decoded | Promise<Decoded>

const damaged = () => new JobFailure('jobs.corrupt_input', message('pict.damaged_image'))

const decoders: Record<string, Decoder> = {
  'raw ': decodeRaw,
  'rle ': decodeAnimation,
  WRLE: decodeWindows,
  jpeg: decodeFile,
  'png ': decodeFile,
  tiff: decodeFile,
  'gif ': decodeFile,
}

/** Whether an image's compression is supported. */
export const isReadable = ({ codec }: QuickTimeImage): boolean => codec in decoders

/**
 * Decodes a QuickTime image.
 * @throws JobFailure unsupported_input, corrupt_input, too_large
 */
export async function decodeImage(image: QuickTimeImage): Promise<Decoded> {
  const decoder = decoders[image.codec]
  if (!decoder) throw unreadable(image)
  return decoder(image)
}

export const unreadable = ({ codec }: QuickTimeImage): JobFailure =>
  new JobFailure(
    'jobs.unsupported_input',
    message('pict.unsupported_compression', { codec: codec.replace(/[^\x20-\x7e]/g, '?').trim() }),
  )

/** Images that are complete files themselves. */
async function decodeFile({ data, width, height, complete }: QuickTimeImage): Promise<Decoded> {
  try {
    // A truncated image is read as far as possible.
    const open = () => sharp(data, { limitInputPixels: PIXEL_LIMIT, failOn: complete ? 'warning' : 'none' })
    const found = await open().metadata()
    // The file may be slightly larger than described, but not by orders of magnitude.
    if (found.width * found.height > width * height * 4 + 65536) throw damaged()
    const { data: pixels, info } = await open()
      .toColourspace('srgb')
      .ensureAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    const rgba = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.byteLength)
    if (info.channels !== 4) throw damaged()
    return { width: info.width, height: info.height, data: rgba }
  } catch (error) {
    throw sharpFailure(error)
  }
}

/** QuickTime depths above 32 are greys. */
function pixelFormat({ depth, palette }: QuickTimeImage): { bits: number; colors: Rgba[] } {
  const grey = depth > 32
  const bits = grey ? depth - 32 : depth
  if (![1, 2, 4, 8, 16, 24, 32].includes(bits) || (grey && bits > 8)) throw damaged()
  if (bits > 8) return { bits, colors: [] }
  const standard = standardPalette(bits as 1 | 2 | 4 | 8, grey)
  const table: Palette = palette && !grey ? palette : standard
  return {
    bits,
    colors: Array.from(table, color => (color ? [...color, 255] : [0, 0, 0, 255]) as unknown as Rgba),
  }
}

function expandRow(
  row: Uint8Array,
  width: number,
  format: ReturnType<typeof pixelFormat>,
  out: Decoded['data'],
  to: number,
) {
  if (format.bits === 16) expand555(row, width, out, to)
  else if (format.bits >= 24) expandInterleaved(row, width, format.bits === 24 ? 3 : 4, out, to)
  else expandIndexed(row, width, format.bits, format.colors, out, to)
}

function decodeRows(image: QuickTimeImage, rows: Uint8Array, rowBytes: number): Decoded {
  const { width, height } = image
  const format = pixelFormat(image)
  const data = new Uint8ClampedArray(width * height * 4)
  for (let y = 0; y < height; y++) {
    expandRow(rows.subarray(y * rowBytes, (y + 1) * rowBytes), width, format, data, y * width * 4)
  }
  return { width, height, data }
}

const leastRowBytes = (width: number, bits: number) => Math.ceil((width * bits) / 8)

/** Uncompressed rows; their padding follows from the size of the data. */
function decodeRaw(image: QuickTimeImage): Decoded {
  const { data, width, height } = image
  const rowBytes = Math.floor(data.length / height)
  if (rowBytes < leastRowBytes(width, pixelFormat(image).bits)) throw damaged()
  return decodeRows(image, data, rowBytes)
}

function decodeAnimation(image: QuickTimeImage): Decoded {
  const { bits } = pixelFormat(image)
  const least = leastRowBytes(image.width, bits)
  const rowBytes = bits < 16 ? Math.ceil(least / 4) * 4 : least
  return decodeRows(image, unpackAnimation(image.data, rowBytes, image.height, bits), rowBytes)
}

/** The rows of a Windows bitmap, bottom row first, pixels little-endian; 8-bit rows may be run-length packed. */
function decodeWindows(image: QuickTimeImage): Decoded {
  const { data, width, height } = image
  const { bits } = pixelFormat(image)
  const least = leastRowBytes(width, bits)
  const padded = Math.ceil(least / 4) * 4
  const rowBytes = data.length >= padded * height ? padded : least
  if (data.length < rowBytes * height) {
    if (bits !== 8) throw damaged()
    return decodeRows(image, unpackWindows(data, width, height), width)
  }
  const rows = new Uint8Array(least * height)
  const pixel = bits < 16 ? 1 : bits / 8
  for (let y = 0; y < height; y++) {
    const from = (height - 1 - y) * rowBytes
    for (let x = 0; x < least; x += pixel) {
      for (let byte = 0; byte < pixel; byte++) {
        rows[y * least + x + byte] = data[from + x + pixel - 1 - byte]!
      }
    }
  }
  return decodeRows(image, rows, least)
}

/** RLE8 of Windows bitmaps: a count and a value, or 0 and an escape: line end, end, move, literal run. */
function unpackWindows(data: Uint8Array, width: number, height: number): Uint8Array {
  const rows = new Uint8Array(width * height)
  let x = 0
  let y = height - 1
  const put = (value: number) => {
    if (x < width && y >= 0) rows[y * width + x] = value
    x++
  }
  for (let at = 0; at + 1 < data.length && y >= 0; ) {
    const count = data[at++]!
    const value = data[at++]!
    if (count > 0) for (let i = 0; i < count; i++) put(value)
    else if (value === 0) {
      x = 0
      y--
    } else if (value === 1) break
    else if (value === 2) {
      x += data[at++] ?? 0
      y -= data[at++] ?? 0
    } else {
      for (let i = 0; i < value; i++) put(data[at + i] ?? 0)
      at += value + (value & 1)
    }
  }
  return rows
}
