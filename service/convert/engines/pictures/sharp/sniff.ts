import { pictureKind } from '../../../../shared/picture-signatures.ts'

const RASTERS = ['avif', 'gif', 'heic', 'jpg', 'png', 'tiff', 'webp'] as const

/** Kinds of files given to sharp, by content, whatever their name. */
export type RasterKind = (typeof RASTERS)[number]

/** Recognises a picture by its first bytes. Nothing else may reach sharp, which would also read SVG. */
export function sniffKind(head: Buffer): RasterKind | undefined {
  const kind = pictureKind(head)
  return RASTERS.find(each => each === kind)
}
