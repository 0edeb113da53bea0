/** Changes PDF documents in place, so that text, links, forms, tags and bookmarks stay. */
import { degrees, PDFDocument, type PDFPage } from '@cantoo/pdf-lib'
import { allDicts, dictEntry, name, nameEntry, remove } from '../pdfa/objects.ts'

export { bookmarksOf } from './destinations.ts'
export { mergeDuplicates } from './duplicates.ts'
export { dropUnusedGlyphs } from './fonts.ts'
export { PageSource } from './pages.ts'
export { type PictureQuality, shrinkPictures } from './pictures.ts'
export { numberPages, type StampPlace, stampPages } from './stamp.ts'

/** @throws Error if pdf-lib cannot read it */
export const readDocument = (bytes: Uint8Array): Promise<PDFDocument> =>
  PDFDocument.load(bytes, { updateMetadata: false, throwOnInvalidObject: false })

/** @param options `useObjectStreams`: with its objects packed into streams */
export const writeDocument = (
  document: PDFDocument,
  { useObjectStreams = false } = {},
): Promise<Uint8Array> =>
  document.save({
    useObjectStreams,
    updateFieldAppearances: false,
    addDefaultPage: false,
    objectsPerTick: Number.POSITIVE_INFINITY,
  })

/** Turns pages clockwise. */
export function rotatePages(pages: Iterable<PDFPage>, angle: number): void {
  for (const page of pages) page.setRotation(degrees((page.getRotation().angle + angle) % 360))
}

/** Removes signatures, which do not hold of a changed file; the fields stay. Returns whether there were any. */
export function removeSignatures(document: PDFDocument): boolean {
  let removed = false
  for (const { dict } of allDicts(document))
    if (nameEntry(dict, 'FT') === 'Sig' && dict.has(name('V'))) {
      remove(dict, 'V')
      removed = true
    }
  remove(document.catalog, 'Perms', 'DSS')
  const form = dictEntry(document.catalog, 'AcroForm')
  if (form && removed) remove(form, 'SigFlags')
  return removed
}

/** Drops what no reader shows: data that programs keep for themselves (ISO 32000-1, 14.5), such as Illustrator its drawing, and previews of pages. */
export function dropPrivateData(document: PDFDocument): void {
  for (const { dict } of allDicts(document)) remove(dict, 'PieceInfo')
  for (const { node } of document.getPages()) remove(node, 'Thumb')
}
