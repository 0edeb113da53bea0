/** Converts Windows bitmaps in books to PNG: Mobipocket supports bitmaps, EPUB, Kindle and Word do not. */
import { wrapPng } from '../sharp/png.ts'
import { readBmp } from './read.ts'

/** Maximum pixels of a picture, beyond any real book page. */
const PIXEL_LIMIT = 40_000_000

/** @throws JobFailure when it is damaged, RangeError when it is too large */
export function bitmapToPng(file: Buffer): Buffer {
  if (file.length < 26 || Math.abs(file.readInt32LE(18) * file.readInt32LE(22)) > PIXEL_LIMIT)
    throw new RangeError('no picture of a book')
  return wrapPng(readBmp(file).pixels, { level: 6 })
}
