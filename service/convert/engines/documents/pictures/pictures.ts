import { suffixOf } from '../../books/book/media-types.ts'
import { readMetafile } from '../../pictures/formats/metafile.ts'
import { asWebPicture } from '../../pictures/web-picture.ts'
import type { PictureFile } from '../format.ts'
import { type Document, picturesIn } from '../model.ts'
import type { DrawingBoard } from './drawings.ts'

export interface DocumentPicture extends PictureFile {
  /** Whether it is an unchanged Windows drawing (EMF, WMF), which few programs show. */
  isDrawing: boolean
}

/**
 * The pictures of a document by reference; pictures that are missing or cannot be read have no entry.
 * @param board draws Windows drawings
 * @param keepsDrawings whether drawings that cannot be drawn are kept unchanged
 */
export async function picturesOf(
  document: Document,
  board: DrawingBoard,
  keepsDrawings: boolean,
): Promise<Map<string, DocumentPicture>> {
  const pictures = new Map<string, DocumentPicture>()
  const seen = new Set<string>()
  const readPicture = async (bytes: Uint8Array, shown: { width: number; height: number }) => {
    const vectorGraphic = readMetafile(bytes)
    if (!vectorGraphic) return asWebPicture(bytes)
    const drawn = await board.draw(vectorGraphic, shown)
    if (drawn) return { mime: 'image/png', bytes: drawn, isDrawn: true }
    return keepsDrawings ? { mime: `image/${vectorGraphic.kind}`, bytes, isDrawing: true } : undefined
  }
  for (const { source, ...shown } of picturesIn(document)) {
    if (!('file' in source) || seen.has(source.file)) continue
    seen.add(source.file)
    const bytes = document.file(source.file)
    if (!bytes) continue
    const read = await readPicture(bytes, shown)
    if (read) {
      const name = `image-${pictures.size + 1}.${suffixOf(read.mime)}`
      pictures.set(source.file, { isDrawing: false, isDrawn: false, ...read, name })
    }
  }
  return pictures
}
