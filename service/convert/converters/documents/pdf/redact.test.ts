import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { few, kinds } from '../../../../../testing/fixtures/full.ts'
import { judge, tool } from '../../../../../testing/fixtures/media.ts'
import { makePdf, onePagePdf, pdfStream, rawPdf } from '../../../../../testing/pdf.ts'
import { decode, onWhite } from '../../../../../testing/pictures.ts'

const files = testFiles('redact')
const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'
const form = (content: string) =>
  pdfStream(
    `/Type /XObject /Subtype /Form /BBox [0 0 300 200] /Resources << /Font << /F ${FONT} >> >>`,
    content,
  )
const shown = (word: string, y: number) => `BT /F 12 Tf 20 ${y} Td (${word}) Tj ET`

/** The secret is everywhere that a PDF can say something; the second page says nothing of it. */
const everywhere = () =>
  files.write(
    rawPdf(
      [
        '<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [8 0 R] /D << /OFF [8 0 R] >> >> /AcroForm << /Fields [10 0 R] >> /Outlines 11 0 R /Metadata 13 0 R /Names << /EmbeddedFiles << /Names [(quokka.txt) 14 0 R] >> /JavaScript << /Names [(a) << /S /JavaScript /JS (quokka\\(\\)) >>] >> >> /StructTreeRoot 16 0 R /MarkInfo << /Marked true >> /PieceInfo << /X << /Private 19 0 R >> >> >>',
        '<< /Type /Pages /Count 2 /Kids [3 0 R 4 0 R] >>',
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 5 0 R /Annots [9 0 R 10 0 R 17 0 R] /StructParents 0 /PieceInfo << /X << /Private (quokka) >> >> /Resources << /Font << /F ${FONT} >> /XObject << /Never 7 0 R /Layer 6 0 R >> /Properties << /L 8 0 R >> >> >>`,
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 18 0 R /Resources << /Font << /F ${FONT} >> >> >>`,
        pdfStream(
          '',
          `${shown('The Quokka is secret, quokkas are not', 150)} BT /F 12 Tf 20 130 Td [(quo) -20 (kka again)] TJ ET BT /F 12 Tf 3 Tr 20 110 Td (quokka unseen) Tj ET /OC /L BDC ${shown('quokka hidden', 90)} EMC /Layer Do BT /F 12 Tf 0 Tr 20 70 Td (a quok-) Tj 0 -14 Td (ka at the end) Tj ET BT /F 12 Tf 900 20 Td (quokka outside) Tj ET`,
        ),
        form(shown('quokka in a form', 30)),
        form(shown('quokka never drawn', 30)),
        '<< /Type /OCG /Name (Layer quokka) >>',
        '<< /Type /Annot /Subtype /Text /Rect [200 10 220 30] /Contents (quokka says a note) >>',
        '<< /Type /Annot /Subtype /Widget /FT /Tx /T (quokka) /V (quokka) /DA (/Helv 10 Tf 0 g) /Rect [150 10 190 30] >>',
        '<< /Type /Outlines /First 12 0 R /Last 12 0 R /Count 1 >>',
        '<< /Title (About quokka) /Parent 11 0 R /Dest [4 0 R /Fit] >>',
        pdfStream('/Type /Metadata /Subtype /XML', '<x>quokka</x>'),
        '<< /Type /Filespec /F (quokka.txt) /EF << /F 15 0 R >> >>',
        pdfStream('/Type /EmbeddedFile', 'quokka'),
        '<< /Type /StructTreeRoot /K << /S /P /Pg 3 0 R /K 0 /ActualText (quokka) >> >>',
        '<< /Type /Annot /Subtype /Link /Rect [20 145 60 160] /A << /S /URI /URI (https://example.org/quokka) >> >>',
        pdfStream('', shown('A second page', 150)),
        pdfStream('', 'quokka'),
      ],
      '/Info << /Title (quokka) /Author (quokka) >>',
    ),
    'pdf',
  )

/** All bytes of a file with its streams unpacked, and the text of its strings. */
function plain(path: string): string {
  const out = files.path('plain.pdf')
  tool('qpdf', '--qdf', '--object-streams=disable', path, out)
  const text = readFileSync(out, 'latin1')
  const wide = text.replace(/<(feff[0-9a-f\s]*)>/gi, (_, hex: string) =>
    Buffer.from(hex.replace(/\s/g, ''), 'hex').swap16().toString('utf16le'),
  )
  return `${text}\n${wide}`
}
const textOf = (path: string, page: number) => tool('pdftotext', '-f', `${page}`, '-l', `${page}`, path, '-')
const pageOf = (path: string, page: number) => {
  const args = ['-png', '-r', '72', '-singlefile', '-f', `${page}`, '-l', `${page}`]
  tool('pdftoppm', ...args, path, files.path('page'))
  const picture = decode(files.path('page.png'))
  return { ...picture, data: onWhite(picture) }
}
const redacted = (redact: Record<string, string>, path: string, more = {}) =>
  convertFile('document.pdf-to-pdf', path, { redact, ...more })

