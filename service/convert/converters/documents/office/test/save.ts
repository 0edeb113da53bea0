/** OpenDocument, older Office files, web pages and plain text. */
import { readFileSync, renameSync } from 'node:fs'
import { extname } from 'node:path'
import { zipSync } from 'fflate'
import { beforeAll, expect, test } from 'vitest'
import { describeFull, testFull } from '../../../../../../testing/describe-full.ts'
import { convertFile } from '../../../../../../testing/fixtures/convert.ts'
import { corpus, hasCorpus, tool } from '../../../../../../testing/fixtures/media.ts'
import { docx } from '../../../../../../testing/fixtures/office.ts'
import { savedByLibreOffice } from '../../../../../../testing/libreoffice.ts'
import { odgOf } from '../../../../../../testing/odg.ts'
import { officeFiles, words } from '../../../../../../testing/office-pdf.ts'
import documents from '../../index.ts'

const { files, write, written } = officeFiles('save')

const texts = ['docx', 'odt', 'rtf']

/** What another program reads in a file of text; undefined if that takes LibreOffice. */
function textOf(path: string, format: string): string | undefined {
  if (format === 'txt') return readFileSync(path, 'utf8')
  if (format.startsWith('pdf')) return tool('pdftotext', path, '-')
  const reader = { md: 'gfm', html: 'html', epub: 'epub' }[format] ?? (texts.includes(format) ? format : '')
  return reader ? tool('pandoc', '-f', reader, '-t', 'plain', '--wrap=none', path) : undefined
}

testFull('a drawing of Draw is a page of its size, with text, also in fonts that are not here', async () => {
  const path = write('a.odg', odgOf('Zeichnung กขค'))
  const pdf = await convertFile('document.odg-to-pdf', path)
  expect(tool('pdfinfo', pdf.path)).toMatch(/Pages: +1\n.*Page size: +566\.9\d* x 283/s)
  expect(tool('pdftotext', pdf.path, '-')).toContain('Zeichnung กขค')
  const png = await convertFile('document.odg-to-png', path)
  expect(tool('convert', png.path, '-gravity', 'south', '-crop', '1x1+0+9', 'txt:-')).toContain('#C81E28')
})

const latin1 = (text: string) => Buffer.from(text, 'latin1')
const special = 'Größe für Öl, 12 €'.replace('€', '\x80')

describeFull('each way keeps every word', true, () => {
  /** From left to right, so that what was made can be a source. */
  const ways = [
    ...[
      'docx-odt',
      'docx-rtf',
      'docx-txt',
      'odt-docx',
      'odt-pdf',
      'odt-txt',
      'rtf-docx',
      'rtf-odt',
      'rtf-txt',
    ],
    ...['pptx-odp', 'odp-pptx', 'odp-pdf', 'xlsx-ods', 'ods-xlsx', 'ods-pdf'],
    ...['html-docx', 'html-pdf', 'html-odt', 'txt-docx', 'txt-pdf', 'txt-rtf'],
    ...['docx-doc', 'odt-doc', 'rtf-doc', 'xlsx-xls', 'ods-xls', 'pptx-ppt', 'odp-ppt'],
    ...['doc-html', 'doc-md', 'odt-html', 'odt-md', 'rtf-html', 'rtf-md', 'ppt-md', 'odp-html', 'odp-md'],
  ]
  const results = new Map<string, string>()

  beforeAll(async () => {
    const sources = new Map<string, string>([
      ...(['docx', 'rtf', 'pptx', 'xlsx'] as const).map((format): [string, string] => [
        format,
        written[format](),
      ]),
      [
        'html',
        write('page.html', latin1(`<meta charset="windows-1252"><h1>${words.join('</h1><p>')}<p>${special}`)),
      ],
      ['txt', write('plain.txt', latin1([...words, special].join('\r\n')))],
    ])
    const open: [string, string][] = []
    for (const way of ways) {
      const [source = '', target = ''] = way.split('-')
      const { path, warnings } = await convertFile(`document.${source}-to-${target}`, sources.get(source)!)
      // What a plain text does not say is guessed, and said.
      expect(warnings, way).toEqual(source === 'txt' ? [expect.stringContaining('Windows-1252')] : [])
      const own = files.path(`${way}.${target}`)
      renameSync(path, own)
      if (!sources.has(target)) sources.set(target, own)
      const text = textOf(own, target)
      if (text === undefined) open.push([way, own])
      else results.set(way, text)
    }
    for (const [index, pdf] of savedByLibreOffice(
      'pdf',
      open.map(([, path]) => path),
    ).entries())
      results.set(open[index]![0], tool('pdftotext', pdf, '-'))
  }, 300_000)

  test.each(ways)('%s', way => {
    for (const text of words) expect(results.get(way)).toContain(text)
    if (/^(html|txt)/.test(way)) expect(results.get(way)).toContain('Größe für Öl, 12 €')
    expect(results.get(way)).not.toContain('\uFEFF')
  })
})

