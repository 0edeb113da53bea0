import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { PIXEL_LIMIT } from '../../common/limits.ts'
import { sharpFailure } from '../sharp/failure.ts'
import { sharp } from '../sharp/load.ts'
import { rgbaOf } from '../sharp/samples.ts'
import type { QuickTimeImage } from './quicktime.ts'

/** A decoded image: RGBA, not premultiplied. */
export interface Decoded {
  width: number
  height: number
  data: Uint8ClampedArray
}

const damaged = () => new JobFailure('jobs.corrupt_input', message('pict.damaged_image'))

/** The compressions whose images are complete files themselves; no other was common in pictures. */
const FILES = new Set(['gif ', 'jpeg', 'png ', 'tiff'])

/**
 * Decodes a QuickTime image.
 * @throws JobFailure unsupported_input, corrupt_input, too_large
 */
export async function decodeImage(image: QuickTimeImage): Promise<Decoded> {
  const { codec, data, width, height, complete } = image
  if (!FILES.has(codec)) {
    const name = codec.replace(/[^\x20-\x7e]/g, '?').trim()
    throw new JobFailure('jobs.unsupported_input', message('pict.unsupported_compression', { codec: name }))
  }
  try {
    // A truncated image is read as far as possible.
    const open = () => sharp(data, { limitInputPixels: PIXEL_LIMIT, failOn: complete ? 'warning' : 'none' })
    const found = await open().metadata()
    // The file may be slightly larger than described, but not by orders of magnitude.
    if (found.width * found.height > width * height * 4 + 65536) throw damaged()
    const pixels = await rgbaOf(open())
    const rgba = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.byteLength)
    return { width: found.width, height: found.height, data: rgba }
  } catch (error) {
    throw sharpFailure(error)
  }
}
