import { writeFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import PdfKit from 'pdfkit'
import { expect, test } from 'vitest'
import { resource } from '../service/convert/engines/common/resources.ts'
import { testFiles } from './files.ts'
import { validatePdfA } from './pdfa.ts'

const files = testFiles('validator')

async function write(options: PDFKit.PDFDocumentOptions, font: string): Promise<string> {
  const document = new PdfKit(options)
  document.font(font).text('Conforming or not').end()
  return files.write(await buffer(document), 'pdf')
}

test('a conforming file is distinguished from others', async () => {
  const conforming = { subset: 'PDF/A-2b', pdfVersion: '1.7' } as const
  const good = await write(conforming, resource('fonts', 'Arimo-Regular.ttf'))
  const plain = await write({}, 'Helvetica')
  const text = files.path('a name with spaces.pdf')
  writeFileSync(text, 'no PDF at all')
  const broken = await validatePdfA([plain, good, text])
  expect(Object.keys(broken)).toEqual([plain, text])
  // Fonts must be embedded (ISO 19005-2, 6.2.11.4.1), and there must be XMP (6.6.2.1).
  expect(broken[plain]?.join('\n')).toMatch(/^6\.2\.11\.4\.1-1: .*^6\.6\.2\.1-1: /ms)
  expect(broken[text]?.[0]).toMatch(/^cannot be read/)
})
