/** Changes PDF documents in place, so that text, links, forms, tags and bookmarks stay. */
import { degrees, type PDFDocument, type PDFPage } from '@cantoo/pdf-lib'
import { allDicts, dictEntry, name, nameEntry, remove } from '../pdfa/objects.ts'
import { removeAttachments } from './attachments.ts'

export { attachFiles, attachmentsOf } from './attachments.ts'
export { cropPages } from './crop.ts'
export { bookmarksOf } from './destinations.ts'
export { hasUnpacked, readDocument, writeDocument } from './document.ts'
export { mergeDuplicates } from './duplicates.ts'
export { fillForm } from './fill.ts'
export { flattened } from './flatten.ts'
export { dropUnusedGlyphs } from './fonts.ts'
export { impose, type Layout } from './impose.ts'
export { takePages } from './join.ts'
export { overlayPages } from './overlay.ts'
export { PageSource } from './pages.ts'
export { type PictureQuality, shrinkPictures } from './pictures.ts'
export { type Stamp, type StampPlace, stampPages } from './stamp.ts'

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
  if (removed) remove(dictEntry(document.catalog, 'AcroForm'), 'SigFlags')
  return removed
}

/** Drops what no reader shows: data that programs keep for themselves (ISO 32000-1, 14.5), such as Illustrator its own document, and previews of pages. */
export function dropPrivateData(document: PDFDocument): void {
  for (const { dict } of allDicts(document)) remove(dict, 'PieceInfo')
  for (const { node } of document.getPages()) remove(node, 'Thumb')
}

/** What a document says of itself; what is not given stays. */
export interface Properties {
  title?: string
  author?: string
  subject?: string
  keywords?: string
  /** Whether those that it has go first. */
  remove: boolean
  /** Whether its attached files go. */
  attachments: boolean
}

/** Sets what a document says of itself, in its information dictionary alone: XMP that says something else goes. */
export function setProperties(document: PDFDocument, given: Properties): void {
  const { catalog, context } = document
  const { title, author, subject, keywords } = given
  if (given.remove) delete context.trailerInfo.Info
  if (given.remove) for (const { dict } of allDicts(document)) remove(dict, 'Metadata', 'PieceInfo')
  if (title || author || subject || keywords) remove(catalog, 'Metadata')
  if (title) document.setTitle(title)
  if (author) document.setAuthor(author)
  if (subject) document.setSubject(subject)
  if (keywords) document.setKeywords([keywords])
  if (given.attachments) removeAttachments(document)
}
