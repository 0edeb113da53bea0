import { readFileSync } from 'node:fs'
import * as fontkit from 'fontkit'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { few } from '../../../../../testing/fixtures/full.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { onePagePdf, pdfStream, rawPdf } from '../../../../../testing/pdf.ts'
import { fieldsPdf } from '../../../../../testing/pdf-fields.ts'
import { resource } from '../../common/resources.ts'
import { openPdf } from '../content/document.ts'
import { mayHave, TO_READ } from './find-layers.ts'

const files = testFiles('pdf-prepare')

const VALUES = ['Ada Lovelace', 'First line of the notes', 'Paris', '東京 яж', 'X8Z']

/** How much darker than white a part of a picture is on average. */
async function ink(path: string, left: number, top: number): Promise<number> {
  const part = sharp(path).greyscale().extract({ left, top, width: 60, height: 14 })
  return 255 - (await sharp(await part.png().toBuffer()).stats()).channels[0]!.mean
}

test.each(few(1, [true, false]))(
  'values of form fields without an appearance are read and drawn (%s)',
  async needAppearances => {
    const path = files.write(fieldsPdf(needAppearances), 'pdf')
    const text = readFileSync((await convertFile('document.pdf-to-md', path)).path, 'utf8').replace(
      /\s+/g,
      ' ',
    )
    for (const value of VALUES) expect(text.replaceAll('X 8 Z', 'X8Z')).toContain(value)
    expect(text).toContain('long enough to be broken in two')
    const word = await convertFile('document.pdf-to-docx', path)
    const read = tool('pandoc', '-f', 'docx', '-t', 'plain', '--wrap=none', word.path)
    for (const value of ['Ada Lovelace', 'Paris', '東京 яж']) expect(read).toContain(value)
    const picture = await convertFile('document.pdf-to-png', path, { dpi: 72 })
    // From the name down to the cells.
    for (const y of [27, 65, 140, 180, 220, 250]) expect(await ink(picture.path, 80, y)).toBeGreaterThan(1)
  },
)

/** Text in two languages, each on a layer, in the page and in forms, with groups that follow them. */
const layered = (states: string) =>
  rawPdf([
    `<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [6 0 R 7 0 R] /D << /Order [6 0 R 7 0 R] ${states} >> >> >>`,
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 300] /Contents 4 0 R /Resources << /Font << /F 5 0 R >>
      /Properties << /A 6 0 R /B 7 0 R /All 8 0 R /NotA 9 0 R >> /XObject << /X 10 0 R /Y 11 0 R >> >> >>`,
    pdfStream(
      '',
      `BT /F 12 Tf 20 260 Td (Always) Tj ET
      /OC /A BDC BT /F 12 Tf 20 240 Td (English) Tj ET /Span BMC BT /F 12 Tf 20 220 Td (nested) Tj ET EMC EMC
      /OC /B BDC BT /F 12 Tf 20 200 Td (Deutsch) Tj ET EMC /OC /All BDC BT /F 12 Tf 20 180 Td (both) Tj ET EMC
      /OC /NotA BDC BT /F 12 Tf 20 160 Td (instead) Tj ET EMC /X Do /Y Do
      BT /F 12 Tf 20 60 Td /OC /A BDC (within ) Tj EMC (line) Tj ET`,
    ),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Type /OCG /Name (English) ${states.startsWith('/AS') ? '/Usage << /View << /ViewState /OFF >> >>' : ''} >>`,
    '<< /Type /OCG /Name (German) >>',
    '<< /Type /OCMD /OCGs [6 0 R 7 0 R] /P /AllOn >>',
    '<< /Type /OCMD /VE [/Not 6 0 R] >>',
    pdfStream(
      '/Type /XObject /Subtype /Form /BBox [0 0 400 300] /OC 6 0 R /Resources << /Font << /F 5 0 R >> >>',
      'BT /F 12 Tf 20 120 Td (form) Tj ET',
    ),
    pdfStream(
      '/Type /XObject /Subtype /Form /BBox [0 0 400 300] /Resources << /Font << /F 5 0 R >> /Properties << /A 6 0 R >> >>',
      '/OC /A BDC BT /F 12 Tf 20 100 Td (inside) Tj ET EMC BT /F 12 Tf 20 80 Td (beside) Tj ET',
    ),
  ])

