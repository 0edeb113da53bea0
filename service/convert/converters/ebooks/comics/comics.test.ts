import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { strToU8, zipSync } from 'fflate'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { checkEpubs, readEpubs } from '../../../../../testing/books.ts'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { epubOf, page, UUID } from '../../../../../testing/fixtures/books.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { few, isFull } from '../../../../../testing/fixtures/full.ts'
import { judge, tool } from '../../../../../testing/fixtures/media.ts'
import { makePdf } from '../../../../../testing/pdf.ts'
import { decode, onWhite } from '../../../../../testing/pictures.ts'
import { rar5 } from '../../../../../testing/rar.ts'

import { zipParts } from '../../../engines/books/epub/zip.ts'

const files = testFiles('comics')
const colours = ['#ff0000', '#00ff00', '#0000ff', '#888800']
const picture = (colour: string, format: 'png' | 'jpeg' | 'webp') =>
  sharp({ create: { width: 60, height: 90, channels: 3, background: colour } })
    [format]({ quality: 100 })
    .toBuffer()

/** A page in a format that few viewers of comics show. */
async function bitmap(colour: string): Promise<Uint8Array> {
  const [png, path] = [files.write(await picture(colour, 'png'), 'png'), files.path('page.bmp')]
  tool('convert', png, path)
  return new Uint8Array(readFileSync(path))
}

/** Four pages whose names sort otherwise as text, and what other programs add. */
const members = async () => ({
  'a/page10.webp': new Uint8Array(await picture(colours[3]!, 'webp')),
  'a/page2.bmp': await bitmap(colours[1]!),
  'a/Page1.jpg': new Uint8Array(await picture(colours[0]!, 'jpeg')),
  'a/page3.jpg': new Uint8Array(await picture(colours[2]!, 'jpeg')),
  '__MACOSX/a/._page1.jpg': new Uint8Array(await picture('#000000', 'jpeg')),
  'a/readme.txt': strToU8('no page'),
  'ComicInfo.xml': strToU8(
    '<?xml version="1.0"?><ComicInfo><Title>Zwei &amp; drei</Title><Series>Reihe</Series><Number>2</Number><Writer>A. Eins, B. Zwei</Writer><LanguageISO>de</LanguageISO><Manga>YesAndRightToLeft</Manga></ComicInfo>',
  ),
})
const zip = async () => files.write(zipSync(await members()), 'cbz')

/** A book of these documents, in this order, and JPEGs. */
const bookOf = (documents: Record<string, string>, pictures: Record<string, Uint8Array>) => {
  const items = [
    ...Object.keys(documents).map(name => [name, 'application/xhtml+xml']),
    ...Object.keys(pictures).map(name => [name, 'image/jpeg']),
  ].map(([name, type]) => `<item id="${name}" href="${name}" media-type="${type}"/>`)
  const order = Object.keys(documents).map(name => `<itemref idref="${name}"/>`)
  const metadata = `<dc:identifier id="id">${UUID}</dc:identifier><dc:title>T</dc:title><dc:language>en</dc:language>`
  const opf = `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">${metadata}</metadata><manifest>${items.join('')}</manifest><spine>${order.join('')}</spine></package>`
  return epubOf({ 'book.opf': opf, ...documents, ...pictures })
}

/** The colour in the middle of a page as poppler draws it. */
function colourOf(path: string, page: number): number[] {
  tool(
    'pdftoppm',
    '-png',
    '-r',
    '72',
    '-f',
    `${page}`,
    '-l',
    `${page}`,
    '-singlefile',
    path,
    files.path('page'),
  )
  const { width, height, ...drawn } = decode(files.path('page.png'))
  const at = ((height >> 1) * width + (width >> 1)) * 3
  return [...onWhite({ width, height, ...drawn }).subarray(at, at + 3)].map(
    value => Math.round(value / 136) * 136,
  )
}
const expected = [
  [272, 0, 0],
  [0, 272, 0],
  [0, 0, 272],
  [136, 136, 0],
]

test.each(few(1, ['cbz', 'cbr']))('the pictures of a %s become the pages of a PDF in order', async source => {
  const rar = Object.entries(await members()).map(([name, data]) => ({ name, data: Buffer.from(data) }))
  const path = source === 'cbz' ? await zip() : files.write(rar5(rar), 'cbr')
  const { path: pdf, warnings } = await convertFile(`ebook.${source}-to-pdf`, path)
  expect(judge('qpdf', '--check', pdf).status).toBe(0)
  expect(tool('pdfinfo', pdf)).toMatch(/Pages:\s+4/)
  expect([1, 2, 3, 4].map(page => colourOf(pdf, page))).toEqual(expected)
  expect(warnings).toEqual([])
})

