import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile, measureFile } from '../../../../../testing/fixtures/convert.ts'
import { few } from '../../../../../testing/fixtures/full.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { psnr } from '../../../../../testing/fixtures/pixels.ts'
import { output } from '../../../../../testing/fixtures/programs.ts'
import { makePdf, onePagePdf, rawPdf } from '../../../../../testing/pdf.ts'
import { decode, identify, onWhite } from '../../../../../testing/pictures.ts'

const files = testFiles('pdf-pictures')
const JPG = 'document.pdf-to-jpg'
const PNG = 'document.pdf-to-png'

let report = ''
beforeAll(async () => {
  report = await makePdf(files.path('report.pdf'), document => {
    for (const page of [1, 2, 3]) {
      if (page > 1) document.addPage()
      document.rect(72, 72, 200, 100 * page).fill('#1c6e8c')
      document.circle(350, 400, 90).fill('#d1495b')
      document.fill('black').fontSize(28).text(`Page ${page} of the report`, 72, 600)
    }
  })
})

/** A page drawn by poppler. */
function poppler(pdf: string, dpi: number, page = 1, ...options: string[]) {
  const to = files.path('poppler')
  const range = ['-f', String(page), '-l', String(page), '-singlefile']
  tool('pdftoppm', '-png', '-r', String(dpi), ...range, ...options, pdf, to)
  return decode(`${to}.png`)
}

/** Similarity of two pictures of the same size, compared at a quarter of it, where antialiasing does not matter. */
function likeness(path: string, other: { width: number; height: number; data: Uint8Array }): number {
  const picture = decode(path)
  if (picture.width !== other.width || picture.height !== other.height) return 0
  const quarter = (data: Uint8Array) =>
    output(
      'convert',
      ['-size', `${other.width}x${other.height}`, '-depth', '8', 'rgb:-', '-scale', '25%', 'rgb:-'],
      { input: data },
    )
  return psnr(quarter(onWhite(picture)), quarter(onWhite(other)))
}

testFull('every page becomes a picture that matches poppler', async () => {
  const { outputs, warnings } = await convertFile(JPG, report, { dpi: 100 }, { cores: 2 })
  expect(outputs.map(({ path }) => identify(path))).toEqual(Array(3).fill('JPEG 850x1100'))
  for (const [index, { path }] of outputs.entries()) {
    expect(likeness(path, poppler(report, 100, index + 1))).toBeGreaterThan(30)
  }
  expect(warnings).toEqual([])
  expect(await measureFile(JPG, report)).toMatchObject({ pages: 3 })
})

describe('options', () => {
  testFull('pages, resolution and quality', async () => {
    const { outputs } = await convertFile(JPG, report, { pages: '2-9,1', dpi: 72, quality: 20 })
    expect(outputs).toHaveLength(3)
    const { outputs: fine } = await convertFile(JPG, report, { pages: '2', dpi: 72, quality: 95 })
    expect(likeness(fine[0]!.path, poppler(report, 72, 2))).toBeGreaterThan(30)
    expect(readFileSync(outputs[1]!.path).length).toBeLessThan(readFileSync(fine[0]!.path).length / 2)
    expect(tool('identify', '-units', 'PixelsPerInch', '-format', '%x', fine[0]!.path)).toBe('72')
    await expect(convertFile(JPG, report, { pages: '7' })).rejects.toMatchObject({
      code: 'jobs.unsupported_input',
      detail: 'The PDF has 3 pages, and none was chosen.',
    })
  })

  test('shades of grey', async () => {
    for (const job of [JPG, PNG]) {
      const { path } = await convertFile(job, report, { grey: true, pages: '1', dpi: 50 })
      expect(tool('identify', '-format', '%[channels] %[colorspace]', path)).toMatch(/gray.* Gray$/)
    }
  })

  testFull('a transparent background', async () => {
    const { path } = await convertFile(PNG, report, { transparent: true, pages: '1', dpi: 50 })
    const { data, width } = decode(path)
    const at = (x: number, y: number) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)]
    expect(at(2, 2)[3]).toBe(0)
    expect(at(100, 80)).toEqual([0x1c, 0x6e, 0x8c, 255])
    expect(likeness(path, poppler(report, 50))).toBeGreaterThan(30)
  })

  test('the password of a protected file', async () => {
    const locked = await makePdf(files.path('locked.pdf'), document => document.text('secret'), {
      userPassword: 'Öffne dich',
      pdfVersion: '1.7ext3',
    })
    const { outputs } = await convertFile(PNG, locked, { password: 'Öffne dich', dpi: 20 })
    expect(outputs).toHaveLength(1)
    await expect(convertFile(PNG, locked)).rejects.toMatchObject({ code: 'jobs.encrypted_input' })
    await expect(convertFile(PNG, locked, { password: 'x' })).rejects.toMatchObject({
      code: 'jobs.encrypted_input',
      detail: 'The password does not open this PDF. Check it, also for capital letters.',
    })
    await expect(measureFile(PNG, locked)).rejects.toMatchObject({ code: 'jobs.encrypted_input' })
  })
})