test.each(kinds(['none', 'best'], compression => compression === 'best'))(
  'nothing of a word is left anywhere, and all else stays (%s)',
  async compression => {
    const source = everywhere()
    expect(plain(source).match(/quok/gi)!.length).toBeGreaterThan(15)
    const { path, warnings } = await redacted({ words: 'Bandicoot,  quokka' }, source, { compression })
    expect(judge('qpdf', '--check', path)).toMatchObject({ status: 0 })
    // The plural is another word.
    expect(plain(path).match(/quok\S*/gi) ?? []).toEqual([])
    expect(textOf(path, 1)).toMatch(/The\s+is secret, quokkas are not/)
    expect(textOf(path, 1)).not.toMatch(/quokka\b|quok-|unseen quokka/i)
    expect(textOf(path, 2)).toContain('A second page')
    expect(plain(path)).toContain('A second page')
    expect(tool('pdfimages', '-list', path).trim().split('\n')).toHaveLength(3)
    expect(warnings).toEqual([expect.stringMatching(/^\d places were blacked out.*: 1\.$/)])
    const { data, width } = pageOf(path, 1)
    const dark = (x: number, y: number) => data[(y * width + x) * 3]!
    expect([dark(60, 47), dark(25, 66)]).toEqual([0, 0])
    expect(dark(200, 100)).toBeGreaterThan(250)
  },
)

testFull('words of one letter are blacked out, also beside letters of composite fonts', async () => {
  const source = files.path('letters.pdf')
  await makePdf(source, document => {
    document.fontSize(20).text('Plan X and plan Y, Xerox and 7 of 77', 72, 72)
    document.font('resources/fonts/Arimo-Regular.ttf').text('Größe X Ωmega in section 7', 72, 120)
    document.addPage().text('Nothing of it: 77, Xerox, ΩΨΞ', 72, 72)
  })
  const { path, warnings } = await redacted({ words: 'X, 7' }, source)
  expect(warnings).toEqual([expect.stringMatching(/^4 places were blacked out.*: 1\.$/)])
  const text = textOf(path, 1).replace(/\s+/g, ' ')
  expect(text).toMatch(/Plan and plan Y, Xerox and of 77.*Größe Ωmega in section/)
  expect(textOf(path, 2)).toContain('Nothing of it: 77, Xerox, ΩΨΞ')
  // The pixels of the letters, too: nothing but black where X was.
  const { data, width } = pageOf(path, 1)
  const [, x, y] = /<word xMin="([\d.]+)" yMin="([\d.]+)"[^>]*>X<\/word>/.exec(
    tool('pdftotext', '-bbox', source, '-'),
  )!
  const at = (Math.round(Number(y) + 8) * width + Math.round(Number(x) + 6)) * 3
  expect([...data.subarray(at, at + 3)]).toEqual([0, 0, 0])
})

testFull('patterns and areas are blacked out, with the letters in them', async () => {
  const text = `${shown('Call 555-0199 or 555-0142', 150)} ${shown('Another line', 100)}`
  const page = `/MediaBox [0 0 300 200] /Rotate 90 /Resources << /Font << /F ${FONT} >> >>`
  const source = files.write(onePagePdf(text, page), 'pdf')
  const pattern = await redacted({ pattern: '\\d{3}-\\d{4}' }, source)
  expect(textOf(pattern.path, 1)).toMatch(/Call[^5]*or/)
  expect(plain(pattern.path)).not.toMatch(/555|0199/)
  // The page lies on its side: what is below is on the left.
  const area = await redacted({ areas: '1:30,0,10,300; 2-:0,0,1,1' }, source)
  expect(textOf(area.path, 1)).toContain('Call 555-0199')
  expect(textOf(area.path, 1)).not.toContain('Another')
  expect(plain(area.path)).not.toContain('Another')
  const none = await redacted({ words: 'wombat' }, source, { compression: 'none' })
  expect(none.warnings).toEqual([expect.stringContaining('Nothing')])
  const drawn = files.write(onePagePdf('20 20 90 90 re f', page), 'pdf')
  const unread = await redacted({ words: 'wombat' }, drawn, { compression: 'none' })
  expect(unread.warnings).toEqual([none.warnings[0], expect.stringContaining('These pages have no text')])
})

testFull('a form that a page has and never draws is gone with the word in it', async () => {
  const page = '/MediaBox [0 0 300 200] /Resources << /XObject << /Never 5 0 R >> >>'
  const source = files.write(onePagePdf('0 0 9 9 re f', page, [form(shown('numbat', 30))]), 'pdf')
  const { path, warnings } = await redacted({ words: 'NUMBAT' }, source)
  expect(plain(path)).not.toContain('numbat')
  expect(warnings[0]).toContain('One place was blacked out')
})

test.each(
  few(1, [
    ['(a', 'no regular expression'],
    ['(\\w+\\s?)+!', 'takes too long'],
  ]),
)('a pattern that cannot be looked for is refused: %s', async (pattern, detail) => {
  const text = shown('abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz', 50)
  const source = files.write(
    onePagePdf(text, `/MediaBox [0 0 900 90] /Resources << /Font << /F ${FONT} >> >>`),
    'pdf',
  )
  await expect(redacted({ pattern }, source)).rejects.toMatchObject({
    code: 'jobs.unsupported_input',
    detail: expect.stringContaining(detail),
  })
})
