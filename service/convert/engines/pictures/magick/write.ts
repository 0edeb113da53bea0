/** ImageMagick, compiled to WebAssembly, for formats that libvips as it comes with sharp does not write. */
import { writeFile } from 'node:fs/promises'
import { ImageMagick, MagickFormat, MagickReadSettings } from '@imagemagick/magick-wasm'
import { JobFailure } from '../../../../shared/errors.ts'
import type { Rows } from '../pixels.ts'
import { FORMATS, PIXEL_LIMIT, startMagick } from './read.ts'

/** Formats that are written here. */
const TARGETS = ['jp2', 'jxl', 'qoi', 'tga'] as const
type MagickTarget = (typeof TARGETS)[number]

export const isMagickTarget = (target: string): target is MagickTarget =>
  TARGETS.some(each => each === target)

/** The signal-to-noise ratio in decibels, by which JPEG 2000 is encoded here, at a quality of 1 to 99. */
const noiseOf = (quality: number) => 24 + quality / 4

/**
 * Writes sRGB pixels of 8 bits to a file, without metadata.
 * @param data rows from the top, without padding
 * @param quality 1–100, where 100 keeps every pixel
 * @throws JobFailure too_large
 */
export async function writePicture(
  { data, width, height, channels }: Rows,
  target: MagickTarget,
  quality: number,
  path: string,
): Promise<void> {
  if (width * height > PIXEL_LIMIT) throw new JobFailure('jobs.too_large')
  await startMagick()
  const format = channels === 4 ? MagickFormat.Rgba : MagickFormat.Rgb
  const settings = new MagickReadSettings({ format, width, height, depth: 8 })
  const written = ImageMagick.read(data, settings, image => {
    image.quality = target === 'jp2' && quality < 100 ? Math.round(noiseOf(quality)) : quality
    return image.write(FORMATS[target], bytes => Buffer.from(bytes))
  })
  await writeFile(path, written)
}
