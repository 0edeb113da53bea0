import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Font, openSync } from 'fontkit'
import { expect, test } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { pdfStream, rawPdf } from '../../../../../testing/pdf.ts'

const files = testFiles('vertical')
const COLUMNS = ['吾輩は猫である。名前はまだ無い。', 'どこで生れたかとんと見当が', 'つか38ぬ。']

const LETTERS = [...new Set(COLUMNS.join(''))]

const font = createRequire(import.meta.url).resolve(
  '@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf',
)

/** A font with the letters in their order. */
function letters(): string {
  const whole = openSync(font) as Font
  const subset = whole.createSubset()
  for (const letter of LETTERS) subset.includeGlyph(whole.glyphForCodePoint(letter.codePointAt(0)!))
  return Buffer.from(subset.encode()).toString('latin1')
}

const codeOf = (letter: string) => (LETTERS.indexOf(letter) + 1).toString(16).padStart(4, '0')

function page(encoding: string, content: string): Buffer {
  const meanings = LETTERS.map(
    letter => `<${codeOf(letter)}> <${letter.codePointAt(0)!.toString(16).padStart(4, '0')}>`,
  )
  return rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 500] /Contents 4 0 R /Resources << /Font << /F 5 0 R /H 10 0 R >> >> >>',
    pdfStream('', `${content} BT /H 9 Tf 180 12 Td (17) Tj ET`),
    `<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /${encoding} /DescendantFonts [6 0 R] /ToUnicode 8 0 R >>`,
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>
      /DW 1000 /CIDToGIDMap /Identity /FontDescriptor 7 0 R >>`,
    `<< /Type /FontDescriptor /FontName /A /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 880 /Descent -120
      /CapHeight 700 /StemV 80 /FontFile2 9 0 R >>`,
    pdfStream(
      '',
      `begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange
      ${meanings.length} beginbfchar ${meanings.join('\n')} endbfchar endcmap`,
    ),
    pdfStream('', letters()),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ])
}

const text = (written: string) => `<${[...written].map(codeOf).join('')}> Tj`

const writings: [string, Buffer][] = [
  [
    'a vertical writing mode',
    page(
      'Identity-V',
      COLUMNS.map((column, index) => `BT /F 14 Tf ${360 - index * 24} 460 Td ${text(column)} ET`).join('\n'),
    ),
  ],
  [
    'letters that are placed one by one, digits side by side',
    page(
      'Identity-H',
      COLUMNS.map((column, index) => {
        const letters = [...column.matchAll(/38|./gu)].map(({ 0: part }, row) => {
          const [size, x] = part.length > 1 ? [7, 0] : [14, 0]
          return `BT /F ${size} Tf ${360 - index * 24 + x} ${460 - row * 14} Td ${text(part)} ET`
        })
        return letters.join('\n')
      }).join('\n'),
    ),
  ],
]

test.each(writings)('vertical text is read in columns from right to left: %s', async (_, bytes) => {
  const path = files.write(bytes, 'pdf')
  const { path: read } = await convertFile('document.pdf-to-md', path)
  expect(
    readFileSync(read, 'utf8')
      .split('\n\n')
      .map(part => part.replace(/\s/g, '')),
  ).toEqual([COLUMNS.join(''), '17'])
  const word = await convertFile('document.pdf-to-docx', path)
  expect(tool('pandoc', '-f', 'docx', '-t', 'plain', '--wrap=none', word.path)).toContain(COLUMNS[0])
  // The page stays upright.
  expect(tool('unzip', '-p', word.path, 'word/document.xml')).toMatch(/w:w="8000" w:h="10000"/)
})
