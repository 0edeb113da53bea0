/** Converts PDF files to PDF/A: fixes what the standard requires, and redraws pages that cannot be fixed. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PDFDocument } from '@cantoo/pdf-lib'
import { message } from '../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { tagScans } from '../../../engines/pdf/accessible/scanned.ts'
import { type Conformed, conform, saveConforming, TextLayer } from '../../../engines/pdf/pdfa/index.ts'
import { openPdf, type PdfDocument } from '../../../engines/pdf/pdfium/document.ts'
import type { PdfAOptions } from '../options.ts'
import { chosenPages, listed, warnOfSource } from './chosen-pages.ts'
import { blankDocument, ofRebuilt, showPicture } from './rebuilt.ts'
import { addRecognisedText } from './recognised.ts'

export async function convert(given: Task<PdfAOptions>): Promise<Output[]> {
  given.progress(0, 'preparing')
  const task = await ofRebuilt(given)
  const { accessible, conformance, ocr, password } = task.options
  using pdf = await openPdf(task.input.path, password)
  // The intake cannot count the pages of a protected file.
  warnOfSource(task, pdf, chosenPages(pdf.pageCount, 'all'))
  const { document, removed, pages } = await conformed(pdf)
  if (removed.attachments) task.warn(message('pdf.attachments_left_out'))
  if (removed.signatures) task.warn(message('pdf.signatures_left_out'))
  const layer = new TextLayer(document)
  await rasterisePages(task, pdf, document, layer, pages)
  const unread = ocr.enabled ? await addRecognisedText(task, pdf, document, layer, ocr.languages) : []
  const [language] = Intl.getCanonicalLocales(ocr.languages.slice(0, 3))
  const isAccessible =
    ocr.enabled &&
    layer.marks.size > 0 &&
    unread.length === 0 &&
    tagScans(document, layer.marks, { title: task.input.stem, language })
  if (accessible && !isAccessible)
    task.warn(
      unread.length > 0
        ? message('accessible.picture', { pages: listed(unread), count: unread.length })
        : message('accessible.files', { names: task.input.name }),
    )
  task.progress(0.95)
  const path = join(task.folder, 'output.pdf')
  await writeFile(path, await saveConforming(document, conformance, isAccessible))
  return [{ path }]
}

/** The document with all possible fixes; if nothing can be read, all of its pages have to be drawn. */
async function conformed(pdf: PdfDocument): Promise<Conformed> {
  try {
    const result = await conform(pdf.rewritten())
    if (result.document.getPageCount() === pdf.pageCount) return result
  } catch {
    // PDFium reads more than pdf-lib does.
  }
  const document = await blankDocument(pdf)
  return {
    document,
    removed: { attachments: false, signatures: false },
    pages: new Map(document.getPageIndices().map(page => [page, ['cannot be read']])),
  }
}

/** Replaces pages that cannot conform by pictures of them, with their text behind, and adds a warning. */
async function rasterisePages(
  task: Task,
  pdf: PdfDocument,
  document: PDFDocument,
  layer: TextLayer,
  pages: Conformed['pages'],
): Promise<void> {
  let done = 0
  for (const index of pages.keys()) {
    task.progress(0.1 + (0.2 * done++) / pages.size, 'converting')
    await showPicture(document, layer, pdf, index)
  }
  if (pages.size > 0) task.warn(message('pdf.pages_as_pictures', { pages: listed([...pages.keys()]) }))
}
