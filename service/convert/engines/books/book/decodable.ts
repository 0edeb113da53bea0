/** Finds pictures of a book that were broken before they were packed, which readers cannot show either. */

import { PIXEL_LIMIT } from '../../common/limits.ts'
import { hasCodedData, headerSegments, isFrame, SCAN } from '../../pictures/formats/jpeg.ts'
import { hasRightSum, readChunks, SIGNATURE } from '../../pictures/formats/png.ts'
import { sharpFailure } from '../../pictures/sharp/failure.ts'
import { sharp } from '../../pictures/sharp/load.ts'

/** The formats of pictures that books hold and sharp reads. */
const CHECKED = /^image\/(jpeg|png|gif|webp|avif)$/

/** Rows that are decoded: what cannot be decoded at all fails in the first ones. */
const ROWS = 8

/**
 * Whether at least the beginning of a picture can be decoded. A picture that is only damaged further down is shown in part. Of other
 * files, and of Windows bitmaps under whatever name, this says true.
 */
export async function isDecodable(bytes: Uint8Array, mediaType: string): Promise<boolean> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const isBitmap = file.toString('latin1', 0, 2) === 'BM'
  if (!CHECKED.test(mediaType) || isBitmap || isSoundJpeg(file) || isSoundPng(file)) return true
  try {
    const picture = sharp(file, { limitInputPixels: PIXEL_LIMIT, failOn: 'none' })
    const { format, width, height } = await picture.metadata()
    if (format === 'jpeg' && !hasCodedData(file)) return false
    await picture
      .extract({ left: 0, top: 0, width, height: Math.min(ROWS, height) })
      .raw()
      .toBuffer()
    return true
  } catch (error) {
    return sharpFailure(error).code !== 'jobs.corrupt_input'
  }
}

const QUANTISATION = 0xdb
const HUFFMAN = 0xc4

/** Whether a JPEG has everything that decoding needs, which takes far less time than decoding. */
function isSoundJpeg(file: Buffer): boolean {
  if (file[0] !== 0xff || file[1] !== 0xd8) return false
  const markers = Array.from(headerSegments(file), ({ marker }) => marker)
  const needed = [QUANTISATION, HUFFMAN, SCAN].every(marker => markers.includes(marker))
  return needed && markers.some(isFrame) && hasCodedData(file)
}

/** Whether the header of a PNG and the beginning of its data have the right checksums. */
function isSoundPng(file: Buffer): boolean {
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return false
  for (const { type, whole } of readChunks(file)) {
    if (type !== 'IHDR' && type !== 'IDAT') continue
    if (!hasRightSum(whole)) return false
    if (type === 'IDAT') return true
  }
  return false
}
