import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { pdfStream, rawPdf } from '../../../../../testing/pdf.ts'
import { readSfnt } from '../../fonts/sfnt/sfnt.ts'
import { readMaps } from '../pdfa/cmap.ts'

const files = testFiles('fonts')
const font = new URL('../../../../../resources/fonts/Arimo-Regular.ttf', import.meta.url).pathname
const trueType = readFileSync(font)
let cff: Buffer

beforeAll(async () => {
  const { path } = await convertFile('font.ttf-to-otf', font)
  cff = Buffer.from(readSfnt(readFileSync(path)).tables.get('CFF ')!)
})

const [map] = readMaps(readSfnt(trueType).tables.get('cmap'))
const glyphs = (text: string) =>
  [...text].map(letter => map!.glyph(letter.codePointAt(0)!).toString(16).padStart(4, '0')).join('')
const program = (entries: string, bytes: Buffer) => pdfStream(entries, bytes.toString('latin1'))
const descriptor = (file: string) =>
  `<< /Type /FontDescriptor /FontName /Arimo /Flags 32 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 900 /Descent -200 /CapHeight 700 /StemV 80 ${file} >>`

/** A page in a composite font of TrueType and a simple one of CFF, both with all of their glyphs. */
const page = (catalogue = '') =>
  rawPdf([
    `<< /Type /Catalog /Pages 2 0 R ${catalogue} >>`,
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 100] /Contents 4 0 R /Resources << /Font << /A 5 0 R /B 9 0 R >> /XObject << /X 12 0 R >> >> >>',
    // The form shows its text in the font of the page.
    pdfStream(
      '',
      `BT /A 30 Tf 10 60 Td <${glyphs('été')}> Tj /B 30 Tf 100 0 Td [(Na) 20 (\\357f)] TJ ET /B 20 Tf /X Do`,
    ),
    '<< /Type /Font /Subtype /Type0 /BaseFont /Arimo /Encoding /Identity-H /DescendantFonts [6 0 R] >>',
    '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Arimo /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /CIDToGIDMap /Identity /DW 600 /FontDescriptor 7 0 R >>',
    descriptor('/FontFile2 8 0 R'),
    program(`/Length1 ${trueType.length}`, trueType),
    `<< /Type /Font /Subtype /Type1 /BaseFont /Arimo /Encoding /WinAnsiEncoding /FirstChar 0 /LastChar 255 /Widths [${'600 '.repeat(256)}] /FontDescriptor 10 0 R >>`,
    descriptor('/FontFile3 11 0 R'),
    program('/Subtype /Type1C', cff),
    pdfStream('/Type /XObject /Subtype /Form /BBox [0 0 300 50]', 'BT 10 10 Td (Form) Tj ET'),
  ])

async function smaller(pdf: Buffer) {
  const before = files.write(pdf, 'pdf')
  const { path } = await convertFile('document.pdf-to-pdf', before, { compression: 'balanced' })
  const drawn = (file: string) =>
    tool('pdftoppm', '-r', '100', file, files.path('drawn')) || readFileSync(files.path('drawn-1.ppm'))
  expect(drawn(path)).toEqual(drawn(before))
  return readFileSync(path).length
}

test('only the glyphs that are shown are kept, with those that they consist of', async () => {
  expect(trueType.length + cff.length).toBeGreaterThan(400_000)
  expect(await smaller(page())).toBeLessThan(100_000)
})

test('a font that fields are filled in with stays whole', async () => {
  const form = '/AcroForm << /Fields [] /DR << /Font << /Fill 5 0 R >> >> >>'
  expect(await smaller(page(form))).toBeGreaterThan(150_000)
})

test('so do all fonts where content cannot be read', async () => {
  const damaged = page().toString('latin1').replace('BT 10 10 Td', '[BT 10 10  ')
  expect(await smaller(Buffer.from(damaged, 'latin1'))).toBeGreaterThan(200_000)
})
