import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { describeFull, testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { judge, tool } from '../../../../../testing/fixtures/media.ts'
import { seeded } from '../../../../../testing/fixtures/pixels.ts'
import { makePdf, onePagePdf, pdfStream, rawPdf } from '../../../../../testing/pdf.ts'

const files = testFiles('pdf-steps')
const source = files.path('pages.pdf')
const words = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel', 'india']

/** Nine A5 pages with bookmarks, properties, a field and a comment. */
beforeAll(async () => {
  await makePdf(
    source,
    document => {
      document.initForm()
      for (const [index, word] of words.entries()) {
        if (index > 0) document.addPage()
        document.outline.addItem(word)
        document.fontSize(30).text(`Page ${word}`, 72, 72)
      }
      document.switchToPage(0)
      document.formText('name', 72, 200, 200, 20, { value: 'filled' })
      document.note(72, 300, 20, 20, 'a comment').link(72, 330, 20, 20, 'https://example.org')
    },
    { size: 'A5', bufferPages: true, info: { Title: 'Old title', Author: 'Someone' } },
  )
})

const edit = async (options: Record<string, unknown>, path = source) => {
  const converted = await convertFile('document.pdf-to-pdf', path, { compression: 'none', ...options })
  for (const output of converted.outputs)
    expect(judge('qpdf', '--check', output.path)).toMatchObject({ status: 0 })
  return converted
}
const textOf = (path: string, page: number, ...more: string[]) =>
  tool('pdftotext', '-f', `${page}`, '-l', `${page}`, ...more, path, '-')
    .replace(/\s+/g, ' ')
    .trim()
const pageWords = (path: string, page: number, ...more: string[]) =>
  textOf(path, page, ...more)
    .match(/\w+/g)
    ?.filter(word => words.includes(word)) ?? []
const info = (path: string) => tool('pdfinfo', path)

describeFull('several pages on a sheet', true, () => {
  test.each([
    ['2', 5, '595.28 x 419.53', ['alpha', 'bravo']],
    ['6', 2, '595.28 x 419.53', words.slice(0, 6)],
    ['9', 1, '419.53 x 595.28', words],
  ] as const)('%s of them', async (layout, sheets, size, first) => {
    const { path } = await edit({ layout })
    expect(info(path)).toMatch(new RegExp(`Pages:\\s+${sheets}\\n[\\s\\S]*Page size:\\s+${size}`))
    expect(pageWords(path, 1).toSorted()).toEqual(first)
    expect(pageWords(path, 1, '-x', '0', '-y', '0', '-W', '200', '-H', '150')[0]).toBe('alpha')
  })

  test('sheets, which have no tags, do not say that they are accessible', async () => {
    const path = files.write(
      rawPdf([
        '<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R >>',
        '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] >>',
        pdfStream('/Type /Metadata /Subtype /XML', '<pdfuaid:part>1</pdfuaid:part>'),
      ]),
      'pdf',
    )
    const claims = async (options: object) =>
      tool('qpdf', '--qdf', (await edit({ ...options }, path)).path, '-').includes('pdfuaid')
    expect([await claims({ rotate: 'right' }), await claims({ layout: '2' })]).toEqual([true, false])
  })

  test('a booklet can be folded, and its bookmarks lead to the sheets', async () => {
    const { path } = await edit({ layout: 'booklet' })
    const pairs = Array.from({ length: 6 }, (_, index) =>
      [0, 298].map(x => pageWords(path, index + 1, '-x', `${x}`, '-y', '0', '-W', '297', '-H', '420').join()),
    )
    expect(pairs).toEqual([
      ['', 'alpha'],
      ['bravo', ''],
      ['', 'charlie'],
      ['delta', 'india'],
      ['hotel', 'echo'],
      ['foxtrot', 'golf'],
    ])
    const { outlines } = JSON.parse(tool('qpdf', '--json', path)) as {
      outlines: { destpageposfrom1: number }[]
    }
    expect(outlines.map(({ destpageposfrom1 }) => destpageposfrom1)).toEqual([1, 2, 3, 4, 5, 6, 6, 5, 4])
    expect(textOf(path, 1)).toContain('filled')
  })
})

testFull('pages are cropped by margins or to a box, as they are displayed', async () => {
  const { path } = await edit({
    crop: { left: 10, top: 20, right: 30, bottom: 5, pages: '1' },
    rotate: 'right',
  })
  const box = /CropBox: +([\d. ]+)/.exec(tool('pdfinfo', '-box', path))![1]!
  const mm = 72 / 25.4
  expect(box.trim().split(/\s+/).map(Number)).toEqual(
    [10 * mm, 5 * mm, 419.53 - 30 * mm, 595.28 - 20 * mm].map(value => expect.closeTo(value, 0)),
  )
  const boxed = await edit({ crop: { left: 20, top: 20, width: 50, height: 40 }, pages: '2' })
  expect(info(boxed.path)).toMatch(/Page size:\s+141.73\d* x 113.38\d*/)
  // A unit of this page is two points, and its other boxes are of the paper that is cut off.
  const units = '/MediaBox [0 0 300 200] /TrimBox [0 0 300 200] /UserUnit 2'
  const scaled = await edit({ crop: { left: 20 } }, files.write(onePagePdf('0 0 9 9 re f', units), 'pdf'))
  expect(tool('pdfinfo', '-box', scaled.path)).toMatch(/CropBox: +28\.35 +0\.00 .*\n.*\nTrimBox: +28\.35 /)
  expect((await edit({ crop: { left: 5000 } })).warnings).toEqual([expect.stringContaining('nothing left')])
})

testFull('blank pages go, also scanned ones with dust; the last page comes first', async () => {
  const random = seeded(4)
  const [width, height] = [1240, 1754]
  const scan = Buffer.alloc(width * height, 235)
  for (let index = 0; index < scan.length; index++) scan[index]! += random(12) - 6
  for (let speck = 0; speck < 60; speck++)
    for (let dot = 0; dot < 4; dot++)
      scan[random(height - 20) * width + random(width - 20) + (dot % 2) + (dot >> 1) * width] = 60
  const jpeg = await sharp(scan, { raw: { width, height, channels: 1 } })
    .jpeg()
    .toBuffer()
  const path = files.path('blank.pdf')
  await makePdf(
    path,
    document => {
      document.text('first')
      document.addPage()
      document.addPage().image(jpeg, 0, 0, { width: 595 })
      document.addPage().fontSize(10).text('7', 300, 700)
      document.addPage().image(jpeg, 0, 0, { width: 595 }).fontSize(9).text('x', 300, 400)
    },
    { size: 'A4' },
  )
  const { path: result } = await edit({ leaveOutBlank: true, reverse: true }, path)
  expect(
    tool('pdftotext', result, '-')
      .split('\f')
      .map(text => text.trim()),
  ).toEqual(['x', '7', 'first', ''])
})

test('header and footer count the pages of the result', async () => {
  const headers = { header: 'Réport {page}', footer: '{page} of {pages} {date}', side: 'right', pages: '3-' }
  const { path } = await edit({ pages: '2-4', headers })
  expect(textOf(path, 1)).toBe('Page bravo')
  expect(textOf(path, 2, '-x', '200', '-y', '0', '-W', '220', '-H', '45')).toBe('Réport 2')
  expect(textOf(path, 3, '-x', '200', '-y', '550', '-W', '220', '-H', '45')).toBe('3 of 3 {date}')
})

testFull('fields and comments become part of the page, and links stay', async () => {
  const { path } = await edit({ flatten: true })
  expect([info(path).match(/Form:\s+(\w+)/)![1], textOf(path, 1)]).toEqual(['none', 'Page alpha filled'])
  expect(textOf(path, 1, '-x', '72', '-y', '198', '-W', '200', '-H', '24')).toBe('filled')
  tool('qpdf', '--qdf', path, files.path('flat.pdf'))
  expect(readFileSync(files.path('flat.pdf'), 'latin1').match(/\/Subtype \/(Link|Text|Widget)/g)).toEqual([
    '/Subtype /Link',
  ])
})

testFull('properties are set and removed, in the file and in XMP', async () => {
  const { path } = await edit({ properties: { title: 'Neuer Titel ☃', keywords: 'one, two', remove: true } })
  expect(info(path)).toMatch(/Title:\s+Neuer Titel ☃\n/)
  expect(info(path)).toMatch(/Keywords:\s+one, two\n/)
  expect(info(path)).not.toMatch(/Author|Old title/)
  const kept = await edit({ properties: { subject: 'A subject' } })
  expect(info(kept.path)).toMatch(/Title:\s+Old title\nSubject:\s+A subject\s[\s\S]*Author:\s+Someone/)
})

testFull('attached files go', async () => {
  const path = files.path('attached.pdf')
  await makePdf(path, document => {
    document.file(Buffer.from('attached words'), { name: 'a.txt' })
    const drawn = document as unknown as { fileAnnotation(...values: unknown[]): void }
    drawn.fileAnnotation(72, 300, 20, 20, { src: Buffer.from('more words'), name: 'b.txt' })
  })
  expect(tool('pdfdetach', '-list', path)).toContain('2 embedded')
  const { path: result } = await edit({ properties: { attachments: true } }, path)
  expect(tool('pdfdetach', '-list', result)).toContain('0 embedded')
  tool('qpdf', '--qdf', result, files.path('plain.pdf'))
  expect(readFileSync(files.path('plain.pdf'), 'latin1')).not.toMatch(/attached words|more words/)
})

testFull('what is not allowed without a password is forbidden, and the file opens without one', async () => {
  const { path } = await edit({ allow: { copying: false, printing: false }, split: 'ranges', pages: '1-2' })
  expect(info(path)).toMatch(/Encrypted:\s+yes \(print:no copy:no change:yes/)
  const whole = await edit({ allow: { changing: false } })
  expect(info(whole.path)).toMatch(/Encrypted:\s+yes \(print:yes copy:yes change:no/)
  expect(pageWords(whole.path, 9)).toEqual(['india'])
})

testFull('steps end on a page without content and on damaged annotations', async () => {
  const path = files.write(
    rawPdf([
      '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields 7 >> >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Annots [null 9 << /Subtype /Stamp /Rect [1 2] /AP << /N 2 0 R >> >> << /Subtype /Widget /AP << /N 4 >> >>] >>',
    ]),
    'pdf',
  )
  const all = { layout: '16', flatten: true, crop: { left: 10 }, headers: { footer: '{page}' } }
  const { path: result } = await edit({ ...all, redact: { words: 'x' } }, path)
  expect(info(result)).toMatch(/Pages:\s+1\n/)
})
