/** PDF files through the service with its real workers, from upload to download. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { testFiles } from '../../../testing/files.ts'
import { tool } from '../../../testing/fixtures/media.ts'
import { makePdf } from '../../../testing/pdf.ts'
import { json, testService } from '../../../testing/service.ts'
import { resource } from '../../convert/engines/common/resources.ts'

const files = testFiles('pdf-service')

async function converted(path: string, name: string, target: string, options: Record<string, unknown> = {}) {
  const service = await testService()
  const fields = { options: JSON.stringify(options) }
  const { id, creditCost } = await json<{ id: string; creditCost: number }>(
    service.submit(name, new Uint8Array(readFileSync(path)), target, fields),
  )
  const status = await service.finished(id)
  const download = await service.call(`/convert/job/${id}/download`)
  const result = files.path(`result-${id}`)
  writeFileSync(result, Buffer.from(await download.arrayBuffer()))
  return { status, creditCost, result }
}

test('pages are counted and priced, and delivered in a ZIP', async () => {
  const source = await makePdf(files.path('pages.pdf'), document => {
    for (let page = 1; page < 12; page++) document.addPage()
  })
  const { status, creditCost, result } = await converted(source, 'Träume.pdf', 'jpg', { dpi: 20 })
  expect(creditCost).toBe(2)
  expect(status.output).toEqual({
    fileName: 'service-pdf-to-jpg-Träume-12-outputs.zip',
    contentType: 'application/zip',
    fileCount: 12,
  })
  expect(execFileSync('unzip', ['-Z1', result]).toString().split('\n')[11]).toBe('Träume-12.jpg')
})

test('a file with too many pages is refused', async () => {
  const source = await makePdf(files.path('many.pdf'), document => {
    for (let page = 1; page <= 2000; page++) document.addPage()
  })
  const { status } = await converted(source, 'many.pdf', 'png')
  expect(status).toMatchObject({ status: 'Failed', error: { code: 'jobs.too_many_pages' } })
})

test('pdf-ocr reads scanned pages in a worker without network access', async () => {
  const picture = files.path('scan.png')
  const sentence = 'Seventeen farmers count their sheep beside the river'
  tool(
    'convert',
    '-size',
    '1500x200',
    'xc:white',
    '-font',
    resource('fonts', 'Tinos-Regular.ttf'),
    '-pointsize',
    '48',
    '-annotate',
    '+60+110',
    sentence,
    picture,
  )
  const source = await makePdf(
    files.path('scan.pdf'),
    document => void document.image(picture, 0, 0, { fit: [360, 48] }),
    {
      size: [360, 48],
      margin: 0,
    },
  )
  const { status, result } = await converted(source, 'scan.pdf', 'pdf-ocr')
  expect(status).toMatchObject({
    status: 'Succeeded',
    output: { fileName: 'scan.pdf', contentType: 'application/pdf' },
  })
  expect(tool('pdftotext', result, '-').replace(/\s+/g, ' ').trim()).toBe(sentence)
})
