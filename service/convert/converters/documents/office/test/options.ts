import { readFileSync, statSync } from 'node:fs'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { testFull } from '../../../../../../testing/describe-full.ts'
import { convertFile } from '../../../../../../testing/fixtures/convert.ts'
import { tool } from '../../../../../../testing/fixtures/media.ts'
import { docx, pageBreak, paragraph, pictureOf, xlsx } from '../../../../../../testing/fixtures/office.ts'
import { pptx } from '../../../../../../testing/fixtures/slides.ts'
import { officeFiles, pageCount, toPdf, words } from '../../../../../../testing/office-pdf.ts'
import { validatePdfA } from '../../../../../../testing/pdfa.ts'
import { withParts } from '../../../../engines/documents/formats/part-names.ts'

const { files, write, written } = officeFiles('office-options')

const pages = (count: number) =>
  write(
    `p${count}.docx`,
    docx({
      paragraphs: ['Page 1'],
      body: Array.from({ length: count - 1 }, (_, i) => pageBreak + paragraph(`Page ${i + 2}`)).join(''),
    }),
  )

test('pages', async () => {
  const { pdf, text } = await toPdf('docx-to-pdf', pages(5), { pages: '2-3,5' })
  expect(pageCount(pdf)).toBe(3)
  expect([...text.matchAll(/Page \d/g)].map(String)).toEqual(['Page 2', 'Page 3', 'Page 5'])
  const none = convertFile('document.docx-to-pdf', pages(5), { pages: '9' })
  await expect(none).rejects.toMatchObject({ code: 'jobs.unsupported_input' })
})

testFull('landscape turns upright pages, and leaves those that lie', async () => {
  const sizeOf = (pdf: string, page = 1) => {
    const info = tool('pdfinfo', '-f', String(page), '-l', String(page), pdf)
    return [.../ size: +([\d.]+) x ([\d.]+)/.exec(info)!.slice(1)].map(Number)
  }
  const lying = '<w:pgSz w:w="16838" w:h="11906" w:orient="landscape"/>'
  const both = docx({
    paragraphs: [],
    body: `<w:p><w:pPr><w:sectPr>${lying}</w:sectPr></w:pPr><w:r><w:t>Page 1</w:t></w:r></w:p>${paragraph('Page 2')}`,
  })
  const sources = { docx: both, xlsx: xlsx({ Sheet: [[1, 2]] }), rtf: Buffer.from('{\\rtf1 Page 1}') }
  for (const [suffix, file] of Object.entries(sources)) {
    const source = write(`turned.${suffix}`, file)
    const upright = await toPdf(`${suffix}-to-pdf`, source)
    const turned = await toPdf(`${suffix}-to-pdf`, source, { landscape: true })
    const last = suffix === 'docx' ? 2 : 1
    expect([pageCount(turned.pdf), turned.text.trim()]).toEqual([pageCount(upright.pdf), upright.text.trim()])
    expect(sizeOf(turned.pdf, last)).toEqual(sizeOf(upright.pdf, last).toReversed())
    if (last > 1) expect(sizeOf(turned.pdf)).toEqual(sizeOf(upright.pdf))
  }
})

/** A PDF without its compression. */
const unpacked = (pdf: string) => tool('qpdf', '--qdf', '--object-streams=disable', pdf, '-')

testFull('bookmarks and tags, or none', async () => {
  const source = written.docx()
  const rich = unpacked((await toPdf('docx-to-pdf', source)).pdf)
  expect(rich).toContain('/Outlines')
  expect(rich).toContain('/StructTreeRoot')
  const options = { bookmarks: false, tagged: false }
  const plain = unpacked((await toPdf('docx-to-pdf', source, options)).pdf)
  expect(plain).not.toMatch(/\/Outlines|\/StructTreeRoot/)
})

testFull('tags take little space, and a large workbook has none, with a warning', async () => {
  const rows = Array.from({ length: 60 }, () => Array.from({ length: 8 }, () => 1))
  const source = xlsx({ Sheet: rows })
  const small = write('small.xlsx', source)
  const tagged = await toPdf('xlsx-to-pdf', small)
  const untagged = await toPdf('xlsx-to-pdf', small, { tagged: false })
  expect(tool('pdfinfo', tagged.pdf)).toMatch(/Tagged: +yes/)
  expect(statSync(tagged.pdf).size).toBeLessThan(statSync(untagged.pdf).size + 60 * 480)
  expect(tagged.warnings).toEqual([])
  // Cells are counted by their end, which is quicker here in a comment than in a table.
  const sheet = 'xl/worksheets/sheet0.xml'
  const cells = `<!--${'</c>'.repeat(200_001)}--></worksheet>`
  const part = Buffer.from(unzipSync(source)[sheet]!).toString().replace('</worksheet>', cells)
  const large = write('large.xlsx', withParts(source, new Map([[sheet, Buffer.from(part)]])))
  const bare = await toPdf('xlsx-to-pdf', large)
  expect(tool('pdfinfo', bare.pdf)).toMatch(/Tagged: +no/)
  expect(bare.warnings).toEqual([expect.stringContaining('200,000 cells')])
})

