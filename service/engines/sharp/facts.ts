import { hasChunk } from '../formats/png.ts'
import { sharp } from './load.ts'
import { readHead, sniffKind } from './sniff.ts'

/** What the head of a picture says of it. */
export interface PictureFacts {
  /** Pixels, upright and of one frame. */
  width: number
  height: number
  /** Frames of an animation, or at least how many; 1 for a still picture. */
  frames: number
  /** Pages of a TIFF. */
  pages?: number
  /** Whether it may have transparent parts. */
  alpha: boolean
  /** Whether there is something descriptive in it, such as camera data. */
  metadata: boolean
}

/** What the head of a picture says of it; undefined for what is no picture that sharp reads. */
export async function factsOf(path: string): Promise<PictureFacts | undefined> {
  try {
    const kind = sniffKind(await readHead(path))
    if (!kind) return undefined
    const found = await sharp(path).metadata()
    const { autoOrient, pageHeight, hasAlpha, pages = 1, exif, xmp, iptc, comments } = found
    const isAnimatedPng = kind === 'png' && (await hasChunk(path, 'acTL'))
    return {
      width: autoOrient.width,
      height: pageHeight ?? autoOrient.height,
      frames: isAnimatedPng ? 2 : kind === 'tiff' ? 1 : pages,
      ...(kind === 'tiff' && { pages }),
      alpha: hasAlpha,
      metadata: [exif, xmp, iptc, comments].some(Boolean),
    }
  } catch {
    return undefined
  }
}
