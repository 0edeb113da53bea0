import { suffixOf } from '../../books/book/media-types.ts'
import { readMetafile } from '../../pictures/formats/metafile.ts'
import { asWebPicture } from '../../pictures/web-picture.ts'
import type { PictureFile } from '../format.ts'
import { type Document, picturesIn } from '../model.ts'
import type { MetafileRenderer } from './metafiles.ts'

export interface DocumentPicture extends PictureFile {
  /** Whether it is an unchanged metafile (EMF, WMF), which few programs show. */
  isMetafile: boolean
}

/**
 * The pictures of a document by reference; pictures that are missing or cannot be read have no entry.
 * @param renderer renders metafiles
 * @param keepsMetafiles whether metafiles that cannot be rendered are kept unchanged
 */
export async function picturesOf(
  document: Document,
  renderer: MetafileRenderer,
  keepsMetafiles: boolean,
): Promise<Map<string, DocumentPicture>> {
  const pictures = new Map<string, DocumentPicture>()
  const seen = new Set<string>()
  const readPicture = async (bytes: Uint8Array, shown: { width: number; height: number }) => {
    const metafile = readMetafile(bytes)
    if (!metafile) return asWebPicture(bytes)
    const drawn = await renderer.draw(metafile, shown)
    if (drawn) return { mime: 'image/png', bytes: drawn, isDrawn: true }
    return keepsMetafiles ? { mime: `image/${metafile.kind}`, bytes, isMetafile: true } : undefined
  }
  for (const { source, ...shown } of picturesIn(document)) {
    if (!('file' in source) || seen.has(source.file)) continue
    seen.add(source.file)
    const bytes = document.file(source.file)
    if (!bytes) continue
    const read = await readPicture(bytes, shown)
    if (read) {
      const name = `image-${pictures.size + 1}.${suffixOf(read.mime)}`
      pictures.set(source.file, { isMetafile: false, isDrawn: false, ...read, name })
    }
  }
  return pictures
}
