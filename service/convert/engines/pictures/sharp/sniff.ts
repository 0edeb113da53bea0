import { type PictureKind, pictureKind } from '../../../../shared/picture-signatures.ts'

/** Kinds of files given to sharp, by content, whatever their name. */
export type RasterKind = 'avif' | 'gif' | 'heic' | 'jpg' | 'png' | 'tiff' | 'webp'

const RASTERS: readonly PictureKind[] = ['avif', 'gif', 'heic', 'jpg', 'png', 'tiff', 'webp']

/** Recognises a picture by its first bytes. Nothing else may reach sharp, which would also read SVG. */
export function sniffKind(head: Buffer): RasterKind | undefined {
  const kind = pictureKind(head)
  return kind && RASTERS.includes(kind) ? (kind as RasterKind) : undefined
}
