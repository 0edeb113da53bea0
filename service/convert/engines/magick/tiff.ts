/**
 * ImageMagick, compiled to WebAssembly, for TIFF files that libvips cannot read: unusual sample sizes, old-style JPEG
 * compression. Its input is always declared as TIFF, so its other readers stay unused.
 */

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import {
  ColorSpace,
  ImageMagick,
  initializeImageMagick,
  Magick,
  MagickFormat,
  MagickReadSettings,
  ResourceLimits,
} from '@imagemagick/magick-wasm'
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import type { Pixels } from '../pixels.ts'

/** Maximum number of pixels in a page; WebAssembly has 4 GB at most, and ImageMagick needs 4 to 8 bytes for each. */
const PIXEL_LIMIT = 100_000_000

let started: Promise<void> | undefined

async function start(): Promise<void> {
  const path = createRequire(import.meta.url).resolve('@imagemagick/magick-wasm/magick.wasm')
  await initializeImageMagick(await readFile(path))
  ResourceLimits.area = BigInt(PIXEL_LIMIT)
  ResourceLimits.width = 65_535n
  ResourceLimits.height = 65_535n
  ResourceLimits.listLength = 16n
}

/**
 * Decodes one page of a TIFF file.
 * @param page counted from 0
 * @returns RGB or RGBA pixels in sRGB
 * @throws JobFailure unsupported_input if ImageMagick cannot read it either
 */
export async function readTiffPage(file: Uint8Array, page: number): Promise<Pixels> {
  started ??= start()
  await started
  const settings = new MagickReadSettings({ format: MagickFormat.Tiff, frameIndex: page, frameCount: 1 })
  try {
    return ImageMagick.read(file, settings, image => {
      image.autoOrient()
      if (image.colorSpace !== ColorSpace.sRGB) image.colorSpace = ColorSpace.sRGB
      const { width, height } = image
      // Samples that are not transparency would be taken for it.
      const channels = image.hasAlpha ? 4 : 3
      const order = image.hasAlpha ? 'RGBA' : 'RGB'
      const data = image.getPixels(pixels => pixels.toByteArray(0, 0, width, height, order))
      if (!data) throw new Error('no pixels')
      return { data, width, height, channels }
    })
  } catch (cause) {
    throw new JobFailure('jobs.unsupported_input', message('tiff.unsupported'), {
      cause,
    })
  }
}

/** Version of ImageMagick, or null if it does not start. */
export async function magickVersion(): Promise<string | null> {
  try {
    started ??= start()
    await started
    return /ImageMagick (\S+)/.exec(Magick.imageMagickVersion)?.[1] ?? null
  } catch {
    return null
  }
}
