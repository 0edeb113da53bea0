/** Repairs PDF files (ISO 32000-1) that lack their end, their cross-reference table or their page tree. */
import { ParseSpeeds, PDFDict, PDFDocument, PDFName, type PDFObject, type PDFRef } from '@cantoo/pdf-lib'
import { writeDocument } from '../edit/document.ts'
import { contentStreams, dictEntry, listed, name, nameEntry } from '../pdfa/objects.ts'

/** Entries of a catalogue that matter for reading. */
const KEPT = ['AcroForm', 'OCProperties', 'StructTreeRoot', 'Outlines', 'Names', 'Lang']
/** Objects and trailers: pdf-lib takes long to pass over what is neither. */
const PARTS =
  /\d{1,7}\s+\d{1,5}\s+obj(?![A-Za-z])(?!\s*\d+\s+\d+\s+obj)[\s\S]*?endobj|trailer\s*<<[\s\S]*?(?=startxref|\d\s+obj)/g

/**
 * The file with all objects that can be found in it, and a flat tree of all pages with content, in order.
 * @returns undefined if no page is left
 */
export async function repairPdf(damaged: Buffer): Promise<Buffer | undefined> {
  // Ends a stream or an object that was truncated.
  const text = `${damaged.toString('latin1')}\nendstream\nendobj\nstartxref`
  const parts = text.match(PARTS) ?? []
  const body = Buffer.from(`%PDF-1.7\n${parts.join('\n')}\n`, 'latin1')
  try {
    const document = await PDFDocument.load(body, {
      updateMetadata: false,
      throwOnInvalidObject: false,
      ignoreEncryption: true,
      parseSpeed: ParseSpeeds.Fastest,
    })
    return withPages(document) ? Buffer.from(await writeDocument(document)) : undefined
  } catch {
    return undefined
  }
}

/** Gives a document a catalogue and a tree of all its pages. @returns whether there are any */
function withPages({ context }: PDFDocument): boolean {
  const all = new Map<PDFObject, PDFDict>(
    context
      .enumerateIndirectObjects()
      .flatMap(([ref, object]) => (object instanceof PDFDict ? [[ref, object]] : [])),
  )
  const isOf = (type: string) => (ref: PDFObject) => nameEntry(all.get(ref)!, 'Type') === type
  // Without the trailer's encryption entry, nothing can be read.
  const isLocked =
    !context.trailerInfo.Encrypt && all.values().some(dict => nameEntry(dict, 'Filter') === 'Standard')
  if (isLocked) return false
  const trees = [...all.keys()].filter(isOf('Pages'))
  const seen = new Set<PDFObject>()
  const pages: PDFRef[] = []
  // The highest nodes that are left come first, then pages whose tree is lost.
  const waiting = [...all.keys()].filter(isOf('Page')).reverse()
  waiting.push(...trees.filter(ref => !all.has(all.get(ref)!.get(name('Parent'))!)).reverse())
  for (let ref = waiting.pop(); ref; ref = waiting.pop()) {
    const dict = all.get(ref)
    if (!dict || seen.has(ref)) continue
    seen.add(ref)
    const contents = contentStreams(dict)
    if (!isOf('Page')(ref)) waiting.push(...listed(dict, 'Kids').reverse())
    else if (contents.length === 0 || contents.some(Boolean)) pages.push(ref as PDFRef)
  }
  const old = [...all.values()].findLast(dict => nameEntry(dict, 'Type') === 'Catalog')
  const tree = context.register(context.obj({ Type: 'Pages', Count: pages.length, Kids: pages }))
  for (const page of pages) all.get(page)!.set(name('Parent'), tree)
  const catalogue = context.obj({ Type: 'Catalog', Pages: tree })
  for (const key of KEPT) if (old && dictEntry(old, key)) catalogue.set(PDFName.of(key), old.get(name(key))!)
  context.trailerInfo.Root = context.register(catalogue)
  return pages.length > 0
}