describe('page geometry and content', () => {
  const square = '1 0 0 rg 20 10 40 40 re f'

  test.each(
    few(1, [
      ['cropped', '/MediaBox [0 0 200 100] /CropBox [10 5 110 95]'],
      ['turned', '/MediaBox [0 0 200 100] /Rotate 90'],
      ['cropped and turned', '/MediaBox [-50 -20 200 100] /CropBox [10 5 110 95] /Rotate 270'],
    ]),
  )('one that is %s looks as in poppler', async (_, page) => {
    const pdf = files.write(onePagePdf(square, page), 'pdf')
    const { path } = await convertFile(PNG, pdf, { dpi: 144 })
    expect(likeness(path, poppler(pdf, 144, 1, '-cropbox'))).toBeGreaterThan(35)
  })

  test('annotations and form fields are drawn', async () => {
    const pdf = await makePdf(files.path('form.pdf'), document => {
      document.font('Helvetica').initForm()
      document.formText('name', 72, 72, 300, 60, {
        value: 'FILLED IN',
        fontSize: 30,
        backgroundColor: '#ffee88',
      })
      document.highlight(72, 200, 200, 50, { color: '#00ff00' })
    })
    const { path } = await convertFile(PNG, pdf, { dpi: 72 })
    const { data, width } = decode(path)
    const colours = (x: number, y: number, w: number, h: number) => {
      const found = new Set<string>()
      for (let row = y; row < y + h; row++)
        for (let column = x; column < x + w; column++)
          found.add([...data.subarray((row * width + column) * 4, (row * width + column) * 4 + 3)].join())
      return found
    }
    expect(colours(80, 80, 250, 40)).toContain('255,238,136')
    expect(colours(80, 80, 250, 40)).toContain('0,0,0')
    expect(colours(80, 210, 100, 30)).toContain('0,255,0')
  })
})

describe('hostile files', () => {
  test('a page of any size is drawn within the limit of pixels', async () => {
    const pdf = files.write(onePagePdf('', '/MediaBox [0 0 1440000 20]'), 'pdf')
    const { path, warnings } = await convertFile(JPG, pdf, { dpi: 1200 })
    expect(tool('exiftool', '-s3', '-ImageSize', path).trim()).toBe('65500x1')
    expect(warnings).toEqual([
      'Pages drawn at a lower resolution because they are too large for 1200 dpi: 1.',
    ])
  })

  test('pages that cannot be read are left out', async () => {
    const pdf = rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 3 /Kids [3 0 R 9 0 R 4 0 R] >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 50 50] >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 60 60] >>',
    ])
    const { outputs, warnings } = await convertFile(PNG, files.write(pdf, 'pdf'), { dpi: 72 })
    expect(outputs.map(({ path }) => identify(path))).toEqual(['PNG 50x50', 'PNG 60x60'])
    expect(warnings).toEqual(['One page is damaged and could not be read. It was left out.'])
  })

  test.each([
    ['text', Buffer.from('This is no PDF at all.\n'.repeat(90)), 'jobs.corrupt_input'],
    ['a head and nothing else', Buffer.from('%PDF-1.7\n'), 'jobs.corrupt_input'],
    [
      'no pages',
      rawPdf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Count 0 /Kids [] >>']),
      'jobs.corrupt_input',
    ],
    [
      'a tree of pages that holds itself',
      rawPdf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Count 1 /Kids [2 0 R] >>']),
      'jobs.corrupt_input',
    ],
    [
      'security of an unknown kind',
      rawPdf(
        [
          '<< /Type /Catalog /Pages 2 0 R >>',
          '<< /Type /Pages /Count 0 /Kids [] >>',
          '<< /Filter /Unknown /V 9 >>',
        ],
        '/Encrypt 3 0 R',
      ),
      'jobs.encrypted_input',
    ],
  ])('%s', async (_, bytes, code) => {
    await expect(convertFile(PNG, files.write(bytes, 'pdf'))).rejects.toMatchObject({ code })
  })

  test('a truncated file is repaired as far as possible', async () => {
    const bytes = readFileSync(report)
    const cut = files.write(bytes.subarray(0, bytes.length - 15), 'pdf')
    const { outputs } = await convertFile(PNG, cut, { dpi: 20 })
    expect(outputs.length).toBeGreaterThan(0)
  })

  testFull('a file of 10,000 objects and 2,000 pages takes little memory', async () => {
    const pages = 2000
    const kids = Array.from({ length: pages }, (_, i) => `${i + 3} 0 R`).join(' ')
    const pdf = rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Count ${pages} /Kids [${kids}] /MediaBox [0 0 612 792] >>`,
      ...Array.from(
        { length: pages },
        (_, i) => `<< /Type /Page /Parent 2 0 R /Note ${i + 3 + pages} 0 R >>`,
      ),
      ...Array.from({ length: 8000 }, (_, i) => `[${i}]`),
    ])
    const before = process.memoryUsage().rss
    const { outputs } = await convertFile(JPG, files.write(pdf, 'pdf'), { dpi: 20 }, { cores: 2 })
    expect(outputs).toHaveLength(pages)
    expect(process.memoryUsage().rss - before).toBeLessThan(150e6)
    await expect(
      convertFile(
        JPG,
        files.write(
          rawPdf([
            '<< /Type /Catalog /Pages 2 0 R >>',
            `<< /Type /Pages /Count ${pages + 1} /Kids [${kids} 3 0 R] /MediaBox [0 0 9 9] >>`,
            '<< /Type /Page /Parent 2 0 R >>',
          ]),
          'pdf',
        ),
      ),
    ).rejects.toMatchObject({ code: 'jobs.too_many_pages' })
  })
})
