import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { makePdf, onePagePdf, pdfStream, rawPdf } from '../../../../../testing/pdf.ts'
import { decode } from '../../../../../testing/pictures.ts'

const files = testFiles('extract')
const extract = (path: string, options = {}) => convertFile('document.pdf-to-zip', path, options)

test('pictures and attached files come out as they went in', async () => {
  const path = files.path('source.pdf')
  const noise = { create: { width: 300, height: 200, channels: 3 as const, background: '#888' } }
  const jpeg = await sharp({
    ...noise,
    create: { ...noise.create, noise: { type: 'gaussian', mean: 128, sigma: 30 } },
  })
    .jpeg()
    .toBuffer()
  const clear = await sharp({ create: { width: 40, height: 30, channels: 4, background: '#20c04080' } })
    .png()
    .toBuffer()
  await makePdf(path, document => {
    // The same twice, and turned.
    document.image(jpeg, 72, 72, { width: 100 }).image(jpeg, 300, 72, { width: 50 })
    document
      .addPage()
      .save()
      .rotate(90, { origin: [200, 200] })
      .image(jpeg, 200, 200)
      .restore()
    document.image(clear, 72, 400, { width: 7 })
    document.file(Buffer.from('attached words'), { name: 'Worte ☃.txt' })
    const drawn = document as unknown as { fileAnnotation(...values: unknown[]): void }
    drawn.fileAnnotation(72, 300, 20, 20, { src: Buffer.from('more words'), name: '../b.txt' })
  })
  const { outputs, warnings } = await extract(path)
  expect(warnings).toEqual([])
  expect(outputs.map(({ name }) => name)).toEqual([
    'source-p1-1.jpg',
    'source-p2-1.png',
    'Worte ☃.txt',
    '../b.txt',
  ])
  const [first, second, words, more] = outputs.map(({ path: each }) => readFileSync(each))
  expect(first).toEqual(jpeg)
  const picture = decode(outputs[1]!.path)
  expect([picture.width, picture.height, ...picture.data.subarray(0, 4)]).toEqual([
    40, 30, 0x20, 0xc0, 0x40, 0x80,
  ])
  expect(second).toBeDefined()
  expect([words, more].map(String)).toEqual(['attached words', 'more words'])
  expect(tool('pdfimages', '-list', path).trim().split('\n').length).toBeGreaterThan(4)
  const names = async (options: object) => (await extract(path, options)).outputs.map(({ name }) => name)
  expect(await names({ pictures: false })).toEqual(['Worte ☃.txt', '../b.txt'])
  expect(await names({ attachments: false, pages: '2' })).toEqual(['source-p2-1.jpg', 'source-p2-2.png'])
})

testFull('what is damaged is left out, and a file without either is refused', async () => {
  const path = files.write(
    rawPdf([
      '<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(a) 4 0 R (b) 5 0 R (c) 99 0 R] /Kids [2 0 R] >> >> >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Resources << /XObject << /X 6 0 R >> >> /Contents 8 0 R >>',
      '<< /Type /Filespec /F (a.txt) /EF << /F 7 0 R >> >>',
      '<< /Type /Filespec /EF << /F 2 0 R >> >>',
      pdfStream('/Type /XObject /Subtype /Image /Height 3 /Filter /FlateDecode', 'none'),
      pdfStream('/Type /EmbeddedFile', 'whole'),
      pdfStream('', '100 0 0 100 0 0 cm /X Do'),
    ]),
    'pdf',
  )
  const { outputs, warnings } = await extract(path)
  expect(outputs.map(({ name, path: each }) => [name, readFileSync(each, 'utf8')])).toEqual([
    ['a.txt', 'whole'],
  ])
  expect(warnings.join()).toContain('Attached files left out because they are damaged: 1')
  const pageless = rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 2 /Kids [99 0 R 3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] >>',
  ])
  await expect(extract(files.write(pageless, 'pdf'))).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
  await expect(extract(files.write(onePagePdf('0 0 9 9 re f'), 'pdf'))).rejects.toMatchObject({
    code: 'jobs.unsupported_input',
  })
})
