import { readFileSync } from 'node:fs'
import { unzipSync } from 'fflate'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { kinds, onlyFull } from '../../../../../testing/fixtures/full.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { psnr } from '../../../../../testing/fixtures/pixels.ts'
import { makePdf, onePagePdf } from '../../../../../testing/pdf.ts'
import { decode, onWhite } from '../../../../../testing/pictures.ts'

const files = testFiles('drawn')
const source = files.path('source.pdf')

/** Two pages, the second of them turned, with text, vector graphics and a filled field. */
beforeAll(async () => {
  const plain = files.path('plain.pdf')
  await makePdf(
    plain,
    document => {
      document.initForm()
      document.font('Times-Bold').fontSize(24).fillColor('#a02020').text('First heading', 72, 72)
      document.font('Helvetica').fontSize(12).fillColor('black')
      document.text('left column', 72, 140).text('right column', 260, 140)
      document.rect(100, 300, 120, 60).fill('#2060c0')
      document.formText('name', 72, 400, 200, 20, { value: 'filled' })
      document.addPage({ size: 'A5', layout: 'landscape' }).text('Second & last page', 72, 72)
    },
    { size: 'A5' },
  )
  tool('qpdf', plain, source, '--rotate=90:2')
})

const to = (target: string, options = {}, path = source) =>
  convertFile(`document.pdf-to-${target}`, path, options)
const drawn = (page: number, dpi: number) => {
  const args = ['-png', '-r', `${dpi}`, '-singlefile', '-f', `${page}`, '-l', `${page}`]
  tool('pdftoppm', ...args, source, files.path('page'))
  return decode(files.path('page.png'))
}
/** How alike a picture and a page are, judged by poppler. */
const likeness = (picture: string, page: number, dpi = 72) => {
  const [one, other] = [decode(picture), drawn(page, dpi)]
  expect([one.width, one.height]).toEqual([other.width, other.height])
  return psnr(onWhite(one), onWhite(other))
}

testFull('pages become WebP, and one TIFF of several pages, as sharp as asked for', async () => {
  const webp = await to('webp', { dpi: 72, pages: '2' })
  tool('dwebp', webp.path, '-o', files.path('webp.png'))
  expect(likeness(files.path('webp.png'), 2)).toBeGreaterThan(25)
  const { outputs } = await to('tiff', { dpi: 100 })
  expect(outputs).toHaveLength(1)
  for (const page of [1, 2]) {
    const png = files.path(`tiff-${page}.png`)
    tool('convert', `${outputs[0]!.path}[${page - 1}]`, png)
    expect(likeness(png, page, 100)).toBeGreaterThan(25)
  }
  expect(tool('identify', '-units', 'PixelsPerInch', '-format', '%x %y;', outputs[0]!.path)).toBe(
    '100 100;100 100;',
  )
  // More than one strip, and longer than WebP can be.
  const long = files.write(onePagePdf('0 0 9 9 re f', '/MediaBox [0 0 20 9000]'), 'pdf')
  expect((await to('webp', { dpi: 300 }, long)).warnings).toHaveLength(1)
  const strips = await to('tiff', { dpi: 100, grey: true }, long)
  expect(tool('identify', '-format', '%w %h %[colorspace]', strips.path)).toBe('28 12500 Gray')
})

testFull('pages become vector graphics with their letters as shapes', async () => {
  const { outputs } = await to('svg')
  expect(outputs).toHaveLength(2)
  for (const [index, { path }] of outputs.entries()) {
    const svg = readFileSync(path, 'utf8')
    expect(svg).not.toMatch(/<image|<script|href="(?!#)/)
    const png = files.path(`svg-${index}.png`)
    await sharp(path, { density: 72 }).flatten({ background: 'white' }).png().toFile(png)
    const [one, other] = [decode(png), drawn(index + 1, 72)]
    expect(Math.abs(one.width - other.width)).toBeLessThan(2)
    if (one.width === other.width && one.height === other.height)
      expect(psnr(onWhite(one), onWhite(other))).toBeGreaterThan(20)
  }
  expect((await to('svg', { pages: 'last' })).outputs).toHaveLength(1)
})

testFull('pages become slides, whose text can be edited, in its place and look', async () => {
  const { path, warnings } = await to('pptx')
  expect(warnings).toEqual([])
  const parts = unzipSync(readFileSync(path))
  const slide = (index: number) => Buffer.from(parts[`ppt/slides/slide${index}.xml`]!).toString()
  expect(Object.keys(parts).filter(name => /slides\/slide\d+\.xml$/.test(name))).toHaveLength(2)
  const runs = [...slide(1).matchAll(/<a:t>([^<]*)<\/a:t>/g)].map(([, text]) => text)
  expect(runs.join('|')).toMatch(/First.*heading.*left.*column.*right.*column/)
  expect(slide(1)).toMatch(/<a:bodyPr wrap="none" lIns="0" rIns="0" tIns="0".*<a:rPr b="1"[^>]*sz="2400"/)
  expect(slide(1)).toMatch(/srgbClr val="a02020"/i)
  expect(slide(2)).toMatch(/Second.*&amp;.*last.*page/)
  // The line begins 72 points from the left; letters of Times stand 0.89 of 24 points below the top of their box, on 88.4 points.
  const [left, top] = /<a:off x="(\d+)" y="(\d+)"\/>(?:(?!<a:off).)*First heading/
    .exec(slide(1))!
    .slice(1)
    .map(Number)
  expect([left! / 12_700, top! / 12_700 + 0.89 * 24]).toEqual([
    expect.closeTo(72, 0),
    expect.closeTo(88.4, 0),
  ])
  // The picture behind has no letters.
  const images = Object.entries(parts).filter(([name]) => /media\/.*\.(png|jpe?g)$/.test(name))
  expect(images).toHaveLength(2)
  const image = files.write(Buffer.from(images[0]![1]), 'png')
  const text = tool('tesseract', image, '-', '--dpi', '150')
  expect(text).not.toMatch(/heading|column/i)
})

test.each(onlyFull(['odt', 'rtf']))('the text becomes %s', async target => {
  const { path } = await to(target)
  const text = tool('pandoc', '-f', target, '-t', 'plain', path)
  expect(text.replace(/\s+/g, ' ')).toMatch(/First heading.*left column.*right column.*Second & last page/)
})

test.each(kinds(['svg', 'pptx', 'tiff', 'odt'], target => target === 'tiff'))(
  'a damaged file that becomes %s gives what is left, or fails as damaged',
  async target => {
    const whole = readFileSync(source)
    const cut = await to(
      target,
      target === 'odt' ? {} : { pages: '1' },
      files.write(whole.subarray(0, -600), 'pdf'),
    )
    expect(cut.warnings.join()).toContain('damaged')
    await expect(to(target, {}, files.write(Buffer.from('%PDF-1.7\nnothing'), 'pdf'))).rejects.toMatchObject({
      code: 'jobs.corrupt_input',
    })
  },
)
