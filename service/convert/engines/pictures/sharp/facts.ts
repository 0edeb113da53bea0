import { readHead } from '../../../../shared/picture-signatures.ts'
import { filmIn } from '../formats/motion-photo.ts'
import { hasChunk } from '../formats/png.ts'
import { hasGainMap } from '../heif/gain-map.ts'
import { originOf, type PictureOrigin, streamOf } from '../metadata/exif.ts'
import { sharp } from './load.ts'
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
  /** Whether it may have transparent parts. */
  alpha: boolean
  /** Whether it has a brighter rendition for HDR screens, and a video that goes with it. */
  hdr: boolean
  film: boolean
  /** Whether it has descriptive metadata, such as camera data. */
  metadata: boolean
}

/** Reads the facts from the header of a picture; undefined if sharp cannot read it. */
export async function factsOf(path: string): Promise<PictureFacts | undefined> {
  try {
    const kind = sniffKind(await readHead(path))
    if (!kind) return undefined
    const found = await sharp(path).metadata()
    const { autoOrient, pageHeight, hasAlpha, pages = 1, exif, xmp, iptc, comments, gainMap } = found
    const isAnimatedPng = kind === 'png' && (await hasChunk(path, 'acTL'))
    return {
      width: autoOrient.width,
      height: pageHeight ?? autoOrient.height,
      frames: isAnimatedPng ? 2 : kind === 'tiff' ? 1 : pages,
      ...(kind === 'tiff' && { pages }),
      alpha: hasAlpha,
      hdr: gainMap !== undefined || ((kind === 'heic' || kind === 'avif') && (await hasGainMap(path))),
      film: (kind === 'heic' || kind === 'jpg') && (await filmIn(path)) !== undefined,
      metadata: [exif, xmp, iptc, comments].some(Boolean),
      ...(exif && originOf(streamOf(exif))),
    }
  } catch {
    return undefined
  }
}
