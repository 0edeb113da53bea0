/** PDF files for tests, made by PDFKit or written object by object. */
import { writeFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import PdfKit from 'pdfkit'

/** Writes a document that `draw` draws with PDFKit; the first page already exists. */
export async function makePdf(
  path: string,
  draw: (document: PDFKit.PDFDocument) => void,
  options: PDFKit.PDFDocumentOptions = {},
): Promise<string> {
  // The current date would make files differ between runs.
  const document = new PdfKit({ info: { CreationDate: new Date(0) }, ...options })
  draw(document)
  document.end()
  writeFileSync(path, await buffer(document))
  return path
}

/** A stream object, with the entries of its dictionary. */
export const pdfStream = (entries: string, data: string): string =>
  `<< ${entries} /Length ${Buffer.byteLength(data, 'latin1')} >>\nstream\n${data}\nendstream`

/**
 * A PDF file with these objects (ISO 32000-1, 7.5), numbered from 1; the first is the catalogue.
 * @param trailer additional entries of the trailer
 */
export function rawPdf(objects: readonly string[], trailer = ''): Buffer {
  let text = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const start = text.length
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

/** A one-page PDF file with this content stream; `page` contains additional entries of the page's dictionary. */
export const onePagePdf = (content: string, page = '/MediaBox [0 0 200 100]', more: string[] = []): Buffer =>
  rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R /Contents 4 0 R ${page} >>`,
    pdfStream('', content),
    ...more,
  ])
