/**
 * ImageMagick, compiled to WebAssembly, for formats that libvips lacks, and for TIFF files that it cannot read: unusual sample sizes,
 * old-style JPEG compression. Its input is always declared as one of these, so its other readers stay unused.
 */

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import {
  ColorSpace,
  type IMagickImage,
  ImageMagick,
  initializeImageMagick,
  Magick,
  MagickColors,
  MagickFormat,
  MagickImageCollection,
  MagickReadSettings,
  ResourceLimits,
} from '@imagemagick/magick-wasm'
import { JobFailure } from '../../../../shared/errors.ts'
import { type Message, message } from '../../../../shared/messages/message.ts'
import { withKnownPixels } from '../formats/dds.ts'
import { profileSpace } from '../formats/icc.ts'
import { withOpacity } from '../formats/jp2.ts'
import { withColours } from '../formats/tga.ts'
import type { Pixels } from '../pixels.ts'

/** Maximum number of pixels in a page; WebAssembly has 4 GB at most, and ImageMagick needs 4 to 8 bytes for each. */
export const PIXEL_LIMIT = 100_000_000

let started: Promise<void> | undefined

async function start(): Promise<void> {
  const path = createRequire(import.meta.url).resolve('@imagemagick/magick-wasm/magick.wasm')
  await initializeImageMagick(await readFile(path))
  ResourceLimits.area = BigInt(PIXEL_LIMIT)
  ResourceLimits.width = 65_535n
  ResourceLimits.height = 65_535n
  ResourceLimits.listLength = 16n
}

/** Starts it once. */
export const startMagick = (): Promise<void> => (started ??= start())

export const FORMATS = {
  dds: MagickFormat.Dds,
  jp2: MagickFormat.Jp2,
  j2k: MagickFormat.J2k,
  jxl: MagickFormat.Jxl,
  qoi: MagickFormat.Qoi,
  tga: MagickFormat.Tga,
  tiff: MagickFormat.Tiff,
} as const

type MagickSource = keyof typeof FORMATS

/**
 * Decodes the first page of a TIFF file.
 * @returns pixels with their profile, or RGB or RGBA in sRGB
 * @throws JobFailure unsupported_input if ImageMagick cannot read it either
 */
export const readTiff = (file: Uint8Array): Promise<Pixels> => read(file, 'tiff', message('tiff.unsupported'))

/**
 * Decodes the first picture of a file.
 * @returns pixels with their profile, or RGB or RGBA in sRGB
 * @throws JobFailure corrupt_input; unsupported_input if its pixels are stored in a way that ImageMagick does not know
 */
export function readPicture(file: Buffer, format: MagickSource): Promise<Pixels> {
  const isBare = format === 'jp2' && file.subarray(0, 4).equals(CODESTREAM)
  return read(mended[format]?.(file) ?? file, isBare ? 'j2k' : format)
}

/** The first bytes of JPEG 2000 without a container (ISO/IEC 15444-1, A.4.1). */
const CODESTREAM = Buffer.from('ff4fff51', 'hex')

/** What ImageMagick does not know about headers. */
const mended: { [format in MagickSource]?: (file: Buffer) => Buffer } = {
  dds: withKnownPixels,
  jp2: withOpacity,
  tga: withColours,
}

/** Most layers of a document that are merged. */
const LAYER_LIMIT = 1000

/**
 * Merges the visible layers of a Photoshop document that was saved without a merged picture.
 * @returns RGBA pixels in sRGB
 * @throws JobFailure unsupported_input if it has no layers with pixels, or not in a mode that can be merged
 */
export async function mergeLayers(file: Uint8Array): Promise<Pixels> {
  await startMagick()
  ResourceLimits.listLength = BigInt(LAYER_LIMIT)
  const layers = MagickImageCollection.create()
  try {
    layers.read(file, new MagickReadSettings({ format: MagickFormat.Psd }))
  } catch (cause) {
    throw new JobFailure('jobs.unsupported_input', message('psd.unmerged_mode'), { cause })
  }
  // The first one is the merged picture, which is white.
  layers.shift()?.dispose()
  if (layers.length === 0) throw new JobFailure('jobs.unsupported_input', message('psd.nothing_drawn'))
  for (const layer of layers) layer.backgroundColor = MagickColors.None
  return layers.flatten(pixelsOf)
}

async function read(file: Uint8Array, format: MagickSource, unsupported?: Message): Promise<Pixels> {
  await startMagick()
  const settings = new MagickReadSettings({ format: FORMATS[format], frameIndex: 0, frameCount: 1 })
  try {
    return ImageMagick.read(file, settings, image => {
      image.autoOrient()
      return pixelsOf(image)
    })
  } catch (cause) {
    const reason = unsupported ?? (isOfUnknownType(cause) ? message('picture.unsupported') : undefined)
    throw new JobFailure(reason ? 'jobs.unsupported_input' : 'jobs.corrupt_input', reason, { cause })
  }
}

/** Kinds of samples that a profile describes, by its own name for them, with their channels here. */
const PROFILED: Readonly<Record<string, [colorSpaces: ColorSpace[], channels: string]>> = {
  GRAY: [[ColorSpace.Gray, ColorSpace.LinearGray], 'R'],
  'RGB ': [[ColorSpace.sRGB, ColorSpace.RGB], 'RGB'],
}

function pixelsOf(image: IMagickImage): Pixels {
  const profile = image.getColorProfile()?.data
  const [colorSpaces = [], names = 'RGB'] = (profile && PROFILED[profileSpace(profile)]) ?? []
  const icc = colorSpaces.includes(image.colorSpace) ? Uint8Array.from(profile!) : undefined
  if (!icc && image.colorSpace !== ColorSpace.sRGB) image.colorSpace = ColorSpace.sRGB
  const { width, height } = image
  // Samples that are not transparency would be taken for it.
  const order = (icc ? names : 'RGB') + (image.hasAlpha ? 'A' : '')
  const data = image.getPixels(pixels => pixels.toByteArray(0, 0, width, height, order))
  if (!data) throw new Error('no pixels')
  return { data, width, height, channels: order.length as Pixels['channels'], ...(icc && { icc }) }
}

/** Whether ImageMagick knows the format, but not how the pixels are stored, as those of a DDS in one channel. */
const isOfUnknownType = (error: unknown) => /ImageTypeNotSupported/.test(String(error))

/** Version of ImageMagick, or null if it does not start. */
export async function magickVersion(): Promise<string | null> {
  try {
    await startMagick()
    return /ImageMagick (\S+)/.exec(Magick.imageMagickVersion)?.[1] ?? null
  } catch {
    return null
  }
}
