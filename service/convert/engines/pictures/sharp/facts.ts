import type { Metadata } from 'sharp'
import { readHead } from '../../../../shared/picture-signatures.ts'
import { motionVideoIn } from '../formats/motion-photo.ts'
import { hasChunk } from '../formats/png.ts'
import { hasGainMap } from '../heif/gain-map.ts'
import { originOf, type PictureOrigin, streamOf } from '../metadata/exif.ts'
import { sharp } from './load.ts'
import { openPicture } from './picture.ts'
import { sniffKind } from './sniff.ts'

/** What the header of a picture says about it. */
export interface PictureFacts extends PictureOrigin {
  /** Size in pixels, upright, of one frame. */
  width: number
  height: number
  /** Frames of an animation, or a lower bound; 1 for a still picture. */
  frames: number
  /** Pages of a TIFF. */
  pages?: number
  /** Whether it has transparent parts, or may have. */
  alpha: boolean
  /** Whether its samples have more than 8 bits. */
  deep: boolean
  /** Whether it has a brighter rendition for HDR screens, and a video that goes with it. */
  hdr: boolean
  film: boolean
  /** Whether it has descriptive metadata, such as camera data. */
  metadata: boolean
}

/** Up to so many pixels are looked at, which takes about a tenth of a second. */
const LOOKED_AT = 12_000_000

/** Whether a still picture with an alpha channel has, or may have, a pixel that is not opaque: many programs write a full channel. */
async function mayShowThrough(path: string, { width, height }: Metadata): Promise<boolean> {
  if (width * height > LOOKED_AT) return true
  const alpha = await sharp(path)
    .extractChannel('alpha')
    .raw()
    .toBuffer()
    .catch(() => null)
  return !alpha?.equals(Buffer.alloc(alpha.length, 255))
}

/** Reads the facts from the header of a picture; undefined if sharp cannot read it. */
export async function factsOf(path: string): Promise<PictureFacts | undefined> {
  try {
    const kind = sniffKind(await readHead(path))
    if (!kind) return undefined
    const { metadata: found } = await openPicture({ encoded: path }, { keepsGreyProfile: true })
    const { autoOrient, pageHeight, hasAlpha, pages = 1, exif, xmp, iptc, comments, gainMap, depth } = found
    const isAnimatedPng = kind === 'png' && (await hasChunk(path, 'acTL'))
    return {
      width: autoOrient.width,
      height: pageHeight ?? autoOrient.height,
      frames: isAnimatedPng ? 2 : kind === 'tiff' ? 1 : pages,
      ...(kind === 'tiff' && { pages }),
      alpha: hasAlpha && (pages > 1 || isAnimatedPng || (await mayShowThrough(path, found))),
      deep: depth !== 'uchar' && depth !== undefined,
      hdr: gainMap !== undefined || ((kind === 'heic' || kind === 'avif') && (await hasGainMap(path))),
      film: (kind === 'heic' || kind === 'jpg') && (await motionVideoIn(path)) !== undefined,
      metadata: [exif, xmp, iptc, comments].some(Boolean),
      ...(exif && originOf(streamOf(exif))),
    }
  } catch {
    return undefined
  }
}