test.each(
  few(1, [
    ['/OFF [6 0 R]', 'Always Deutsch instead beside line'],
    ['/AS [<< /Event /View /Category [/View] /OCGs [6 0 R] >>]', 'Always Deutsch instead beside line'],
    ['/BaseState /OFF /ON [6 0 R]', 'Always English nested form inside beside within line'],
    ['', 'Always English nested Deutsch both form inside beside within line'],
  ]),
)('what is on layers that are off is not read: %s', async (states, expected) => {
  const pdf = files.write(layered(states), 'pdf')
  const packed = files.path('packed.pdf')
  tool('qpdf', '--object-streams=generate', pdf, packed)
  for (const path of [pdf, packed]) {
    const { path: read } = await convertFile('document.pdf-to-md', path)
    expect(readFileSync(read, 'utf8').trim().split(/\s+/)).toEqual(expected.split(' '))
  }
  const picture = await convertFile('document.pdf-to-png', pdf, { dpi: 72 })
  for (const [top, word] of [
    [50, 'English'],
    [90, 'Deutsch'],
    [130, 'instead'],
    [170, 'form'],
    [190, 'inside'],
  ] as const)
    expect((await ink(picture.path, 20, top)) > 1, word).toBe(expected.includes(word))
})

test('files without layers are recognised, also if their objects are compressed', () => {
  const packed = (pdf: Buffer, ...options: string[]) => {
    const path = files.path('objects.pdf')
    tool('qpdf', '--object-streams=generate', ...options, files.write(pdf, 'pdf'), path)
    const bytes = readFileSync(path)
    expect(bytes.includes('/OCProperties')).toBe(false)
    expect(bytes.includes('/ObjStm')).toBe(true)
    return bytes
  }
  const plain = onePagePdf('BT ET')
  expect(mayHave(plain, TO_READ)).toBe(false)
  expect(mayHave(packed(plain), TO_READ)).toBe(false)
  expect(mayHave(layered(''), TO_READ)).toBe(true)
  expect(mayHave(packed(layered('')), TO_READ)).toBe(true)
  // Object streams that are packed in an unusual way are taken to name some.
  const unusual = (text: string) => Buffer.from(text.replaceAll('/FlateDecode', '/BrotliDecode'), 'latin1')
  expect(mayHave(unusual(packed(plain).toString('latin1')), TO_READ)).toBe(true)
})

test('letters that a font names only by glyph are read: ligatures, and other forms of figures', async () => {
  const names = '/f_f_i /f_i /uniFB01 /T_h /f_f.liga /one.oldstyle /u1D400 /g_unknown /f_odieresis'
  const content =
    'BT /F 20 Tf 20 40 Td (o\\001ce \\002nd \\003x \\004e o\\005 \\0066 \\007 a\\010b \\011n) Tj ET'
  const path = files.write(
    rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 100] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
      pdfStream('', content),
      `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /BaseEncoding /WinAnsiEncoding /Differences [1 ${names}] >> >>`,
    ]),
    'pdf',
  )
  const { path: text } = await convertFile('document.pdf-to-txt', path)
  expect(readFileSync(text, 'utf8').normalize('NFKC')).toMatch(/office find fix The off 16 A ab fön/)
})

const DECLARATION =
  'All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience, and should act towards one another in a spirit of brotherhood, whatever their language and birth.'
const hex = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('hex')

/**
 * The declaration in a font that says by the names of its glyphs, or by the map of its program, what its codes are.
 * @param more sections of its wrong map
 */