let withComment = ''

testFull('comments, except in PDF/A', async () => {
  const source = write(
    'comment.docx',
    docx({
      paragraphs: words,
      body: '<w:p><w:commentRangeStart w:id="0"/><w:r><w:t>noted</w:t></w:r><w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r></w:p>',
      links: [{ id: 'c', type: 'comments', target: 'comments.xml' }],
      parts: [
        {
          name: 'word/comments.xml',
          content:
            '<w:comments xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:comment w:id="0" w:author="Ann" w:date="2024-01-01T00:00:00Z"><w:p><w:r><w:t>A remark</w:t></w:r></w:p></w:comment></w:comments>',
          type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml',
        },
      ],
    }),
  )
  const annotated = async (job: string, options: Record<string, unknown>) =>
    unpacked((await toPdf(job, source, options)).pdf).includes('/Subtype /Text')
  expect(await annotated('docx-to-pdf', { comments: true })).toBe(true)
  expect(await annotated('docx-to-pdf', {})).toBe(false)
  const { pdf } = await toPdf('docx-to-pdfa', source)
  withComment = pdf
})

testFull('hidden slides and speaker notes', async () => {
  const source = write('slides.pptx', pptx(['one', 'two', '-three'], ['Breathe here', 'Smile <now>']))
  expect(pageCount((await toPdf('pptx-to-pdf', source, { hiddenSlides: true })).pdf)).toBe(3)
  const plain = await toPdf('pptx-to-pdf', source)
  expect(pageCount(plain.pdf)).toBe(2)
  expect(plain.text).not.toContain('Breathe')
  const { pdf, text } = await toPdf('pptx-to-pdf', source, { notes: true })
  expect(pageCount(pdf)).toBe(4)
  for (const note of ['Breathe here', 'Smile <now>']) expect(text).toContain(note)
})

testFull('each sheet on one page', async () => {
  const rows = Array.from({ length: 200 }, (_, i) => [`row ${i}`, i])
  const source = write('long.xlsx', xlsx({ Long: rows, Short: [['end']] }))
  expect(pageCount((await toPdf('xlsx-to-pdf', source)).pdf)).toBeGreaterThan(3)
  const { pdf, text } = await toPdf('xlsx-to-pdf', source, { singlePageSheets: true })
  expect(pageCount(pdf)).toBe(2)
  expect(text).toContain('row 199')
})

testFull('resolution and compression of pictures', async () => {
  tool('convert', '-size', '450x450', 'plasma:red-blue', files.path('big.png'))
  const source = write(
    'picture.docx',
    docx({
      body: pictureOf('i', 'embed'),
      links: [{ id: 'i', type: 'image', target: 'media/big.png' }],
      parts: [{ name: 'word/media/big.png', content: readFileSync(files.path('big.png')) }],
    }),
  )
  const image = async (images: Record<string, unknown>) => {
    const { pdf } = await toPdf('docx-to-pdf', source, { images })
    return tool('pdfimages', '-list', pdf).trim().split('\n')[2]?.trim().split(/\s+/) ?? []
  }
  expect((await image({}))[8]).toBe('jpeg')
  const lossless = await image({ compression: 'lossless' })
  expect([lossless[3], lossless[8]]).toEqual(['450', 'image'])
  expect(Number((await image({ maxDpi: 100 }))[3])).toBeLessThan(220)
})

testFull('versions of PDF/A', async () => {
  const source = written.docx()
  const { pdf: third } = await toPdf('docx-to-pdfa', source, { version: '3b' })
  expect(await validatePdfA([third], '3b')).toEqual({})
  // Part 2 forbids what part 3 has, and the document with comments conforms to it.
  expect(Object.keys(await validatePdfA([withComment, third]))).toEqual([third])
})

testFull('pages rebuilt from pixels have their text and nothing else of the document', async () => {
  const source = written.docx()
  for (const [job, more] of [
    ['docx-to-pdf', {}],
    ['docx-to-pdfa', { version: '3b' }],
  ] as const) {
    const { pdf, text } = await toPdf(job, source, { ...more, rebuild: true })
    expect(text.trim().split(/\s+/)).toEqual(words.join(' ').split(' '))
    expect(tool('pdfinfo', pdf)).not.toMatch(/Title|Author|Creator|Tagged:\s+yes/)
    expect(tool('pdffonts', pdf)).toMatch(/^.*\n.*\n\S*Invisible.*\n$/)
    expect(tool('pdfimages', '-list', pdf).trim().split('\n')).toHaveLength(2 + pageCount(pdf))
    if (job === 'docx-to-pdfa') expect(await validatePdfA([pdf], '3b')).toEqual({})
  }
})
