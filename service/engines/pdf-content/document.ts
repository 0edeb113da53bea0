import { JobFailure } from '../../errors.ts'
import { message } from '../../messages/message.ts'
import { type Handle, pdfium, readUtf16 } from './library.ts'
import { readOutline } from './outline.ts'
import { openPage, type PdfPage } from './page.ts'
import type { OutlineEntry, PdfProperties } from './types.ts'

/** An open PDF file; nothing of it may be used after it is disposed of. */
export interface PdfDocument extends Disposable {
  pageCount: number
  properties: PdfProperties
  /** Bookmarks in their order, nested ones after their parent. */
  outline: OutlineEntry[]
  /** Whether it says that its structure is tagged. */
  tagged: boolean
  /** Opens a page; null where it is too damaged. Dispose of it before the next one is opened. */
  page(index: number): PdfPage | null
}

/** Meanings of FPDF_GetLastError. */
const PASSWORD_ERROR = 4
const SECURITY_ERROR = 5

/**
 * Opens a PDF file. Damaged ones are repaired as far as PDFium can.
 * @throws JobFailure encrypted_input without the right password, corrupt_input, engine_missing
 */
export function openPdf(path: string, password?: string): PdfDocument {
  const library = pdfium()
  const document = library.load(path, password || null)
  if (!document) {
    const error = library.lastError()
    if (error === PASSWORD_ERROR)
      throw new JobFailure(
        'jobs.encrypted_input',
        message(password ? 'pdf.wrong_password' : 'pdf.password_needed'),
      )
    if (error === SECURITY_ERROR)
      throw new JobFailure('jobs.encrypted_input', message('pdf.protected_otherwise'))
    throw new JobFailure('jobs.corrupt_input')
  }
  const pageCount = library.pageCount(document)
  if (pageCount <= 0) {
    library.closeDocument(document)
    throw new JobFailure('jobs.corrupt_input', message('pdf.no_pages'))
  }
  return {
    pageCount,
    properties: propertiesOf(document),
    outline: readOutline(document),
    tagged: library.isTagged(document) !== 0,
    page: index => openPage(document, index),
    [Symbol.dispose]: () => library.closeDocument(document),
  }
}

function propertiesOf(document: Handle): PdfProperties {
  const library = pdfium()
  const text = (tag: string) =>
    readUtf16((out, bytes) => library.metadata(document, tag, out, bytes))
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, 1000)
  const language = readUtf16((out, bytes) => library.language(document, out, bytes)).trim()
  return {
    title: text('Title'),
    author: text('Author'),
    subject: text('Subject'),
    keywords: text('Keywords'),
    language: /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(language) ? language : '',
  }
}