function lying(
  says: 'names' | 'map' | 'truth',
  meaning: (letter: string, code: number) => string,
  more = '',
): Buffer {
  const bytes = readFileSync(resource('fonts', 'Cousine-Regular.ttf'))
  const program = fontkit.create(bytes) as fontkit.Font
  const codes = new Map(
    [...new Set(DECLARATION)].map(letter => [
      letter,
      says === 'map' ? program.glyphForCodePoint(letter.charCodeAt(0)).id : letter.charCodeAt(0),
    ]),
  )
  const digits = says === 'map' ? 4 : 2
  const shown = (text: string) =>
    text.replace(/./g, letter => codes.get(letter)!.toString(16).padStart(digits, '0'))
  const lines = DECLARATION.match(/.{1,30}(?: |$)/g)!.map(line => `<${shown(line)}> Tj 0 -20 Td`)
  const meanings = [...codes].map(
    ([letter, code]) => `<${code.toString(16).padStart(digits, '0')}> <${hex(meaning(letter, code))}>`,
  )
  const map = `begincmap 1 begincodespacerange <${'0'.repeat(digits)}> <${'F'.repeat(digits)}> endcodespacerange
    ${meanings.length} beginbfchar ${meanings.join('\n')} endbfchar ${more} endcmap`
  return onePagePdf(
    `BT /F 14 Tf 20 220 Td ${lines.join('\n')} ET`,
    '/MediaBox [0 0 400 250] /Resources << /Font << /F 5 0 R >> >>',
    [
      says === 'map'
        ? '<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /DescendantFonts [7 0 R] /ToUnicode 6 0 R >>'
        : '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /BaseEncoding /WinAnsiEncoding /Differences [97 /a /b] >> /ToUnicode 6 0 R >>',
      pdfStream('', map),
      `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>
        /DW 600 /FontDescriptor 8 0 R >>`,
      `<< /Type /FontDescriptor /FontName /A /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 880 /Descent -120
        /CapHeight 700 /StemV 80 /FontFile2 9 0 R >>`,
      pdfStream('', bytes.toString('latin1')),
    ],
  )
}

test.each(
  few(1, [
    [
      'every letter the next one',
      (letter: string) => (letter === ' ' ? ' ' : String.fromCharCode(letter.charCodeAt(0) + 1)),
    ],
    ['every letter an A', () => 'A'],
    ['letters of no alphabet', (_: string, code: number) => String.fromCharCode(0xe000 + code)],
    ['letters that are not known', () => '\ufffd'],
  ]),
)('text is read by what its font says where the file calls %s', async (_, meaning) => {
  const truth = tool(
    'pdftotext',
    files.write(
      lying('truth', letter => letter),
      'pdf',
    ),
    '-',
  )
  for (const says of ['names', 'map'] as const) {
    const { path, warnings } = await convertFile(
      'document.pdf-to-txt',
      files.write(lying(says, meaning), 'pdf'),
    )
    const words = readFileSync(path, 'utf8').split(/\s+/)
    expect(words.filter(Boolean)).toEqual(truth.trim().split(/\s+/))
    expect(warnings).toEqual([])
  }
})

/** The text of each page as the file has it, without what could be recognised in a picture of it. */
async function lettersOf(path: string): Promise<string[]> {
  using document = await openPdf(path)
  const texts: string[] = []
  for (let index = 0; index < document.pageCount; index++) {
    using page = await document.page(index)
    texts.push(page!.content.text.map(item => item.text).join(' '))
  }
  return texts
}

test('text is read where a map of codes names more than there are, over and over', async () => {
  const range = (first: number) =>
    `1 beginbfrange <${first.toString(16).padStart(8, '0')}> <FFFFFFFF> <0041> endbfrange`
  const ranges = Array.from({ length: 600 }, (_, at) => range(at < 300 ? 0x8000 : at * 0x1_0000))
  const path = files.write(
    lying('map', () => '\ufffd', ranges.join('\n')),
    'pdf',
  )
  expect(await lettersOf(path)).toEqual([DECLARATION])
})

test('letters without text are read in all fonts of a file, though it is prepared only once more', async () => {
  const texts = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'].map(
    which => `The ${which} page of wolves`,
  )
  const unknown = Array.from({ length: 95 }, (_, at) => `<${(at + 32).toString(16)}> <FFFD>`)
  const path = files.write(
    rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Count 6 /Kids [${texts.map((_, at) => `${4 + 2 * at} 0 R`).join(' ')}] >>`,
      pdfStream(
        '',
        `begincmap 1 begincodespacerange <00> <FF> endcodespacerange 95 beginbfchar ${unknown.join('\n')} endbfchar endcmap`,
      ),
      ...texts.flatMap((text, at) => [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 100] /Contents ${5 + 2 * at} 0 R /Resources << /Font << /F <<
          /Type /Font /Subtype /Type1 /BaseFont /Font${at} /Encoding << /BaseEncoding /WinAnsiEncoding /Differences [97 /a] >> /ToUnicode 3 0 R
          >> >> >> >>`,
        pdfStream('', `BT /F 14 Tf 20 50 Td (${text}) Tj ET`),
      ]),
    ]),
    'pdf',
  )
  expect(await lettersOf(path)).toEqual(texts)
})
