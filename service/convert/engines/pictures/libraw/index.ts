/** Develops camera RAW files with LibRaw. */

import { readFile } from 'node:fs/promises'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { checkPixels, PIXEL_LIMIT } from '../../common/limits.ts'
import { compiled, inThread } from '../../common/thread.ts'
import { readDirectories } from '../formats/tiff-directories.ts'
import type { Pixels } from '../pixels.ts'
import type { DevelopOutput } from './develop.ts'
import { rawExif } from './metadata.ts'
import { largestJpeg, withExif } from './preview.ts'

const WASM = 'libraw-wasm/dist/libraw.wasm'

/**
 * The developed picture (sRGB, upright, 8 bits per sample), or, if it cannot be developed, the largest JPEG in the file,
 * with its orientation in its EXIF. A picture is not `complete` if part of its data is missing.
 */
export type Development = { pixels: Pixels; complete: boolean } | { preview: Uint8Array }

/**
 * Develops a camera's RAW file with its own white balance and orientation, in full resolution. Colours are interpolated
 * with AHD: the most accurate of LibRaw's methods on charts, and on photos one decibel behind DHT in half its time.
 * @throws JobFailure corrupt_input or too_large if there is no preview either
 */
export async function developRaw(path: string): Promise<Development> {
  const wasm = await compiled(WASM)
  const read = await readFile(path)
  // A small file shares its memory with others, which must not be transferred to the thread.
  const file = read.byteLength === read.buffer.byteLength ? read : Uint8Array.from(read)
  const described = rawExif(file)
  const input = { file, wasm, pixelLimit: PIXEL_LIMIT }
  const developed = await inThread('libraw', input, [file.buffer as ArrayBuffer]).catch(
    (error): DevelopOutput => ({ problem: String(error) }),
  )
  const { data, width = 0, height = 0, colours = 3, problem } = developed
  checkPixels(width, height)
  if (data && (colours === 1 || colours === 3) && !problem) {
    const pixels: Pixels = {
      data,
      width,
      height,
      channels: colours,
      ...(described && { exif: described.exif }),
    }
    return { pixels, complete: await holdsAll(path) }
  }
  const preview = largestJpeg(await readFile(path))
  if (preview)
    return { preview: described ? withExif(preview, described.exif, described.orientation) : preview }
  throw new JobFailure('jobs.corrupt_input', message('raw.unreadable'), { cause: problem })
}

/**
 * Whether a DNG file has all the data it refers to: LibRaw silently fills missing tiles. For other cameras' files
 * LibRaw itself reports missing data, and the sizes in them are not reliable.
 */
async function holdsAll(path: string): Promise<boolean> {
  const { directories } = await readDirectories(path)
  return directories.every(({ dng, complete }) => complete || !dng)
}
