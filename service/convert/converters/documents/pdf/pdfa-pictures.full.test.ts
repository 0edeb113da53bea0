import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { makePdf, onePagePdf, pdfStream, rawPdf } from '../../../../../testing/pdf.ts'
import { AS_PICTURE, likeness, text, validatedPdfA } from '../../../../../testing/pdfa-conversions.ts'
import { resource } from '../../../engines/common/resources.ts'

const files = testFiles('pdfa-pictures')
const toPdfA = validatedPdfA()

/** The bounds of what is drawn on the first page, in points, found by poppler. */
async function inkBox(path: string) {
  tool('pdftoppm', '-r', '72', '-png', '-singlefile', path, `${path}-ink`)
  const { info } = await sharp(`${path}-ink.png`).trim().toBuffer({ resolveWithObject: true })
  const [left, top] = [-info.trimOffsetLeft!, -info.trimOffsetTop!]
  return { left, top, right: left + info.width, bottom: top + info.height }
}

describe('pages that cannot be fixed become pictures, with their text behind', () => {
  const font = (entries: string) =>
    `/MediaBox [0 0 200 100] /Resources << /Font << /F << /Type /Font ${entries} >> >> >>`

  test('a Chinese font that is only named', async () => {
    const source = files.write(
      onePagePdf(
        'BT /F 20 Tf 20 40 Td <0041004200430044> Tj ET',
        font(
          '/Subtype /Type0 /BaseFont /SimSun /Encoding /UniGB-UCS2-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /SimSun /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /FontDescriptor << /Type /FontDescriptor /FontName /SimSun /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 800 /StemV 80 >> >>]',
        ),
      ),
      'pdf',
    )
    const { path, warnings } = await toPdfA(source)
    expect(warnings).toEqual([`${AS_PICTURE}1.`])
    expect(text(path)).toBe('ABCD')
    // Every program draws another font in its place, so only the places of the letters are compared.
    const [drawn, asked] = await Promise.all([path, source].map(inkBox))
    for (const edge of ['left', 'top', 'right', 'bottom'] as const)
      expect(Math.abs(drawn![edge] - asked![edge]), edge).toBeLessThan(6)
  })

  test.each([
    [
      'graphics states nested too deep',
      onePagePdf(
        `${'q '.repeat(40)}BT /F 20 Tf 20 40 Td (Deep) Tj ET${' Q'.repeat(40)}`,
        font('/Subtype /Type1 /BaseFont /Helvetica'),
      ),
      'Deep',
    ],
    [
      'an operator that is none',
      onePagePdf('BT /F 20 Tf 20 40 Td (Odd) Tj ET frobnicate', font('/Subtype /Type1 /BaseFont /Helvetica')),
      'Odd',
    ],
    [
      'a long string',
      onePagePdf(
        `BT /F 1 Tf 20 40 Td (Long) Tj (${' '.repeat(33_000)}) Tj ET`,
        font('/Subtype /Type1 /BaseFont /Helvetica'),
      ),
      'Long',
    ],
    [
      'colorants without a meaning',
      onePagePdf(
        '/S cs 1 0 scn 20 20 50 50 re f',
        '/MediaBox [0 0 200 100] /Resources << /ColorSpace << /S [/DeviceN [/Gold /Silver] /DeviceRGB 5 0 R] >> >>',
        [pdfStream('/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1]', '{ 0.5 }')],
      ),
      '',
    ],
  ])('%s', async (_, bytes, expected) => {
    const source = files.write(bytes, 'pdf')
    const { path, warnings } = await toPdfA(source)
    expect(warnings).toEqual([`${AS_PICTURE}1.`])
    expect(text(path)).toBe(expected)
    expect(likeness(path, source)).toBeGreaterThan(20)
  })

  test.each([0, 90, 180, 270])('a page rotated by %i degrees keeps its position', async angle => {
    const source = files.write(
      onePagePdf(
        '1 0 0 rg 20 10 40 30 re f BT 0 g /F 20 Tf 60 60 Td (Place) Tj ET nonsense',
        `/CropBox [10 5 150 95] /Rotate ${angle} ${font('/Subtype /Type1 /BaseFont /Helvetica')}`,
      ),
      'pdf',
    )
    const { path, warnings } = await toPdfA(source)
    expect(warnings).toHaveLength(1)
    expect(likeness(path, source)).toBeGreaterThan(16)
    const places = (pdf: string) =>
      [
        ...tool('pdftotext', '-cropbox', '-bbox', pdf, '-').matchAll(
          /xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">Place/g,
        ),
      ].flatMap(match => match.slice(1).map(Number))
    for (const [i, value] of places(path).entries())
      expect(Math.abs(value - places(source)[i]!)).toBeLessThan(10)
    expect(places(path)).toHaveLength(4)
  })

  test.each([
    ['too large', '[0 0 20000 50]', '14400 x 36 pts'],
    ['too small', '[0 0 2 200]', '3 x 300 pts'],
  ])('pages that are %s get a size that is allowed', async (_, box, size) => {
    const { path } = await toPdfA(files.write(onePagePdf('0 0 1 1 re f', `/MediaBox ${box}`), 'pdf'))
    expect(tool('pdfinfo', path)).toContain(size)
  })

  test.each(['', '/MediaBox [0 0 0 0]', '/MediaBox [0 0 9] /CropBox [5 5 5 5] /TrimBox [0 0 0 0]'])(
    'pages without a size (%s) are letters',
    async boxes => {
      const resources =
        '/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>'
      const source = onePagePdf('BT /F 20 Tf 20 40 Td (Boundless) Tj ET', `${boxes} ${resources}`)
      const { path, warnings } = await toPdfA(files.write(source, 'pdf'))
      expect(warnings).toEqual([])
      expect(tool('pdfinfo', path)).toContain('612 x 792 pts')
      expect(text(path)).toBe('Boundless')
    },
  )

  test('only those pages of many', async () => {
    const good = '<< /Type /Page /Parent 2 0 R /Contents 6 0 R >>'
    const source = rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 3 /Kids [3 0 R 4 0 R 5 0 R] /MediaBox [0 0 100 50] /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>',
      good,
      '<< /Type /Page /Parent 2 0 R /Contents 7 0 R >>',
      good,
      pdfStream('', 'BT /F 12 Tf 9 9 Td (Fine) Tj ET'),
      pdfStream('', 'BT /F 12 Tf 9 9 Td (Not) Tj ET nonsense'),
    ])
    const { path, warnings } = await toPdfA(files.write(source, 'pdf'))
    expect(warnings).toEqual([`${AS_PICTURE}2.`])
    expect(text(path)).toBe('Fine Not Fine')
    expect(tool('pdfimages', '-list', path).trim().split('\n')).toHaveLength(3)
  })
})

