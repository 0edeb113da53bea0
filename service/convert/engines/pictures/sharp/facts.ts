import type { Metadata } from 'sharp'
import type { FileFacts } from '../../../../shared/file-facts.ts'
import { readHead } from '../../../../shared/picture-signatures.ts'
import { isApng } from '../apng/read.ts'
import { motionVideoIn } from '../formats/motion-photo.ts'
import { hdrOf } from '../heif/gain-map.ts'
import { originOf, type PictureOrigin, streamOf } from '../metadata/exif.ts'
import { sharp } from './load.ts'
import { openPicture } from './picture.ts'
import { sniffKind } from './sniff.ts'

/** What the header of a picture says about it; `frames` of an animation may be a lower bound, and `pages` are those of a TIFF. */
export type PictureFacts = PictureOrigin &
  Pick<FileFacts, 'hdrCurve' | 'pages'> &
  Required<
    Pick<
      FileFacts,
      'alpha' | 'frames' | 'hdr' | 'height' | 'highBitDepth' | 'metadata' | 'motionVideo' | 'width'
    >
  >

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
    const hdr = kind === 'heic' || kind === 'avif' ? await hdrOf(path) : undefined
    const isAnimatedPng = kind === 'png' && (await isApng(path))
    return {
      width: autoOrient.width,
      height: pageHeight ?? autoOrient.height,
      frames: isAnimatedPng ? 2 : kind === 'tiff' ? 1 : pages,
      ...(kind === 'tiff' && { pages }),
      alpha: hasAlpha && (pages > 1 || isAnimatedPng || (await mayShowThrough(path, found))),
      highBitDepth: depth !== 'uchar' && depth !== undefined,
      hdr: gainMap !== undefined || hdr?.gainMap === true,
      ...(hdr?.curve && { hdrCurve: true }),
      motionVideo: (kind === 'heic' || kind === 'jpg') && (await motionVideoIn(path)) !== undefined,
      metadata: [exif, xmp, iptc, comments].some(Boolean),
      ...(exif && originOf(streamOf(exif))),
    }
  } catch {
    return undefined
  }
}
