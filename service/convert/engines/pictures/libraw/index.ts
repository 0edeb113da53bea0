/** Develops camera RAW files with LibRaw. */

import { readFile } from 'node:fs/promises'
import { JobFailure } from '../../../../shared/errors.ts'
import { type Message, message } from '../../../../shared/messages/message.ts'
import { checkPixels, PIXEL_LIMIT } from '../../common/limits.ts'
import { compiled, inThread } from '../../common/thread.ts'
import { readDirectories } from '../formats/tiff-directories.ts'
import type { Pixels } from '../pixels.ts'
import type { Encoded } from '../sharp/picture.ts'
import type { DevelopOutput } from './develop.ts'
import { rawExif } from './metadata.ts'
import { largestJpeg, withExif } from './preview.ts'

const WASM = 'libraw-wasm/dist/libraw.wasm'

/**
 * Develops a camera's RAW file with its own white balance and orientation, in full resolution, as sRGB with 8 bits per sample. Colours
 * are interpolated with AHD: the most accurate of LibRaw's methods on charts, and on photos one decibel behind DHT in half its time.
 * @param read the file at `path`, which is taken over
 * @param warn called if part of the data is missing, or if the file cannot be developed and is represented by the largest JPEG in it
 * @throws JobFailure corrupt_input or too_large if there is no preview either
 */
export async function developRaw(
  read: Buffer,
  path: string,
  warn: (warning: Message) => void,
): Promise<Pixels | Encoded> {
  const wasm = await compiled(WASM)
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
    if (!(await holdsAll(path))) warn(message('picture.damaged'))
    return { data, width, height, channels: colours, ...(described && { exif: described.exif }) }
  }
  const preview = largestJpeg(await readFile(path))
  if (!preview) throw new JobFailure('jobs.corrupt_input', message('raw.unreadable'), { cause: problem })
  warn(message('raw.preview_converted'))
  return { encoded: described ? withExif(preview, described.exif, described.orientation) : preview }
}

/**
 * Whether a DNG file has all the data it refers to: LibRaw silently fills missing tiles. For other cameras' files
 * LibRaw itself reports missing data, and the sizes in them are not reliable.
 */
async function holdsAll(path: string): Promise<boolean> {
  const { directories } = await readDirectories(path)
  return directories.every(({ dng, complete }) => complete || !dng)
}