describe('damage', () => {
  const helvetica = '/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>'

  test('truncated content is drawn as far as it goes', async () => {
    const content = deflateSync(Buffer.from(`BT /F 20 Tf 20 40 Td (Before) Tj ET ${'0 0 m '.repeat(3000)}`))
    const cut = content.subarray(0, content.length - 12).toString('latin1')
    const pdf = rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      `<< /Type /Page /Parent 2 0 R /Contents 4 0 R /MediaBox [0 0 200 100] ${helvetica} >>`,
      pdfStream('/Filter /FlateDecode', cut),
    ])
    const { path, warnings } = await toPdfA(files.write(pdf, 'pdf'))
    expect(warnings).toEqual([`${AS_PICTURE}1.`])
    expect(text(path)).toBe('Before')
  })

  test('a font program', async () => {
    const source = await makePdf(files.path('sound.pdf'), document => {
      document.font(resource('fonts', 'Tinos-Regular.ttf')).fontSize(30).text('Damaged')
    })
    const bytes = readFileSync(source)
    const at = bytes.indexOf('/Length1')
    const start = bytes.indexOf('stream', at)
    for (let i = 0; i < 8; i++) bytes[start + 900 + i * 7]! ^= 0x5a
    const { warnings } = await toPdfA(files.write(bytes, 'pdf'))
    expect(warnings).toEqual([`${AS_PICTURE}1.`])
  })

  test('an unknown filter', async () => {
    const pdf = onePagePdf('/I Do', `/MediaBox [0 0 200 100] /Resources << /XObject << /I 5 0 R >> >>`, [
      pdfStream(
        '/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /Nope',
        'x',
      ),
    ])
    const { warnings } = await toPdfA(files.write(pdf, 'pdf'))
    expect(warnings).toEqual([`${AS_PICTURE}1.`])
  })
})
