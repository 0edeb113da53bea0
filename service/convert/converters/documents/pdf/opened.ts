/** Opens PDFs for changes, as far as any of the libraries can read them. */
import { readFile } from 'node:fs/promises'
import type { PDFDocument } from '@cantoo/pdf-lib'
import { JobFailure } from '../../../../shared/errors.ts'
import { readDocument } from '../../../engines/pdf/edit/index.ts'
import { openPdf, type PdfDocument } from '../../../engines/pdf/pdfium/document.ts'
import { opened } from '../../../engines/pdf/qpdf/index.ts'

/** Largest file whose streams are unpacked into memory, to reach its pictures. */
export const UNPACKED_BYTES = 100_000_000

/** The file without protection; if its pages had to be searched for or qpdf cannot read it, as PDFium reads it. */
export async function readable(
  pdf: PdfDocument,
  file: Buffer,
  password: string | undefined,
  forPictures = false,
): Promise<Uint8Array> {
  const unpacked = forPictures && file.length <= UNPACKED_BYTES
  const source = pdf.isRepaired ? pdf.rewritten() : file
  try {
    return await opened(source, pdf.isRepaired ? undefined : password, { unpacked })
  } catch {
    return pdf.isRepaired ? source : pdf.rewritten()
  }
}

/** @throws JobFailure corrupt_input if its objects cannot be read */
export async function documentOf(pdf: PdfDocument, bytes: Uint8Array): Promise<PDFDocument> {
  for (const read of [() => bytes, () => pdf.rewritten()]) {
    try {
      const document = await readDocument(read())
      if (document.getPageCount() === pdf.pageCount) return document
    } catch {
      // PDFium reads more than pdf-lib does.
    }
  }
  throw new JobFailure('jobs.corrupt_input')
}

/** @throws JobFailure as `openPdf`, and corrupt_input */
export async function documentFrom(path: string, password: string | undefined): Promise<PDFDocument> {
  using pdf = await openPdf(path, password, { fields: false })
  return await documentOf(pdf, await readable(pdf, await readFile(path), password))
}