test('a comic becomes a book of fixed layout with what its ComicInfo.xml says', async () => {
  const { path } = await convertFile('ebook.cbz-to-epub', await zip())
  if (isFull) expect([...(await checkEpubs(path)).values()]).toEqual([[]])
  const [book] = readEpubs(path)
  expect(book!.spine).toHaveLength(4)
  expect(book!.direction).toBe('rtl')
  expect(book!.missing).toEqual([])
  const values = book!.metadata.map(({ value }) => value)
  expect(values).toEqual(
    expect.arrayContaining(['Reihe 2: Zwei & drei', 'A. Eins', 'B. Zwei', 'de', 'pre-paginated']),
  )
})

testFull('a damaged page is left out, and a comic without pages fails', async () => {
  const damaged = {
    ...(await members()),
    'a/page3.jpg': (await picture(colours[2]!, 'jpeg')).subarray(0, 40),
  }
  const { path, warnings } = await convertFile('ebook.cbz-to-pdf', files.write(zipSync(damaged), 'cbz'))
  expect(tool('pdfinfo', path)).toMatch(/Pages:\s+3/)
  expect(warnings).toHaveLength(1)
  await expect(
    convertFile('ebook.cbz-to-pdf', files.write(zipSync({ 'a.txt': strToU8('a') }), 'cbz')),
  ).rejects.toMatchObject({ code: 'jobs.unsupported_input' })
  writeFileSync(files.path('bad.cbr'), 'Rar!\x1a\x07\x01\0 nothing')
  await expect(convertFile('ebook.cbr-to-pdf', files.path('bad.cbr'))).rejects.toMatchObject({
    code: 'jobs.corrupt_input',
  })
})

test('the pages of a PDF become a comic', async () => {
  const source = await makePdf(
    files.path('source.pdf'),
    document => {
      for (const [index, colour] of colours.entries()) {
        if (index > 0) document.addPage()
        document.rect(0, 0, 600, 900).fill(colour)
      }
    },
    { size: [60, 90], margin: 0 },
  )
  const { path } = await convertFile('ebook.pdf-to-cbz', source, { dpi: 72 })
  expect(tool('bsdtar', '-tf', path).trim().split('\n')).toEqual(['1.jpg', '2.jpg', '3.jpg', '4.jpg'])
  const third = files.write(execFileSync('bsdtar', ['-xOf', path, '3.jpg']), 'jpg')
  const drawn = decode(third)
  expect([drawn.width, drawn.height]).toEqual([60, 90])
  const [red = 255, , blue = 0] = onWhite(drawn)
  expect(red < 40 && blue > 200).toBe(true)
})

testFull('the pictures of a book become a comic in reading order, each once, as they are', async () => {
  const pages = [colours[2]!, colours[0]!, colours[1]!]
  const [blue, red, green] = await Promise.all(pages.map(colour => picture(colour, 'jpeg')))
  const { path, warnings } = await convertFile(
    'ebook.epub-to-cbz',
    files.write(
      bookOf(
        {
          'b.xhtml': page('1', '<div><img src="a.jpg" alt=""/></div>'),
          'a.xhtml': page(
            '2',
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="c.jpg" width="60" height="90"/></svg>',
          ),
          'c.xhtml': page('3', '<p><img src="a.jpg" alt=""/></p><p><img src="b.jpg" alt=""/></p>'),
        },
        { 'c.jpg': red!, 'a.jpg': blue!, 'b.jpg': green! },
      ),
      'epub',
    ),
  )
  expect(tool('bsdtar', '-tf', path).trim().split('\n')).toEqual(['1.jpg', '2.jpg', '3.jpg'])
  for (const [index, original] of [blue, red, green].entries())
    expect(execFileSync('bsdtar', ['-xOf', path, `${index + 1}.jpg`]).equals(original!)).toBe(true)
  expect(warnings).toEqual([])
})

test('a book with text as well loses it with a warning, and one without pictures is no comic', async () => {
  const pages = { 'a.xhtml': page('A', '<p>Words</p><p><img src="a.jpg" alt=""/></p>') }
  const illustrated = files.write(bookOf(pages, { 'a.jpg': await picture('#123456', 'jpeg') }), 'epub')
  const { warnings } = await convertFile('ebook.epub-to-cbz', illustrated)
  expect(warnings).toEqual(['The text of the book was left out: a comic has only pictures.'])
  const plain = files.write(bookOf({ 'a.xhtml': page('A', '<p>Words</p>') }, {}), 'epub')
  await expect(convertFile('ebook.epub-to-cbz', plain)).rejects.toMatchObject({
    code: 'jobs.unsupported_input',
  })
})

test('a comic is written page by page', async () => {
  const read: number[] = []
  async function* pages() {
    for (const page of [1, 2, 3]) {
      read.push(page)
      yield { name: `${page}.jpg`, content: Buffer.from(`page ${page}`), stored: true }
    }
  }
  const parts: Uint8Array[] = []
  for await (const part of zipParts(pages())) {
    // Header and content of a page come before the next one is read.
    expect(read.length).toBe(Math.min(3, 1 + (parts.length >> 1)))
    parts.push(part)
  }
  expect(tool('unzip', '-p', files.write(Buffer.concat(parts), 'cbz'))).toBe('page 1page 2page 3')
})
