/** Makes a PDF conform to PDF/A-2b or 3b (ISO 19005-2, 19005-3) without redrawing it. */
import { PDFDocument } from '@cantoo/pdf-lib'
import { readDocument, writeDocument } from '../edit/document.ts'
import { checkPages } from './check.ts'
import { type Removed, removeForbidden } from './clean.ts'
import { nameColours } from './colours.ts'
import { mendStreams } from './damage.ts'
import { embedFonts } from './fonts.ts'
import { tidyInformation } from './information.ts'

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
  const document = await readDocument(bytes)
  const damaged = mendStreams(document)
  const removed = removeForbidden(document)
  tidyInformation(document)
  embedFonts(document)
  for (const page of document.getPages()) page.node.normalize()
  const { problems, usesInks } = checkPages(document, damaged)
  await nameColours(document, usesInks)
  return { document, removed, pages: new Map(problems.entries().filter(([, all]) => all.length > 0)) }
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

/** Says that a file is accessible, too: PDF/A wants the property itself described (6.6.2.3.3). */
const ACCESSIBLE = `<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" pdfuaid:part="1"/>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"><pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource"><pdfaSchema:schema>PDF/UA</pdfaSchema:schema><pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI><pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource"><pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType><pdfaProperty:category>internal</pdfaProperty:category><pdfaProperty:description>Part of ISO 14289</pdfaProperty:description></rdf:li></rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>`

/** The file, marked as conforming. */
export async function saveConforming(
  document: PDFDocument,
  part: '2b' | '3b',
  isAccessible = false,
): Promise<Uint8Array> {
  const extensions = isAccessible ? [ACCESSIBLE] : []
  document.convertToPDFA({ conformance: part === '3b' ? '3B' : '2B', extensions })
  return writeDocument(document, { useObjectStreams: true })
}
