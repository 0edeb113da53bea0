import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { describeFull, testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { corpus, hasCorpus, judge, tool } from '../../../../../testing/fixtures/media.ts'
import { makePdf, pdfStream, rawPdf } from '../../../../../testing/pdf.ts'
import { fieldsPdf } from '../../../../../testing/pdf-fields.ts'
import { validatePdfA } from '../../../../../testing/pdfa.ts'
import { likeness, PDF_TO_PDFA, text, validatedPdfA } from '../../../../../testing/pdfa-conversions.ts'
import { resource } from '../../../engines/common/resources.ts'

const files = testFiles('pdfa')
const toPdfA = validatedPdfA()

/** Fonts of a file, as listed by poppler: name, type, whether embedded. */
const fonts = (path: string) =>
  tool('pdffonts', path)
    .trim()
    .split('\n')
    .slice(2)
    .map(line => ({ name: line.slice(0, 36).trim(), embedded: / yes /.test(line.slice(54)) }))

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
    const signed = files.write(
      rawPdf([
        '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> /AcroForm << /Fields [6 0 R] /SigFlags 3 >> >>',
        '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R /Annots [5 0 R 6 0 R] >>',
        pdfStream('', '0 0 9 9 re f'),
        '<< /Type /Annot /Subtype /Square /Rect [100 20 150 70] /F 2 /AP << /N 7 0 R >> >>',
        '<< /Type /Annot /Subtype /Widget /FT /Sig /T (s) /Rect [0 0 0 0] /F 132 /V 8 0 R >>',
        pdfStream('/Type /XObject /Subtype /Form /BBox [0 0 50 50]', '0 0 50 50 re f'),
        '<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /ByteRange [0 1 2 1] /Contents <00> >>',
      ]),
      'pdf',
    )
    const unsigned = await toPdfA(signed)
    expect(unsigned.warnings).toEqual([expect.stringContaining('The PDF is signed')])
    // The hidden rectangle would show.
    expect(likeness(unsigned.path, signed)).toBeGreaterThan(30)
  })

  testFull('field values get an appearance', async () => {
    const { path, warnings } = await toPdfA(files.write(fieldsPdf(true), 'pdf'))
    expect(warnings).toEqual([])
    expect(text(path)).toContain('Name: Ada Lovelace First line of the notes')
    expect(text(path)).toContain('東京 яж')
    expect(fonts(path).every(({ embedded }) => embedded)).toBe(true)
  })

  testFull('inks get a colour profile', async () => {
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
    expect(warnings).toEqual([expect.stringContaining('cannot be drawn')])
    expect(tool('pdfinfo', path)).toMatch(/Title:\s+A\s+title/)
  })

  testFull('widths that differ from those of the font program', async () => {
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

test('a protected file is opened by its password, and the result is not protected', async () => {
  const locked = await makePdf(files.path('locked.pdf'), document => document.text('secret'), {
    userPassword: 'abc',
  })
  await expect(convertFile(PDF_TO_PDFA, locked)).rejects.toMatchObject({ code: 'jobs.encrypted_input' })
  const { path } = await toPdfA(locked, { password: 'abc' })
  expect(text(path)).toBe('secret')
})

testFull('a protected file of too many pages', async () => {
  const source = await makePdf(
    files.path('many.pdf'),
    document => {
      for (let page = 1; page <= 2000; page++) document.addPage()
    },
    { userPassword: 'abc' },
  )
  await expect(convertFile(PDF_TO_PDFA, source, { password: 'abc' })).rejects.toMatchObject({
    code: 'jobs.too_many_pages',
  })
})

test('PDF/A-3b', async () => {
  const source = await makePdf(files.path('three.pdf'), document => document.text('Part three'))
  const { path } = await convertFile(PDF_TO_PDFA, source, { conformance: '3b' })
  expect(await validatePdfA([path], '3b')).toEqual({})
})

test.each([
  ['text', Buffer.from('no PDF '.repeat(50)), 'jobs.corrupt_input'],
  ['nothing but a head', Buffer.from('%PDF-1.4\n'), 'jobs.corrupt_input'],
])('%s', async (_, bytes, code) => {
  await expect(convertFile(PDF_TO_PDFA, files.write(bytes, 'pdf'))).rejects.toMatchObject({ code })
})

describeFull('corpus', hasCorpus, () => {
  test('of many producers', async () => {
    for (const source of corpus('pdf')) {
      if (judge('pdfinfo', source).status !== 0) continue
      const { path, warnings } = await toPdfA(source)
      expect(warnings, source).toEqual([])
      expect(likeness(path, source), source).toBeGreaterThan(20)
    }
  })
})
