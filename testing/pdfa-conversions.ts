/** PDFs converted to PDF/A, judged by other programs. */
import { afterAll, expect } from 'vitest'
import { type Converted, convertFile } from './fixtures/convert.ts'
import { tool } from './fixtures/media.ts'
import { psnr } from './fixtures/pixels.ts'
import { output } from './fixtures/programs.ts'
import { validatePdfA } from './pdfa.ts'

export const PDF_TO_PDFA = 'document.pdf-to-pdfa'

/** Start of the warning that names the pages. */
export const AS_PICTURE =
  'These pages cannot conform to PDF/A as they are and were stored as pictures, with their text behind them: '

/** Converts files, and validates all results of one test file together at its end, since the validator starts slowly. */
export function validatedPdfA(): (path: string, options?: Record<string, unknown>) => Promise<Converted> {
  const written: string[] = []
  afterAll(async () => {
    expect(await validatePdfA(written)).toEqual({})
  })
  return async (path, options = {}) => {
    const converted = await convertFile(PDF_TO_PDFA, path, options)
    written.push(converted.path)
    return converted
  }
}

export const text = (path: string) => tool('pdftotext', '-layout', path, '-').replace(/\s+/g, ' ').trim()

/** Similarity of the first page of two files, drawn by poppler. */
export function likeness(a: string, b: string): number {
  const [one, other] = [a, b].map(path =>
    output('pdftoppm', ['-cropbox', '-r', '36', '-f', '1', '-l', '1', '-singlefile', path]),
  )
  return psnr(one!, other!)
}
