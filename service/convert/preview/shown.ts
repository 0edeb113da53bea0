import { JobFailure } from '../../shared/errors.ts'
import { PIXEL_LIMIT } from '../engines/limits.ts'
import type { Pixels } from '../engines/pixels.ts'
import { sharpFailure } from '../engines/sharp/failure.ts'
import { type Sharp, sharp } from '../engines/sharp/load.ts'
import { openPicture } from '../engines/sharp/picture.ts'

/** A picture that is to be shown, upright. */
export interface Shown {
  /** Starts a pipeline that yields it. */
  open(): Sharp
  /** Size of that pipeline's picture in pixels. */
  width: number
  height: number
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
export async function shownFile(encoded: string | Uint8Array, isTrueSize = true): Promise<Shown> {
  const open = () => sharp(encoded, { limitInputPixels: PIXEL_LIMIT, failOn: 'none' }).autoOrient()
  try {
    const { width, height } = (await open().metadata()).autoOrient
    return { open, width, height, isTrueSize, isFile: typeof encoded === 'string' }
  } catch (error) {
    throw sharpFailure(error)
  }
}

/** Decoded pixels, which are taken over. @throws JobFailure */
export async function shownPixels(pixels: Pixels, isTrueSize = true): Promise<Shown> {
  const { open, width, height } = await openPicture(pixels)
  return { open: () => open(true), width, height, isTrueSize }
}

/**
 * The picture as RGBA, with this maximum edge.
 * @throws JobFailure
 */
export async function scaled({ open }: Shown, edge: number): Promise<Sharp> {
  try {
    const { data, info } = await open()
      .resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    if (info.channels !== 4) throw new JobFailure('jobs.unsupported_input')
    return sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } })
  } catch (error) {
    throw sharpFailure(error)
  }
}
