/** Shows pictures of every format, in the cheapest possible way. */
import { readFile } from 'node:fs/promises'
import { JobFailure } from '../../shared/errors.ts'
import { runConverter } from '../catalogue/run.ts'
import type { TaskInput } from '../catalogue/task.ts'
import images from '../converters/images/index.ts'
import { converters } from '../converters/index.ts'
import { readHeifThumbnail } from '../engines/pictures/heif/thumbnail.ts'
import { rawExif } from '../engines/pictures/libraw/metadata.ts'
import { largestJpeg, withExif } from '../engines/pictures/libraw/preview.ts'
import { openPicture } from '../engines/pictures/sharp/picture.ts'
import { scaled, shownFile, shownPicture, shownPixels, type UprightPicture, type Wanted } from './shown.ts'

/** Formats that libvips decodes itself, directly at a smaller size where the format allows that. */
const encoded = new Set(['jpg', 'png', 'apng', 'gif', 'webp', 'tiff', 'avif'])
const cameras = new Set(['raw', 'cr2', 'cr3', 'nef'])

/** Size at which a picture is checked for content. */
const SAMPLE_EDGE = 32

/** Above this size, the thumbnail of a HEIC picture is too small. */
const SMALL = 128

export const isPicture = (format: string): boolean =>
  encoded.has(format) || images.some(({ sources }) => sources.some(source => source === format))

/** @throws JobFailure */
export async function picture(input: TaskInput, wanted: Wanted): Promise<UprightPicture> {
  const { path, format } = input
  if (format === 'avif') return shownPicture(path)
  // EXIF at its end is found where a picture is opened.
  if (format === 'png')
    return shownFile((await openPicture({ encoded: path }, { keepsGreyProfile: true })).input)
  if (encoded.has(format)) return shownFile(path)
  if (cameras.has(format)) return (await cameraPreview(path)) ?? converted(input, wanted)
  if (format === 'heic') {
    const small = wanted.edge <= SMALL ? await readHeifThumbnail(path) : undefined
    return small ? shownPixels(small, false) : shownPicture(path)
  }
  return converted(input, wanted)
}

/** The preview that the camera stored in a RAW file, which takes a hundredth of the time of developing it. */
async function cameraPreview(path: string): Promise<UprightPicture | undefined> {
  const file = await readFile(path)
  const jpeg = largestJpeg(file)
  if (!jpeg) return undefined
  const described = rawExif(file)
  const upright = described ? withExif(jpeg, described.exif, described.orientation) : jpeg
  try {
    const shown = await shownFile(upright, false)
    // Some programs leave a black one behind.
    const { channels } = await (await scaled(shown, SAMPLE_EDGE)).stats()
    return channels.some(({ stdev }) => stdev > 0) ? shown : undefined
  } catch {
    return undefined
  }
}

/** Anything the converters can read, drawn at the requested size. */
async function converted(input: TaskInput, { edge, folder }: Wanted): Promise<UprightPicture> {
  const converter = images.find(
    ({ sources, target }) => target === 'png' && sources.some(source => source === input.format),
  )
  if (!converter) throw new JobFailure('jobs.unsupported_input')
  const resize = { enabled: true, preset: 'custom', value: edge }
  const [output] = await runConverter(converter, input, { resize }, { folder, converters })
  if (!output) throw new JobFailure('jobs.corrupt_input')
  return shownFile(output.path, false)
}
