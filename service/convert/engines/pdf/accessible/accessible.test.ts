import { deflateSync, inflateSync } from 'node:zlib'
import { PDFDict, PDFDocument, PDFHexString, PDFName, type PDFRawStream } from '@cantoo/pdf-lib'
import { expect, test } from 'vitest'
import { pdfStream, rawPdf } from '../../../../../testing/pdf.ts'
import { contentOf, contentStreams } from '../pdfa/objects.ts'
import { accessible } from './index.ts'

/** A page as LibreOffice writes it: the length of its content comes after it. */
function pageOf(data: Buffer, entries: string): Buffer {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>',
    `<</Length 5 0 R${entries}>>\nstream\n${data.toString('latin1')}\nendstream`,
    String(data.length),
  ]
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('')
  return Buffer.from(`%PDF-1.7\n${body}trailer\n<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n`, 'latin1')
}

test('a stream whose last byte is a return keeps it', async () => {
  const ended = Array.from({ length: 600 }, (_, at) => deflateSync(`% ${'a'.repeat(at)}\n`)).find(
    data => data.at(-1) === 13,
  )!
  const { pdf } = await accessible(pageOf(ended, '/Filter/FlateDecode'), { title: 'x' })
  const [page] = (await PDFDocument.load(pdf)).getPages()
  const [stream] = contentStreams(page!.node)
  // pdf-lib reads a stream that is cut off without a word.
  expect(inflateSync((stream as PDFRawStream).contents)).toEqual(inflateSync(ended))
})

test('what is drawn outside of the structure is marked, path by path, and text there is named', async () => {
  const content =
    '0 0 m 9 9 l S /P <</MCID 0>> BDC 0 0 9 9 re f EMC q 1 0 0 1 0 0 cm 0 0 9 9 re W n /X Do Q BT (a) Tj ET'
  const { pdf, barriers } = await accessible(pageOf(Buffer.from(content), ''), { title: 'x' })
  const [page] = (await PDFDocument.load(pdf)).getPages()
  expect(contentOf(page!.node).toString().replace(/\s+/g, ' ').trim()).toBe(
    '/Artifact BMC 0 0 m 9 9 l S EMC /P <</MCID 0>> BDC 0 0 9 9 re f EMC q 1 0 0 1 0 0 cm 0 0 9 9 re W n /Artifact BMC /X Do EMC Q BT (a) Tj ET',
  )
  expect(barriers).toEqual([{ lacks: 'text', page: 0 }])
})

test('a formula that nothing describes is a barrier, and links say where they lead', async () => {
  const element = (tag: string, mark: number, more: string) =>
    `<< /Type /StructElem /S /${tag} /P 5 0 R /Pg 3 0 R /K ${mark} ${more} >>`
  const source = rawPdf([
    '<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 5 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Annots [8 0 R] >>',
    pdfStream('', '/Formula <</MCID 0>> BDC 0 0 4 4 re f EMC /Figure <</MCID 1>> BDC 4 4 5 5 re f EMC'),
    '<< /Type /StructTreeRoot /K [6 0 R 7 0 R] /ParentTree << /Nums [] >> >>',
    element('Formula', 0, ''),
    element('Figure', 1, '/Alt (A square)'),
    '<< /Type /Annot /Subtype /Link /Rect [0 0 4 4] /A << /S /URI /URI (https://example.org/) >> >>',
  ])
  const { pdf, barriers } = await accessible(source, { title: 'x' })
  expect(barriers).toEqual([{ lacks: 'formula', page: 0 }])
  const [page] = (await PDFDocument.load(pdf)).getPages()
  expect(
    page!.node.Annots()!.lookup(0, PDFDict).lookup(PDFName.of('Contents'), PDFHexString).decodeText(),
  ).toBe('https://example.org/')
})
