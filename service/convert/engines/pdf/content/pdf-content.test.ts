import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import PDFKit from 'pdfkit'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { pdfStream, rawPdf } from '../../../../../testing/pdf.ts'
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
  using page = (await document.page(0))!
  return page.content
}

test('words have a position, size and style, and are joined if there is no space between them', async () => {
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

test('an accent drawn over a letter is one with it, and one that stands alone is not', async () => {
  const content =
    'BT /F 12 Tf 40 100 Td (verm) Tj 28 0 Td (\\250) Tj -1.3 0 Td (ogen) Tj 60 0 Td (\\264) Tj 30 0 Td (x \\250 y) Tj ET'
  const path = join(await mkdtemp(join(tmpdir(), 'refile-pdf-')), 'a.pdf')
  await writeFile(
    path,
    rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> >> >> >>',
      pdfStream('', content),
    ]),
  )
  const { text } = await firstPage(path)
  expect(text.map(item => item.text)).toEqual(['vermögen', '´', 'x', '¨', 'y'])
})

test('a page with mostly rotated text is rotated so that the text is upright', async () => {
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
  using page = (await document.page(0))!
  const { rulings, boxes, images, links } = page.content
  expect(rulings).toEqual([{ x1: 50, y1: 100, x2: 350, y2: 100 }])
  expect(boxes).toEqual([{ x: 50, y: 120, width: 100, height: 30, colour: 0xeeeeee }])
  expect(links.map(link => link.url)).toEqual(['https://example.com/a'])
  expect(images).toMatchObject([
    { x: 50, y: 160, width: 120, height: 80, pixelWidth: 60, pixelHeight: 40 },
    { x: 200, y: 160, pixelWidth: 8, pixelHeight: 8 },
  ])
  // The JPEG file is unchanged; the other picture keeps its transparency.
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

test('form values are read as text of the page, and links are kept', async () => {
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

test('content is replaced by the text that its marks or tags give', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'refile-pdf-')), 'a.pdf')
  const font = `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 750 750] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 97 /LastChar 98
    /Widths [1000 1000] /Encoding << /Differences [97 /g1 /g2] >> /CharProcs << /g1 12 0 R /g2 12 0 R >> >>`
  await writeFile(
    path,
    rawPdf([
      '<< /Type /Catalog /Pages 2 0 R /MarkInfo << /Marked true >> /StructTreeRoot 6 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      `<< /Type /Page /Parent 2 0 R /StructParents 0 /MediaBox [0 0 400 300] /Contents 4 0 R /Resources <<
        /Font << /F 5 0 R /T 11 0 R >> /Properties << /P << /ActualText (property) >> >> >> >>`,
      pdfStream(
        '',
        `/P << /MCID 0 >> BDC BT /F 12 Tf 20 260 Td (A syl) Tj /Span << /ActualText <FEFF00AD> >> BDC (-) Tj EMC (lable, ) Tj
        /Span << /ActualText (ffi) >> BDC (X) Tj EMC (ne and ) Tj /Span /P BDC (YYYY) Tj EMC ( too) Tj ET EMC
        /P << /MCID 1 >> BDC BT /F 12 Tf 20 240 Td (swap) Tj (ped) Tj ET EMC
        /P << /MCID 2 >> BDC BT /F 12 Tf 160 240 Td (stays) Tj ET EMC
        /Span << /ActualText <FEFF751F3044> >> BDC BT /T 12 Tf 20 200 Td (ab) Tj ET EMC
        /Span << /ActualText (drawn) >> BDC 20 150 m 30 160 l 40 150 l 30 140 l f 50 150 m 60 160 l 70 150 l f EMC
        /Figure << /MCID 3 >> BDC 20 100 m 50 130 l 80 100 l 40 90 l f EMC
        /Span << /ActualText () >> BDC BT /F 12 Tf 20 60 Td (nothing) Tj ET EMC`,
      ),
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
      '<< /Type /StructTreeRoot /K 7 0 R /ParentTree << /Nums [0 [8 0 R 9 0 R 8 0 R 10 0 R]] >> >>',
      '<< /Type /StructElem /S /Document /P 6 0 R /K [8 0 R 10 0 R] >>',
      '<< /Type /StructElem /S /P /P 7 0 R /Pg 3 0 R /K [0 9 0 R 2] >>',
      '<< /Type /StructElem /S /Span /P 8 0 R /Pg 3 0 R /K [1] /ActualText (put in place) >>',
      '<< /Type /StructElem /S /Figure /P 7 0 R /Pg 3 0 R /K [3] /ActualText (a logo) >>',
      font,
      pdfStream('', '1000 0 0 0 750 750 d1 0 0 750 750 re f'),
    ]),
  )
  const { text } = await firstPage(path)
  const read = text.reduce((all, item) => all + (item.joined ? '' : ' ') + item.text, '').trim()
  expect(read).toBe('A syllable, ffine and property too put in place stays 生い drawn a logo')
})
