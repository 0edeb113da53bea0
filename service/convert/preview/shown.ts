import { JobFailure } from '../../shared/errors.ts'
import { PIXEL_LIMIT } from '../engines/common/limits.ts'
import { decodePicture } from '../engines/pictures/decode.ts'
import type { Pixels } from '../engines/pictures/pixels.ts'
import { sharpFailure } from '../engines/pictures/sharp/failure.ts'
import { type Sharp, sharp } from '../engines/pictures/sharp/load.ts'
import { openPicture } from '../engines/pictures/sharp/picture.ts'

/** A picture that is to be shown, upright. */
export interface UprightPicture {
  /** Starts a pipeline that yields it. */
  open(): Sharp
  /** Size of that pipeline's picture in pixels. */
  width: number
  height: number
  /** Whether it may be transparent. */
  hasAlpha: boolean
  /** Whether this is the size of the original picture, rather than of one drawn for the preview. */
  isTrueSize: boolean
  /** Whether each pipeline reads the file anew, so that nothing large is held. */
  isFile?: boolean
}

/** The requested picture: its longest edge in pixels, and a folder for temporary files. */
export interface Wanted {
  edge: number
  folder: string
}

/**
 * A file that libvips decodes; a damaged one as far as possible.
 * @throws JobFailure
 */
export async function shownFile(encoded: string | Uint8Array, isTrueSize = true): Promise<UprightPicture> {
  const open = () => sharp(encoded, { limitInputPixels: PIXEL_LIMIT, failOn: 'none' }).autoOrient()
  try {
    const { hasAlpha, autoOrient } = await open().metadata()
    return { open, ...autoOrient, hasAlpha, isTrueSize, isFile: typeof encoded === 'string' }
  } catch (error) {
    throw sharpFailure(error)
  }
}

/** A picture of any format by its content. @throws JobFailure */
export async function shownPicture(origin: string | Uint8Array): Promise<UprightPicture> {
  const read = await decodePicture(origin)
  return 'encoded' in read ? shownFile(read.encoded) : shownPixels(read)
}

/** Decoded pixels, which are taken over. @throws JobFailure */
export async function shownPixels(pixels: Pixels, isTrueSize = true): Promise<UprightPicture> {
  const { open, width, height, alpha } = await openPicture(pixels)
  return { open: () => open(true), width, height, hasAlpha: alpha, isTrueSize }
}

/**
 * The picture as RGB, or RGBA if it may be transparent, with this maximum edge.
 * @throws JobFailure
 */
export async function scaled({ open, hasAlpha }: UprightPicture, edge: number): Promise<Sharp> {
  try {
    const small = open()
      .resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
    const { data, info } = await (hasAlpha ? small.ensureAlpha() : small.removeAlpha())
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    const { width, height, channels } = info
    if (channels !== (hasAlpha ? 4 : 3)) throw new JobFailure('jobs.unsupported_input')
    return sharp(data, { raw: { width, height, channels } })
  } catch (error) {
    throw sharpFailure(error)
  }
}
