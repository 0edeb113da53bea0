import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import * as fontkit from 'fontkit'
import { afterAll, describe, expect, test } from 'vitest'
import { readTables, symbolicMap, writeTables } from '../../../engines/pdfa/truetype.ts'
import { resource } from '../../../engines/resources.ts'
import { type Converted, convertFile } from '../../../test/convert.ts'
import { testFiles } from '../../../test/files.ts'
import { corpus, judge, tool } from '../../../test/media.ts'
import { cffFont, type1Font } from '../../../test/outline-fonts.ts'
import { makePdf, onePagePdf, pdfStream, rawPdf } from '../../../test/pdf.ts'
import { fieldsPdf } from '../../../test/pdf-fields.ts'
import { validatePdfA } from '../../../test/pdfa.ts'
import { psnr } from '../../../test/pixels.ts'

const files = testFiles('pdfa')
const JOB = 'document.pdf-to-pdfa'

/** Every output file, validated together at the end, since the validator starts slowly. */
const written: string[] = []

async function toPdfA(path: string, options: Record<string, unknown> = {}): Promise<Converted> {
  const converted = await convertFile(JOB, path, options)
  written.push(converted.path)
  return converted
}

const text = (path: string) => tool('pdftotext', '-layout', path, '-').replace(/\s+/g, ' ').trim()

/** Fonts of a file, as listed by poppler: name, type, whether embedded. */
const fonts = (path: string) =>
  tool('pdffonts', path)
    .trim()
    .split('\n')
    .slice(2)
    .map(line => ({ name: line.slice(0, 36).trim(), embedded: / yes /.test(line.slice(54)) }))

/** Similarity of a page of two files, drawn by poppler. */
function likeness(a: string, b: string, page = 1): number {
  const [one, other] = [a, b].map(path =>
    execFileSync(
      'pdftoppm',
      ['-cropbox', '-r', '36', '-f', String(page), '-l', String(page), '-singlefile', path],
      {
        maxBuffer: 1 << 28,
      },
    ),
  )
  return psnr(one!, other!)
}

const AS_PICTURE =
  'These pages cannot conform to PDF/A as they are and were stored as pictures, with their text behind them: '

afterAll(async () => {
  // All files that these tests wrote.
  const broken = await validatePdfA(written)
  expect(broken).toEqual({})
})

