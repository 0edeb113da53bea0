import { readFileSync } from 'node:fs'
import * as fontkit from 'fontkit'
import { expect, test } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { kinds, onlyFull } from '../../../../../testing/fixtures/full.ts'
import { cffFont, type1Font } from '../../../../../testing/outline-fonts.ts'
import { onePagePdf, pdfStream } from '../../../../../testing/pdf.ts'
import { AS_PICTURE, likeness, text, validatedPdfA } from '../../../../../testing/pdfa-conversions.ts'
import { resource } from '../../../engines/common/resources.ts'
import { flavors } from '../../../engines/fonts/sfnt/font.ts'
import { readSfnt, writeSfnt } from '../../../engines/fonts/sfnt/sfnt.ts'
import { symbolicMap } from '../../../engines/pdf/pdfa/cmap.ts'

const files = testFiles('pdfa-fonts')
const toPdfA = validatedPdfA()

test.each(
  onlyFull([
    ['of Unicode only', [[0, 0]]],
    [
      'of Unicode and of the Macintosh',
      [
        [0, 3],
        [1, 0],
      ],
    ],
  ] as const),
)('a symbolic TrueType font with maps %s gets the one that is allowed', async (_, kinds) => {
  const bytes = readFileSync(resource('fonts', 'Cousine-Regular.ttf'))
  const program = readSfnt(bytes)
  const font = fontkit.create(bytes) as fontkit.Font
  const glyphs = Array.from({ length: 256 }, (_, code) => (code < 127 ? font.glyphForCodePoint(code).id : 0))
  // The same map for each kind, from code 0 on.
  const map = symbolicMap(glyphs).subarray(12)
  map.writeUInt16BE(0, 6)
  const cmap = Buffer.alloc(4 + kinds.length * 8)
  cmap.writeUInt16BE(kinds.length, 2)
  for (const [index, [platform, encoding]] of kinds.entries()) {
    cmap.writeUInt16BE(platform, 4 + index * 8)
    cmap.writeUInt16BE(encoding, 6 + index * 8)
    cmap.writeUInt32BE(cmap.length, 8 + index * 8)
  }
  program.tables.set('cmap', Buffer.concat([cmap, map]))
  const source = files.write(
    onePagePdf(
      'BT /F 20 Tf 20 40 Td (Symbols) Tj ET',
      `/MediaBox [0 0 200 100] /Resources << /Font << /F << /Type /Font /Subtype /TrueType /BaseFont /Cousine
        /FirstChar 65 /LastChar 122 /Widths [${Array(58).fill(600).join(' ')}] /FontDescriptor 5 0 R >> >> >>`,
      [
        `<< /Type /FontDescriptor /FontName /Cousine /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800
          /Descent -200 /CapHeight 700 /StemV 80 /FontFile2 6 0 R >>`,
        pdfStream('', writeSfnt(program).toString('latin1')),
      ],
    ),
    'pdf',
  )
  const { path, warnings } = await toPdfA(source)
  expect(warnings).toEqual([])
  expect(likeness(path, source)).toBeGreaterThan(30)
})

const descriptor = (program: string) =>
  `<< /Type /FontDescriptor /FontName /Square /Flags 32 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 ${program} >>`
const type1 = () => {
  const { program, clear } = type1Font({ '.notdef': 500, A: 600, B: 700 })
  const entries = `/Length1 ${clear} /Length2 ${program.length - clear - 532} /Length3 532`
  return [descriptor('/FontFile 6 0 R'), pdfStream(entries, program.toString('latin1'))]
}
const cff = () => {
  const program = cffFont(
    new Map([
      [34, 600],
      [35, 700],
    ]),
  )
  return [descriptor('/FontFile3 6 0 R'), pdfStream('/Subtype /Type1C', program.toString('latin1'))]
}
const page = (text: string, widths: string, more: string[]) =>
  onePagePdf(
    `BT /F 20 Tf 20 40 Td (${text}) Tj ET`,
    `/MediaBox [0 0 200 100] /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Square /Encoding /WinAnsiEncoding /FirstChar 65 /LastChar 67 /Widths [${widths}] /FontDescriptor 5 0 R >> >> >>`,
    more,
  )
