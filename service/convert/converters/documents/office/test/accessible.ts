import { expect, test } from 'vitest'
import { describeFull } from '../../../../../../testing/describe-full.ts'
import { convertFile } from '../../../../../../testing/fixtures/convert.ts'
import { corpus, tool } from '../../../../../../testing/fixtures/media.ts'
import { docx, paragraph, pictureOf } from '../../../../../../testing/fixtures/office.ts'
import { officeFiles, toPdf } from '../../../../../../testing/office-pdf.ts'
import { pdfBlocks } from '../../../../../../testing/pdf-structure.ts'
import { validatePdfA } from '../../../../../../testing/pdfa.ts'

const { write, written } = officeFiles('office-accessible')

const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg=='
const picture = {
  links: [{ id: 'dot', type: 'image', target: 'media/dot.png' }],
  parts: [{ name: 'word/media/dot.png', content: Buffer.from(dot, 'base64') }],
}
const described = pictureOf('dot', 'embed').replace('name="p"/>', 'name="p" descr="A dot"/>')
const row = (...cells: string[]) =>
  `<w:tr>${cells.map(cell => `<w:tc><w:p><w:r><w:t>${cell}</w:t></w:r></w:p></w:tc>`).join('')}</w:tr>`
const table = `<w:tbl>${row('Name', 'Year')}${row('Ada', '1843')}</w:tbl>`
const page = `<html lang="de"><body><h1>One</h1><h3>Deeper</h3><p>Text <a href="https://example.com/a">there</a></p>
<ul><li>an item<ul><li>inner</li></ul></li></ul><p>😀️ ❤️</p><img alt="A dot" src="data:image/png;base64,${dot}"></body></html>`

const claim = (pdf: string) =>
  /pdfuaid:part>1</.test(tool('qpdf', '--qdf', '--object-streams=disable', pdf, '-'))

test('documents are accessible (PDF/UA-1) and say so, with headings, heads of tables, a title and a language', async () => {
  const word = docx({ paragraphs: ['Title', 'Text'], body: table + described, ...picture })
  const files = {
    docx: write('report.docx', word),
    html: write('page.html', Buffer.from(page)),
    pptx: written.pptx(),
    xlsx: written.xlsx(),
  }
  const pdfs = new Map<string, string>()
  for (const [source, path] of Object.entries(files)) {
    const { pdf, warnings } = await toPdf(`${source}-to-pdf`, path, { accessible: true, comments: true })
    expect(warnings, source).toEqual([])
    pdfs.set(source, pdf)
  }
  const archived = await toPdf('docx-to-pdfa', files.docx)
  expect(await validatePdfA([...pdfs.values(), archived.pdf], 'ua1')).toEqual({})
  expect(await validatePdfA([archived.pdf])).toEqual({})
  expect(pdfBlocks(pdfs.get('docx')!)).toContainEqual({ tag: 'H1', text: 'Title' })
  expect(tool('pdfinfo', '-struct', pdfs.get('docx')!).match(/\bT[HD]\b/g)).toEqual(['TH', 'TH', 'TD', 'TD'])
  expect(tool('pdfinfo', pdfs.get('docx')!)).toMatch(/Title: +report\n/)
  expect(pdfBlocks(pdfs.get('html')!)).toContainEqual({ tag: 'H2', text: 'Deeper' })
  expect(tool('qpdf', '--qdf', '--object-streams=disable', pdfs.get('html')!, '-')).toMatch(/\/Lang \(de/)
})

test('a picture without a description keeps a document from being accessible, and the check names its page', async () => {
  const body = `<w:p><w:r><w:br w:type="page"/></w:r></w:p>${pictureOf('dot', 'embed')}${paragraph('End')}`
  const path = write('undescribed.docx', docx({ paragraphs: ['Title'], body, ...picture }))
  const { pdf, warnings } = await toPdf('docx-to-pdf', path, { accessible: true })
  expect(warnings).toEqual([expect.stringMatching(/^Page 2: a picture without a description/)])
  expect(claim(pdf)).toBe(false)
  expect((await toPdf('docx-to-pdf', path)).warnings).toEqual([])
})

describeFull('every real file', corpus('docx').length > 0, () => {
  test('either conforms or names what keeps it from it', async () => {
    const kinds = ['docx', 'pptx', 'xlsx', 'html', 'odt', 'rtf', 'doc', 'xls', 'ppt', 'odp', 'ods']
    const claimed: string[] = []
    for (const kind of kinds)
      for (const file of corpus(kind)) {
        const job = `document.${kind}-to-pdf`
        const result = await convertFile(job, file, { accessible: true }).catch(() => undefined)
        if (!result) continue
        const barriers = result.warnings.filter(warning => warning.includes('PDF/UA'))
        expect(claim(result.path), file).toBe(barriers.length === 0)
        if (barriers.length === 0) claimed.push(result.path)
      }
    expect(claimed.length).toBeGreaterThan(30)
    expect(await validatePdfA(claimed, 'ua1')).toEqual({})
  }, 900_000)
})