describe('what is fixed', () => {
  test('fonts that are not embedded get programs with the same widths', async () => {
    const names = ['Helvetica-BoldOblique', 'Times-Roman', 'Courier', 'Symbol', 'ZapfDingbats']
    const source = await makePdf(files.path('fonts.pdf'), document => {
      for (const [i, font] of names.entries())
        document
          .font(font)
          .fontSize(20)
          .text('Quick “brown” fox äöü €', 72, 72 + 40 * i)
    })
    const { path, warnings } = await toPdfA(source)
    expect(warnings).toEqual([])
    expect(fonts(path).map(({ embedded }) => embedded)).toEqual(names.map(() => true))
    expect(text(path)).toContain('Quick “brown” fox äöü €')
    expect(likeness(path, source)).toBeGreaterThan(22)
    expect(tool('qpdf', '--check', path)).toContain('No syntax or stream encoding errors')
    expect(tool('pdfinfo', path)).toMatch(/PDF version:\s+1.7/)
  })

  test('scripts, attachments, signatures and hidden annotations are removed, and losses are reported', async () => {
    const source = await makePdf(files.path('forbidden.pdf'), document => {
      document.text('Contract')
      document.file(Buffer.from('attached'), { name: 'a.txt' })
      document.font('Helvetica').initForm()
      document.formText('name', 72, 120, 200, 30, { value: 'Filled', align: 'left' })
      document.formCheckbox('yes', 72, 200, 20, 20)
      document.link(72, 300, 100, 20, 'https://example.org/')
      document.note(72, 340, 30, 30, 'A note')
      document.highlight(72, 400, 100, 20)
    })
    const withScript = files.path('script.pdf')
    tool('qpdf', '--qdf', '--object-streams=disable', source, withScript)
    const { path, warnings } = await toPdfA(withScript)
    expect(warnings).toEqual(['The PDF has files attached to it. They were left out.'])
    expect(text(path)).toContain('Contract')
    expect(tool('pdfdetach', '-list', path)).toContain('0 embedded files')
    expect(tool('qpdf', '--qdf', '--object-streams=disable', path, '-')).toContain('https://example.org/')
  })

  test('field values get an appearance', async () => {
    const { path, warnings } = await toPdfA(files.write(fieldsPdf(true), 'pdf'))
    expect(warnings).toEqual([])
    expect(text(path)).toContain('Name: Ada Lovelace First line of the notes')
    expect(text(path)).toContain('東京 яж')
    expect(fonts(path).every(({ embedded }) => embedded)).toBe(true)
  })

  test('inks get a colour profile', async () => {
    const source = await makePdf(files.path('inks.pdf'), document => {
      document.rect(72, 72, 300, 200).fill([100, 20, 0, 10] as unknown as string)
    })
    const { path, warnings } = await toPdfA(source)
    expect(warnings).toEqual([])
    expect(likeness(path, source)).toBeGreaterThan(12)
  })

  test('LZW, transfer functions, odd blend modes, actions and information', async () => {
    const source = rawPdf(
      [
        `<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert(1)) >> /AA << /WC << /S /JavaScript /JS (1) >> >>
           /Names << /JavaScript << /Names [(a) << /S /JavaScript /JS (1) >>] >> >>
           /OCProperties << /OCGs [7 0 R] /D << /Order [] /AS [] >> /Configs [<< >>] >> >>`,
        '<< /Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 200 100] /Resources << /ExtGState << /G 5 0 R >> /XObject << /I 6 0 R >> >> >>',
        '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Annots [<< /Subtype /Popup /Rect [0 0 9 9] /F 0 >> << /Subtype /Movie /Rect [0 0 9 9] >> << /Subtype /Square /Rect [0 0 9 9] /F 2 >>] /AA << /O << /S /Launch /F (x) >> >> >>',
        pdfStream('', '/G gs q 50 0 0 50 10 10 cm /I Do Q'),
        '<< /Type /ExtGState /TR /Identity /HT << /HalftoneType 1 /Frequency 60 /Angle 45 /SpotFunction /Round >> /BM /Unknown /OPM 1 /op true >>',
        pdfStream(
          '/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray /Interpolate true /Filter [/ASCIIHexDecode /LZWDecode]',
          '800B6050220C0C8501>',
        ),
        '<< /Type /OCG >>',
        '<< /Title (A\\000 title) /Author <FEFFD83D0041> /CreationDate (yesterday) /Custom (x) /Producer (y) >>',
      ],
      '/Info 8 0 R',
    )
    const { path, warnings } = await toPdfA(files.write(source, 'pdf'))
    expect(warnings).toEqual([])
    expect(tool('pdfinfo', path)).toMatch(/Title:\s+A\s+title/)
  })

  test('widths that differ from those of the font program', async () => {
    const source = await makePdf(files.path('embedded.pdf'), document => {
      document.font(resource('fonts', 'Tinos-Regular.ttf')).fontSize(30).text('Wide letters')
    })
    const plain = files.path('plain.pdf')
    tool('qpdf', '--qdf', '--object-streams=disable', source, plain)
    const bytes = readFileSync(plain, 'latin1')
    // The same text slightly wider, like that of producers that round.
    const other = bytes.replace(
      /\/W \[\s*0\s*\[([\d.\s]+)\]/,
      (_, widths: string) =>
        `/W [ 0 [ ${widths
          .trim()
          .split(/\s+/)
          .map(width => Number(width) + 20)
          .join(' ')} ]`,
    )
    expect(other).not.toBe(bytes)
    const { path, warnings } = await toPdfA(files.write(Buffer.from(other, 'latin1'), 'pdf'))
    expect(warnings).toEqual([])
    expect(text(path)).toBe('Wide letters')
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

  test('an unknown filter, and values beyond the limits', async () => {
    const pdf = onePagePdf(
      '/I Do',
      `/MediaBox [0 0 200 100] /Resources << /XObject << /I 5 0 R >> >> /Note (${'x'.repeat(33_000)}) /Number 99999999999 /${'N'.repeat(200)} 1`,
      [
        pdfStream(
          '/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /Nope',
          'x',
        ),
      ],
    )
    const { warnings } = await toPdfA(files.write(pdf, 'pdf'))
    expect(warnings).toEqual([`${AS_PICTURE}1.`])
  })
})

test.each([
  ['of Unicode only', [[0, 0]]],
  [
    'of Unicode and of the Macintosh',
    [
      [0, 3],
      [1, 0],
    ],
  ],
] as const)('a symbolic TrueType font with maps %s gets the one that is allowed', async (_, kinds) => {
  const bytes = readFileSync(resource('fonts', 'Cousine-Regular.ttf'))
  const tables = readTables(bytes)!
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
  tables.set('cmap', Buffer.concat([cmap, map]))
  const source = files.write(
    onePagePdf(
      'BT /F 20 Tf 20 40 Td (Symbols) Tj ET',
      `/MediaBox [0 0 200 100] /Resources << /Font << /F << /Type /Font /Subtype /TrueType /BaseFont /Cousine
        /FirstChar 65 /LastChar 122 /Widths [${Array(58).fill(600).join(' ')}] /FontDescriptor 5 0 R >> >> >>`,
      [
        `<< /Type /FontDescriptor /FontName /Cousine /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800
          /Descent -200 /CapHeight 700 /StemV 80 /FontFile2 6 0 R >>`,
        pdfStream('', writeTables(tables).toString('latin1')),
      ],
    ),
    'pdf',
  )
  const { path, warnings } = await toPdfA(source)
  expect(warnings).toEqual([])
  expect(likeness(path, source)).toBeGreaterThan(30)
})

describe('programs of Type 1 and CFF', () => {
  const descriptor = (program: string) =>
    `<< /Type /FontDescriptor /FontName /Square /Flags 32 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 ${program} >>`
  const type1 = () => {
    const { program, clear } = type1Font({ '.notdef': 500, A: 600, B: 700 })
    const entries = `/Length1 ${clear} /Length2 ${program.length - clear - 532} /Length3 532`
    return [descriptor('/FontFile 6 0 R'), pdfStream(entries, program.toString('latin1'))]
  }
  /** The same as a PFB file, with headers of its segments. */
  const pfb = () => {
    const { program, clear } = type1Font({ '.notdef': 500, A: 600, B: 700 })
    const segment = (kind: number, from: number, to: number) => {
      const head = Buffer.from([0x80, kind, 0, 0, 0, 0])
      head.writeUInt32LE(to - from, 2)
      return [head, program.subarray(from, to)]
    }
    const zeros = program.length - 532
    const file = Buffer.concat([
      ...segment(1, 0, clear),
      ...segment(2, clear, zeros),
      ...segment(1, zeros, program.length),
      Buffer.from([0x80, 3]),
    ])
    const entries = `/Length1 ${clear} /Length2 ${zeros - clear} /Length3 532`
    return [descriptor('/FontFile 6 0 R'), pdfStream(entries, file.toString('latin1'))]
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
        codeMap('Other'),
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
    const program = writeTables(new Map([['CFF ', cffFont(GLYPHS)]]))
    program.write('OTTO')
    return [descriptor('/FontFile3 6 0 R'), pdfStream('/Subtype /Type1C', program.toString('latin1'))]
  }

  test.each([
    ['Type 1', page('AB', '600 700 0', type1())],
    ['Type 1 whose widths were rounded', page('AB', '602 699 0', type1())],
    ['Type 1 with headers of its segments', page('AB', '600 700 0', pfb())],
    ['CFF', page('AB', '600 700 0', cff())],
    ['CFF whose widths were rounded', page('AB', '598 700 0', cff())],
    ['CFF of a composite font', cid('00010002', '600 700')],
    [
      'CFF of a composite font, marked as that of a simple one',
      cid('00010002', '600 700', { kind: 'Type1C' }),
    ],
    ['a composite font with a map of its own', cid('4142', '600 700', { encoding: '7 0 R' })],
  ])('%s is kept', async (_, bytes) => {
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

  test.each([
    ['Type 1 of other widths', page('AB', '650 700 0', type1())],
    ['Type 1 without a glyph', page('AC', '600 700 500', type1())],
    ['CFF of other widths', page('AB', '600 750 0', cff())],
    ['CFF without a glyph', page('AC', '600 700 500', cff())],
    ['CFF of a composite font of other widths', cid('00010002', '600 900')],
    ['CFF of a composite font without a glyph', cid('00010009', '600 700')],
    ['half a code', cid('000100', '600 700')],
    ['a code that the map of the font lacks', cid('4143', '600 700', { encoding: '7 0 R' })],
    ['a map of other characters than those of the font', cid('4142', '600 700', { encoding: '8 0 R' })],
    [
      'a damaged program',
      page('AB', '600 700 0', [descriptor('/FontFile3 6 0 R'), pdfStream('/Subtype /Type1C', 'damage')]),
    ],
  ])('a page of %s becomes a picture', async (_, bytes) => {
    const { warnings } = await toPdfA(files.write(bytes, 'pdf'))
    expect(warnings).toEqual([`${AS_PICTURE}1.`])
  })
})

describe('pages that cannot be fixed become pictures, with their text behind', () => {
  const font = (entries: string) =>
    `/MediaBox [0 0 200 100] /Resources << /Font << /F << /Type /Font ${entries} >> >> >>`

  test.each([
    [
      'a Chinese font that is only named',
      onePagePdf(
        'BT /F 20 Tf 20 40 Td <0041004200430044> Tj ET',
        font(
          '/Subtype /Type0 /BaseFont /SimSun /Encoding /UniGB-UCS2-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /SimSun /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /FontDescriptor << /Type /FontDescriptor /FontName /SimSun /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 800 /StemV 80 >> >>]',
        ),
      ),
      'ABCD',
    ],
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
    ['too large', '[0 0 20000 400]', '14400 x 288 pts'],
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

test('a protected file is opened by its password, and the result is not protected', async () => {
  const locked = await makePdf(files.path('locked.pdf'), document => document.text('secret'), {
    userPassword: 'abc',
  })
  await expect(convertFile(JOB, locked)).rejects.toMatchObject({ code: 'jobs.encrypted_input' })
  const { path } = await toPdfA(locked, { password: 'abc' })
  expect(text(path)).toBe('secret')
})

test('a protected file of too many pages', async () => {
  const source = await makePdf(
    files.path('many.pdf'),
    document => {
      for (let page = 1; page <= 2000; page++) document.addPage()
    },
    { userPassword: 'abc' },
  )
  await expect(convertFile(JOB, source, { password: 'abc' })).rejects.toMatchObject({
    code: 'jobs.too_many_pages',
  })
})

test('PDF/A-3b', async () => {
  const source = await makePdf(files.path('three.pdf'), document => document.text('Part three'))
  const { path } = await convertFile(JOB, source, { conformance: '3b' })
  expect(await validatePdfA([path], '3b')).toEqual({})
})

test.each([
  ['text', Buffer.from('no PDF '.repeat(50)), 'jobs.corrupt_input'],
  ['nothing but a head', Buffer.from('%PDF-1.4\n'), 'jobs.corrupt_input'],
])('%s', async (_, bytes, code) => {
  await expect(convertFile(JOB, files.write(bytes, 'pdf'))).rejects.toMatchObject({ code })
})

test.skipIf(corpus('pdf').length === 0)('files of many producers', async () => {
  for (const source of corpus('pdf')) {
    if (judge('pdfinfo', source).status !== 0) continue
    const { path, warnings } = await toPdfA(source)
    expect(warnings, source).toEqual([])
    expect(likeness(path, source), source).toBeGreaterThan(20)
  }
})
