/** Makes a PDF conform to PDF/A-2b or 3b (ISO 19005-2, 19005-3) without redrawing it. */
import { PDFDocument } from '@cantoo/pdf-lib'
import { checkPages } from './check.ts'
import { type Removed, removeForbidden } from './clean.ts'
import { nameColours } from './colours.ts'
import { mendStreams } from './damage.ts'
import { embedFonts } from './fonts.ts'
import { tidyInformation } from './information.ts'
import { keepWithinLimits } from './limits.ts'

export { replaceByImage, shownMatrix } from './page-picture.ts'
export { type TextBox, TextLayer } from './text-layer.ts'

export interface Conformed {
  document: PDFDocument
  removed: Removed
  /** Numbers of the pages, from 0, that cannot conform as they are, with the reasons. */
  pages: Map<number, string[]>
}

/**
 * @param bytes an intact file without encryption
 * @throws Error if pdf-lib cannot read it
 */
export async function conform(bytes: Uint8Array): Promise<Conformed> {
  const document = await PDFDocument.load(bytes, { updateMetadata: false, throwOnInvalidObject: false })
  const damaged = mendStreams(document)
  const removed = removeForbidden(document)
  tidyInformation(document)
  keepWithinLimits(document)
  embedFonts(document)
  for (const page of document.getPages()) page.node.normalize()
  const { pages, usesInks } = checkPages(document, damaged)
  await nameColours(document, usesInks)
  const bad = pages.entries().filter(([, { problems }]) => problems.length > 0)
  return { document, removed, pages: new Map([...bad].map(([index, { problems }]) => [index, problems])) }
}

/** A document of empty pages of these sizes in points, for pages that become pictures. */
export async function emptyDocument(
  sizes: Iterable<{ width: number; height: number }>,
): Promise<PDFDocument> {
  const document = await PDFDocument.create({ updateMetadata: false })
  for (const { width, height } of sizes) document.addPage([width, height])
  tidyInformation(document)
  return document
}

/** The file, marked as conforming. */
export async function saveConforming(document: PDFDocument, part: '2b' | '3b'): Promise<Uint8Array> {
  document.convertToPDFA({ conformance: part === '3b' ? '3B' : '2B' })
  return document.save({ useObjectStreams: true, updateFieldAppearances: false, addDefaultPage: false })
}
