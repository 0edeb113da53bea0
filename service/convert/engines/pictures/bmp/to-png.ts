/** Converts Windows bitmaps in books to PNG: Mobipocket supports bitmaps, EPUB, Kindle and Word do not. */
import { deflateSync } from 'node:zlib'
import { DamagedFile } from '../../common/damage.ts'
import { chunk, header, SIGNATURE } from '../formats/png.ts'
import { readBmp } from './read.ts'

/** Maximum pixels of a picture, beyond any real book page. */
const PIXEL_LIMIT = 40_000_000
/** PNG's colour types by number of channels. */
const COLOUR_TYPES: Readonly<Record<number, number>> = { 1: 0, 2: 4, 3: 2, 4: 6 }

/** @throws JobFailure when it is damaged, DamagedFile when it is too large */
export function bitmapToPng(file: Buffer): Buffer {
  if (file.length < 26 || Math.abs(file.readInt32LE(18) * file.readInt32LE(22)) > PIXEL_LIMIT)
    throw new DamagedFile('no picture of a book')
  const bitmap = readBmp(file)
  if ('encoded' in bitmap) return Buffer.from(bitmap.encoded)
  const { data, width, height, channels } = bitmap.pixels
  const line = width * channels
  const colorType = COLOUR_TYPES[channels]
  if (colorType === undefined || data.BYTES_PER_ELEMENT !== 1 || width * height > PIXEL_LIMIT)
    throw new DamagedFile('no picture of a book')
  const rows = Buffer.alloc((line + 1) * height)
  // Each row begins with its filter: none.
  for (let row = 0; row < height; row++)
    rows.set(data.subarray(row * line, (row + 1) * line), row * (line + 1) + 1)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header({ width, height, depth: 8, colorType })),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND'),
  ])
}