test.each([
  ['an encrypted one', '<manifest:encryption-data/>', 'jobs.encrypted_input'],
  ['nothing but a media type', '<manifest/>', 'jobs.corrupt_input'],
])('OpenDocument that is %s fails with the right code', async (_, manifest, code) => {
  const parts = { mimetype: 'application/vnd.oasis.opendocument.text', 'META-INF/manifest.xml': manifest }
  const packed = Object.entries(parts).map(([name, text]) => [name, Buffer.from(text)])
  const path = write(`${code}.odt`, zipSync(Object.fromEntries(packed)))
  await expect(convertFile('document.odt-to-docx', path)).rejects.toMatchObject({ code })
})

test('another kind of document says which it is', async () => {
  const path = write('sheet.odt', readFileSync(written.xlsx()))
  await expect(convertFile('document.odt-to-docx', path)).rejects.toMatchObject({
    code: 'jobs.corrupt_input',
  })
})

testFull('formulas that are blank in a DOC are named, and kept in an ODT', async () => {
  const equation = 'http://schemas.openxmlformats.org/officeDocument/2006/math'
  const formula = `<w:p><m:oMath xmlns:m="${equation}"><m:r><m:t>a+b</m:t></m:r></m:oMath></w:p>`
  const source = write('formula.docx', docx({ paragraphs: ['Sum'], body: formula }))
  const { warnings } = await convertFile('document.docx-to-doc', source)
  expect(warnings).toEqual([expect.stringContaining('formulas')])
  const kept = await convertFile('document.docx-to-odt', source)
  expect(kept.warnings).toEqual([])
  expect(tool('pandoc', '-f', 'odt', '-t', 'plain', kept.path)).toMatch(/a\s\+\sb/)
  const rtf = await convertFile('document.docx-to-rtf', source)
  for (const path of [kept.path, rtf.path]) {
    const blank = await convertFile(`document.${extname(path).slice(1)}-to-doc`, path)
    expect(blank.warnings).toEqual(warnings)
  }
})

const pairs = documents.filter(
  ({ extension, engine, source, target }) =>
    extension && engine === 'office' && source !== 'files' && target !== 'jpg' && target !== 'png',
)

test
  .runIf(hasCorpus)
  .each(pairs.flatMap(({ job, source, target }) => corpus(source).map(path => [job, target, path] as const)))(
  '%s can be read elsewhere: %s of %s',
  async (job, target, sample) => {
    const known = [
      'jobs.encrypted_input',
      'jobs.corrupt_input',
      'jobs.unsupported_input',
      'jobs.too_many_pages',
    ]
    const made = await convertFile(job, sample).catch(error => {
      expect(known).toContain(error.code)
      return undefined
    })
    if (!made) return
    const own = files.path(`sample.${target}`)
    renameSync(made.path, own)
    expect(textOf(own, target) ?? tool('pdftotext', savedByLibreOffice('pdf', [own])[0]!, '-')).toBeTypeOf(
      'string',
    )
  },
  120_000,
)