const GLYPHS = new Map([
  [34, 600],
  [35, 700],
])
const cid = (codes: string, widths: string, { encoding = '/Identity-H', kind = 'CIDFontType0C' } = {}) =>
  onePagePdf(
    `BT /F 20 Tf 20 40 Td <${codes}> Tj ET`,
    `/MediaBox [0 0 200 100] /Resources << /Font << /F << /Type /Font /Subtype /Type0 /BaseFont /Square /Encoding ${encoding} /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Square /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /W [1 [${widths}]] /FontDescriptor 5 0 R >>] >> >> >>`,
    [
      descriptor('/FontFile3 6 0 R'),
      pdfStream(`/Subtype /${kind}`, cffFont(GLYPHS).toString('latin1')),
      codeMap('Adobe'),
    ],
  )
/** A map of the codes A and B, of one byte. */
const codeMap = (registry: string) =>
  pdfStream(
    `/Type /CMap /CMapName /Own /CIDSystemInfo << /Registry (${registry}) /Ordering (Identity) /Supplement 0 >>`,
    `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
    /CIDSystemInfo << /Registry (${registry}) /Ordering (Identity) /Supplement 0 >> def
    /CMapName /Own def /CMapType 1 def
    1 begincodespacerange <00> <7F> endcodespacerange
    1 begincidchar <41> 1 endcidchar 1 begincidrange <42> <42> 2 endcidrange
    endcmap CMapName currentdict /CMap defineresource pop end end`,
  )
/** CFF in an OpenType font, marked as bare. */
const openType = () => {
  const program = writeSfnt({ flavor: flavors.cff, tables: new Map([['CFF ', cffFont(GLYPHS)]]) })
  program.write('OTTO')
  return [descriptor('/FontFile3 6 0 R'), pdfStream('/Subtype /Type1C', program.toString('latin1'))]
}

test.each(
  kinds(
    [
      ['Type 1', page('AB', '600 700 0', type1())],
      ['Type 1 whose widths were rounded', page('AB', '602 699 0', type1())],
      ['CFF', page('AB', '600 700 0', cff())],
      ['CFF whose widths were rounded', page('AB', '598 700 0', cff())],
      ['CFF of a composite font', cid('00010002', '600 700')],
      [
        'CFF of a composite font, marked as that of a simple one',
        cid('00010002', '600 700', { kind: 'Type1C' }),
      ],
    ],
    ([name]) => !/Type 1 whose|Type 1$|marked|composite/.test(name),
  ),
)('%s is kept', async (_, bytes) => {
  const source = files.write(bytes, 'pdf')
  const { path, warnings } = await toPdfA(source)
  expect(warnings).toEqual([])
  expect(likeness(path, source)).toBeGreaterThan(30)
})

test('CFF in an OpenType font is taken out of it', async () => {
  const { path, warnings } = await toPdfA(files.write(page('AB', '600 700 0', openType()), 'pdf'))
  expect(warnings).toEqual([])
  expect(likeness(path, files.write(page('AB', '600 700 0', cff()), 'pdf'))).toBeGreaterThan(30)
})

test.each(
  kinds(
    [
      ['Type 1 of other widths', page('AB', '650 700 0', type1())],
      ['Type 1 without a glyph', page('AC', '600 700 500', type1())],
      ['CFF of other widths', page('AB', '600 750 0', cff())],
      ['CFF without a glyph', page('AC', '600 700 500', cff())],
      ['CFF of a composite font of other widths', cid('00010002', '600 900')],
      ['CFF of a composite font without a glyph', cid('00010009', '600 700')],
      ['half a code', cid('000100', '600 700')],
      ['a composite font with a map of its own', cid('4142', '600 700', { encoding: '7 0 R' })],
      [
        'a damaged program',
        page('AB', '600 700 0', [descriptor('/FontFile3 6 0 R'), pdfStream('/Subtype /Type1C', 'damage')]),
      ],
    ],
    ([name]) => /CFF of other|damaged/.test(name),
  ),
)('a page of %s becomes a picture', async (_, bytes) => {
  const { warnings } = await toPdfA(files.write(bytes, 'pdf'))
  expect(warnings).toEqual([`${AS_PICTURE}1.`])
})

test('letters that an encoding names are still text when their font is embedded', async () => {
  const font =
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [1 /eacute /Alpha] >> >>'
  const path = files.write(
    onePagePdf(
      'BT /F 20 Tf 20 40 Td (caf\\001 \\002) Tj ET',
      `/MediaBox [0 0 200 100] /Resources << /Font << /F ${font} >> >>`,
    ),
    'pdf',
  )
  const { path: archived } = await toPdfA(path)
  expect(text(archived)).toBe('café Α')
})
