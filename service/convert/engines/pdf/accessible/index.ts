/** Makes a tagged PDF of LibreOffice conform to PDF/UA-1 (ISO 14289-1), and says so in it if it does. */
import { ParseSpeeds, PDFDict, PDFDocument, type PDFRawStream, PDFString } from '@cantoo/pdf-lib'
import { escapeXml } from '../../common/xml/characters.ts'
import { writeDocument } from '../edit/document.ts'
import { contentOf, dataOf, dictEntry, entry, isRaw, name, numberEntry } from '../pdfa/objects.ts'
import { type Barrier, mendStructure } from './structure.ts'
import { withDecoration } from './untagged.ts'

export type { Barrier } from './structure.ts'

export interface Facts {
  /** Of a document that has none. */
  title: string
  /** If it is not the one that LibreOffice names, such as `en-GB`. */
  language?: string | undefined
}

/** @returns the file, and what keeps it from being accessible */
export async function accessible(
  pdf: Uint8Array,
  { title, language }: Facts,
): Promise<{ pdf: Uint8Array; barriers: Barrier[] }> {
  const document = await PDFDocument.load(pdf, { updateMetadata: false, parseSpeed: ParseSpeeds.Fastest })
  const { catalog, context } = document
  for (const [, object] of context.enumerateIndirectObjects())
    if (isRaw(object)) mendEnd(object)
    else if (object instanceof PDFDict && object.has(name('ToUnicode'))) mendLetters(object)
  const barriers = mendTagged(document, { title, language })
  const facts = dataOf(entry(catalog, 'Metadata'))?.toString('utf8') ?? ''
  const named = facts.includes('<dc:title>')
    ? facts
    : facts.replace('</rdf:RDF>', `${describedAs(title)}</rdf:RDF>`)
  const claimed = barriers.length === 0 ? named : named.replace(/\s*<pdfuaid:part>1<\/pdfuaid:part>/, '')
  setMetadata(document, claimed)
  // One object stream after another would take pdf-lib minutes for a long document.
  return { pdf: await writeDocument(document), barriers }
}

/** Whether a document says that it is accessible. */
export const claimsAccess = ({ catalog }: PDFDocument): boolean =>
  dataOf(entry(catalog, 'Metadata'))?.includes('pdfuaid:part') ?? false

/** Has a document made of accessible ones say that it is one, too. */
export function claimAccess(document: PDFDocument, facts: Facts): void {
  if (mendTagged(document, facts).length > 0) return
  const about = `${describedAs(document.getTitle() ?? facts.title)}<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" pdfuaid:part="1"/>`
  const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${about}</rdf:RDF>`
  setMetadata(
    document,
    `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">${rdf}</x:xmpmeta><?xpacket end="w"?>`,
  )
}

function setMetadata({ catalog, context }: PDFDocument, xmp: string): void {
  const stream = context.stream(Buffer.from(xmp), { Type: 'Metadata', Subtype: 'XML' })
  catalog.set(name('Metadata'), context.register(stream))
}

/** Mends a document whose text is tagged. @returns what keeps it from being accessible */
export function mendTagged(document: PDFDocument, { title, language }: Facts): Barrier[] {
  const { catalog, context } = document
  const barriers = mendStructure(document)
  for (const [index, page] of document.getPages().entries()) {
    const { content, hasText } = withDecoration(contentOf(page.node))
    if (hasText) barriers.push({ lacks: 'text', page: index })
    if (content) page.node.set(name('Contents'), context.register(context.flateStream(content)))
  }
  const preferences = dictEntry(catalog, 'ViewerPreferences') ?? context.obj({})
  preferences.set(name('DisplayDocTitle'), context.obj(true))
  catalog.set(name('ViewerPreferences'), preferences)
  if (language) catalog.set(name('Lang'), PDFString.of(language))
  if (!document.getTitle()) document.setTitle(title)
  return barriers
}

const describedAs = (title: string): string =>
  `<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escapeXml(title)}</rdf:li></rdf:Alt></dc:title></rdf:Description>`

/** pdf-lib takes the last byte of a stream for a part of the end of the line if it is a return, where the length comes later. */
function mendEnd(stream: PDFRawStream): void {
  if (numberEntry(stream.dict, 'Length') === stream.contents.length + 1)
    stream.updateContents(Buffer.concat([stream.contents, Buffer.from('\r')]))
}

/** Codes that stand for no letter, since the content says what they mean, get one without width (7.21.7). */
function mendLetters(font: PDFDict): void {
  const map = dataOf(entry(font, 'ToUnicode'))?.toString('latin1')
  const [first, last] = [numberEntry(font, 'FirstChar'), numberEntry(font, 'LastChar')]
  if (!map || first === undefined || last === undefined) return
  const codes = Array.from(
    { length: last - first + 1 },
    (_, at) => `<${(first + at).toString(16).padStart(2, '0')}>`,
  )
  const lacking = codes.filter(code => !map.toLowerCase().includes(`\n${code} `))
  if (lacking.length === 0) return
  const added = `${lacking.length} beginbfchar\n${lacking.map(code => `${code} <200B>\n`).join('')}endbfchar\nendcmap`
  font.set(name('ToUnicode'), font.context.register(font.context.flateStream(map.replace('endcmap', added))))
}
