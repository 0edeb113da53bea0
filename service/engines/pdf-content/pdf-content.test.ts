import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import PDFKit from 'pdfkit'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { openPdf } from './document.ts'
import type { PageContent } from './types.ts'

type Options = ConstructorParameters<typeof PDFKit>[0]

async function pdfOf(
  draw: (pdf: InstanceType<typeof PDFKit>) => void,
  options: Options = {},
): Promise<string> {
  const pdf = new PDFKit({ size: [400, 300], margin: 40, ...options })
  const pieces: Buffer[] = []
  pdf.on('data', (piece: Buffer) => pieces.push(piece))
  const ended = new Promise(resolve => pdf.on('end', resolve))
  draw(pdf)
  pdf.end()
  await ended
  const path = join(await mkdtemp(join(tmpdir(), 'refile-pdf-')), 'a.pdf')
  await writeFile(path, Buffer.concat(pieces))
  return path
}

async function firstPage(path: string, password?: string): Promise<PageContent> {
  using document = await openPdf(path, password)
  using page = document.page(0)!
  return page.content
}

test('words have their place, size and look, and are joined where no space is between them', async () => {
  const { text, width, height } = await firstPage(
    await pdfOf(pdf => {
      pdf.font('Times-Roman', 12).text('Some ', 50, 60, { continued: true, lineBreak: false })
      pdf
        .font('Times-Bold')
        .text('bold', { continued: true })
        .font('Courier')
        .fillColor('#ff0000')
        .text('code')
    }),
  )
  expect([width, height]).toEqual([400, 300])
  expect(text.map(item => [item.text, item.joined])).toEqual([
    ['Some', false],
    ['bold', false],
    ['code', true],
  ])
  const [some, bold, code] = text
  expect(some!.x).toBeCloseTo(50, 0)
  expect(some!.y).toBeGreaterThan(55)
  expect(some!.baseline).toBeLessThan(75)
  expect(some).toMatchObject({ size: 12, font: { bold: false, monospace: false }, colour: 0 })
  expect(bold!.font).toMatchObject({ name: 'Times-Bold', bold: true, monospace: false })
  expect(code).toMatchObject({ colour: 0xff0000, font: { bold: false, monospace: true } })
})

test('a page most of whose text is turned is shown with its text upright', async () => {
  const { text, turned, width, height, rulings } = await firstPage(
    await pdfOf(pdf => {
      pdf.font('Helvetica', 10)
      pdf.rotate(90, { origin: [200, 150] }).text('sideways text', 150, 100, { lineBreak: false })
      pdf.moveTo(150, 120).lineTo(250, 120).stroke()
      pdf.rotate(-90, { origin: [200, 150] }).text('up', 20, 20, { lineBreak: false })
    }),
  )
  expect([width, height]).toEqual([300, 400])
  expect(text.map(item => item.text)).toEqual(['sideways', 'text'])
  expect(text[1]!.baseline).toBeCloseTo(text[0]!.baseline, 1)
  expect(text[1]!.x).toBeGreaterThan(text[0]!.x)
  expect(turned.map(part => part.text.map(item => item.text))).toEqual([['up']])
  expect(rulings).toHaveLength(1)
  expect(rulings[0]!.y1).toBeCloseTo(rulings[0]!.y2, 1)
})

test('lines, boxes, pictures, links and bookmarks are found', async () => {
  const jpeg = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#2050c0' } })
    .jpeg()
    .toBuffer()
  const png = await sharp({ create: { width: 8, height: 8, channels: 4, background: '#20c05080' } })
    .png()
    .toBuffer()
  const path = await pdfOf(
    pdf => {
      pdf.moveTo(50, 100).lineTo(350, 100).stroke()
      pdf.rect(50, 120, 100, 30).fill('#eeeeee')
      pdf.image(jpeg, 50, 160, { width: 120 }).image(png, 200, 160, { width: 40 })
      pdf.fillColor('black').text('a link', 50, 50, { link: 'https://example.com/a' })
      pdf.text('another', 50, 70, { link: 'javascript:alert(1)' })
      pdf.outline.addItem('One').addItem('Nested')
    },
    { info: { Title: 'The title', Author: 'Somebody' }, lang: 'de-DE' } as Options,
  )
  using document = await openPdf(path)
  expect(document).toMatchObject({
    pageCount: 1,
    properties: { title: 'The title', author: 'Somebody' },
    outline: [
      { title: 'One', level: 1, page: 0 },
      { title: 'Nested', level: 2, page: 0 },
    ],
  })
  using page = document.page(0)!
  const { rulings, boxes, images, links } = page.content
  expect(rulings).toEqual([{ x1: 50, y1: 100, x2: 350, y2: 100 }])
  expect(boxes).toEqual([{ x: 50, y: 120, width: 100, height: 30 }])
  expect(links.map(link => link.url)).toEqual(['https://example.com/a'])
  expect(images).toMatchObject([
    { x: 50, y: 160, width: 120, height: 80, pixelWidth: 60, pixelHeight: 40 },
    { x: 200, y: 160, pixelWidth: 8, pixelHeight: 8 },
  ])
  // The JPEG file is the one that went in; the other picture keeps its transparency.
  expect(page.image(images[0]!)).toEqual({ jpeg: new Uint8Array(jpeg) })
  const drawn = page.image(images[1]!)
  expect(drawn).toMatchObject({ pixels: { width: 8, height: 8, channels: 4 } })
  const part = page.picture({ x: 50, y: 160, width: 120, height: 80 }, 72)
  expect(part).toMatchObject({ pixels: { width: 120, height: 80, channels: 3 } })
  const [red, green, blue] = part && 'pixels' in part ? part.pixels.data.subarray(15_000, 15_003) : []
  expect([red! >> 5, green! >> 5, blue! >> 5]).toEqual([1, 2, 5])
})

test('a protected file needs its password', async () => {
  const path = await pdfOf(pdf => pdf.text('secret', 50, 50), { userPassword: 'sesame', pdfVersion: '1.7' })
  await expect(openPdf(path)).rejects.toEqual(expect.objectContaining({ code: 'jobs.encrypted_input' }))
  await expect(openPdf(path, 'wrong')).rejects.toEqual(
    expect.objectContaining({ code: 'jobs.encrypted_input' }),
  )
  expect((await firstPage(path, 'sesame')).text.map(item => item.text)).toEqual(['secret'])
})

test.each(['', 'not a PDF at all', '%PDF-1.4\n1 0 obj\n<<', '%PDF-1.4\ntrailer\n<< /Root 1 0 R >>\n%%EOF'])(
  'what is no PDF is refused: %j',
  async content => {
    const path = join(await mkdtemp(join(tmpdir(), 'refile-pdf-')), 'a.pdf')
    await writeFile(path, content)
    await expect(openPdf(path)).rejects.toEqual(expect.objectContaining({ code: 'jobs.corrupt_input' }))
  },
)

test('what was written into fields is text of the page, and its links stay', async () => {
  const path = await pdfOf(pdf => void pdf.text('Name:', 50, 60, { link: 'https://example.com/' }))
  const document = await PDFDocument.load(await readFile(path))
  const field = document.getForm().createTextField('name')
  field.setText('Ada Lovelace')
  field.addToPage(document.getPage(0), { x: 120, y: 225, width: 150, height: 20 })
  await writeFile(path, await document.save())
  const { text, links } = await firstPage(path)
  expect(text.map(item => item.text)).toEqual(['Name:', 'Ada', 'Lovelace'])
  expect(text[1]!.x).toBeGreaterThan(119)
  expect(links).toMatchObject([{ url: 'https://example.com/' }])
})
