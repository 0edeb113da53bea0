/**
 * What Gotenberg's own integration tests (test/integration/features, Apache-2.0) ask of these routes, with documents of our own: what is
 * in docs/gate.md. A row that ends in `not` is a known difference, and fails once it is none.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { testFull } from '../../../../testing/describe-full.ts'
import { rawPdf } from '../../../../testing/pdf.ts'
import { sharedService } from '../../../../testing/service.ts'

const service = sharedService()
const folder = mkdtempSync(join(tmpdir(), 'refile-features-'))
const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

/** A PDF with a line on each page. */
const pdf = (...lines: string[]) =>
  rawPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${lines.length}/Kids[${lines.map((_, at) => `${4 + 2 * at} 0 R`).join(' ')}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...lines.flatMap((line, at) => {
      const content = `BT /F 24 Tf 72 700 Td (${line}) Tj ET`
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F 3 0 R>>>>/Contents ${5 + 2 * at} 0 R>>`,
        `<</Length ${content.length}>>stream\n${content}\nendstream`,
      ]
    }),
  ])
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `Page ${at + 1}`)

/** A Word file of these pages, written by LibreOffice or pandoc's own writer. */
function docx(...lines: string[]): Buffer {
  const path = join(folder, 'made.docx')
  const breaks = '\n\n```{=openxml}\n<w:p><w:r><w:br w:type="page"/></w:r></w:p>\n```\n\n'
  writeFileSync(join(folder, 'made.md'), lines.join(breaks))
  run('pandoc', join(folder, 'made.md'), '-o', path)
  return readFileSync(path)
}

const files: Record<string, () => string | Buffer> = {
  'page_1.docx': () => docx('Page 1'),
  'page_2.docx': () => docx('Page 2'),
  'Special_Chars_ß.docx': () => docx('Page 1'),
  'pages_3.docx': () => docx(...numbered(3)),
  'pages_12.docx': () => docx(...numbered(12)),
  'sheet.csv': () => 'Name,Age\nAlice,3\n',
  'page_1.pdf': () => pdf('Page 1'),
  'page_2.pdf': () => pdf('Page 2'),
  'pages_3.pdf': () => pdf(...numbered(3)),
  'pages_12.pdf': () => pdf(...numbered(12)),
  'index.html': () => '<h1>Page 1</h1><p style="page-break-before: always">Page 2</p>',
  'page.md': () => 'Page **1**',
  'template/index.html': () => '<html><body>{{ toHTML "page.md" }}</body></html>',
  'header.html': () => '<p>The head</p>',
  'footer.html': () =>
    '<html><head><style>p { text-align: center; font-size: 12px }</style></head><body><p><span class="pageNumber"></span> of <span class="totalPages"></span></p></body></html>',
  'print.html/index.html': () => '<style>@media screen { p { display: none } }</style><p>Page 1</p>',
}

interface Row {
  files: string[]
  fields?: Record<string, string>
  status?: number
  type?: 'pdf' | 'zip' | 'json'
  /** Names in the ZIP. */
  names?: string[]
  /** How many pages the files have in turn. */
  pages?: number[]
  /** What is on them, and what is not. */
  text?: RegExp
  without?: RegExp
  /** In the output of pdfinfo. */
  info?: RegExp
  headers?: Record<string, string>
  not?: string
}

const convert = '/forms/libreoffice/convert'
const html = '/forms/chromium/convert/html'
const engines = '/forms/pdfengines'
const metadata = {
  metadata: JSON.stringify({
    Author: 'Julien',
    Title: 'Sample',
    Subject: 'S',
    Keywords: ['first', 'second'],
  }),
}
const written = /Title: +Sample[\s\S]*Author: +Julien/
const intervals = (span: string) => ({ splitMode: 'intervals', splitSpan: span })
const foo = { 'gotenberg-output-filename': 'foo' }
const LANDSCAPE = /Page size: +(?:792|841\.\d+) x (?:612|595\.\d+)/

const table: Record<string, Record<string, Row>> = {
  [convert]: {
    'Single Document': {
      files: ['page_1.docx'],
      pages: [1],
      text: /Page 1/,
      headers: foo,
      names: ['foo.pdf'],
    },
    'CSV Without Sheet Name Header': {
      files: ['sheet.csv'],
      text: /Alice/,
      pages: [1],
      without: /[\da-f]{8}-/,
    },
    'Many Documents': {
      files: ['page_1.docx', 'page_2.docx'],
      names: ['page_1.docx.pdf', 'page_2.docx.pdf'],
      pages: [1, 1],
      text: /Page 1\s+Page 2/,
    },
    'Non-basic Latin Characters': { files: ['Special_Chars_ß.docx'], pages: [1], text: /Page 1/ },
    Landscape: { files: ['page_1.docx'], fields: { landscape: 'true' }, info: LANDSCAPE },
    'Native Page Ranges': {
      files: ['pages_3.docx', 'pages_12.docx'],
      fields: { nativePageRanges: '2-3' },
      names: ['pages_3.docx.pdf', 'pages_12.docx.pdf'],
      pages: [2, 2],
      text: /^\s*Page 2\s+Page 3/,
    },
    'Bad Request: no files': { files: [], status: 400 },
    'Bad Request: nativePageRanges': {
      files: ['page_1.docx'],
      fields: { nativePageRanges: 'foo' },
      status: 400,
    },
    'Bad Request: password of a file without one': {
      files: ['page_1.docx'],
      fields: { password: 'foo' },
      status: 400,
      not: 'it is not needed',
    },
    'Bad Request: merge': { files: ['page_1.docx', 'page_2.docx'], fields: { merge: 'foo' }, status: 400 },
    'Bad Request: splitMode': {
      files: ['pages_3.docx'],
      fields: { splitMode: 'foo', splitSpan: '2' },
      status: 400,
    },
    'Bad Request: splitSpan of intervals': { files: ['pages_3.docx'], fields: intervals('foo'), status: 400 },
    'Bad Request: splitSpan of pages': {
      files: ['pages_3.docx'],
      fields: { splitMode: 'pages', splitSpan: 'foo' },
      status: 400,
    },
    'Bad Request: pdfa': { files: ['page_1.docx'], fields: { pdfa: 'foo' }, status: 400 },
    'Bad Request: pdfua': { files: ['page_1.docx'], fields: { pdfua: 'foo' }, status: 400 },
    'Bad Request: metadata': { files: ['page_1.docx'], fields: { metadata: 'foo' }, status: 400 },
    Merge: {
      files: ['page_1.docx', 'page_2.docx'],
      fields: { merge: 'true' },
      pages: [2],
      text: /Page 1\s+Page 2/,
      headers: foo,
      names: ['foo.pdf'],
    },
    'Merge & Split': {
      files: ['page_1.docx', 'page_2.docx'],
      fields: { merge: 'true', ...intervals('1') },
      type: 'zip',
      pages: [1, 1],
    },
    'Split Intervals': {
      files: ['pages_3.docx'],
      fields: intervals('2'),
      type: 'zip',
      pages: [2, 1],
      text: /Page 1\s+Page 2\s+Page 3/,
    },
    'Split Intervals: names': {
      files: ['pages_3.docx'],
      fields: intervals('2'),
      names: ['pages_3.docx_0.pdf', 'pages_3.docx_1.pdf'],
      not: 'parts are named after their pages',
    },
    'Split Pages': {
      files: ['pages_3.docx'],
      fields: { splitMode: 'pages', splitSpan: '2-' },
      type: 'zip',
      pages: [1, 1],
      text: /^\s*Page 2\s+Page 3/,
    },
    'Split Pages & Unify': {
      files: ['pages_3.docx'],
      fields: { splitMode: 'pages', splitSpan: '2-', splitUnify: 'true' },
      pages: [2],
      text: /^\s*Page 2\s+Page 3/,
    },
    'Split Many PDFs': {
      files: ['pages_12.docx', 'pages_3.docx'],
      fields: intervals('1'),
      type: 'zip',
      pages: Array(15).fill(1),
      not: 'a ZIP for each of several documents',
    },
    'PDF/A-1b & PDF/UA-1': {
      files: ['page_1.docx'],
      fields: { pdfa: 'PDF/A-1b', pdfua: 'true' },
      not: 'not offered',
    },
    'PDF/A-2b & PDF/UA-1': {
      files: ['page_1.docx'],
      fields: { pdfa: 'PDF/A-2b', pdfua: 'true' },
      pages: [1],
    },
    Metadata: { files: ['page_1.docx'], fields: metadata, info: written },
    Flatten: { files: ['page_1.docx'], fields: { flatten: 'true' }, pages: [1] },
    'Encrypt, user password': { files: ['page_1.docx'], fields: { userPassword: 'foo' }, type: 'pdf' },
    Trace: { files: ['page_1.docx'], headers: { 'gotenberg-trace': 'abc' }, pages: [1] },
  },
  [html]: {
    Default: { files: ['index.html'], pages: [2], text: /Page 1\s+Page 2/, headers: foo, names: ['foo.pdf'] },
    'Single Page': {
      files: ['index.html'],
      fields: { singlePage: 'true' },
      pages: [1],
      not: 'the field is ignored',
    },
    Landscape: { files: ['index.html'], fields: { landscape: 'true' }, info: LANDSCAPE },
    'Paper size': {
      files: ['index.html'],
      fields: { paperWidth: '4', paperHeight: '6' },
      info: /Page size: +288(?:\.\d+)? x 43[12]/,
    },
    'Native Page Ranges': {
      files: ['index.html'],
      fields: { nativePageRanges: '2' },
      pages: [1],
      text: /^\s*Page 2/,
    },
    'Header & Footer': {
      files: ['index.html', 'header.html', 'footer.html'],
      pages: [2],
      text: /The head[\s\S]*1 of 2[\s\S]*The head[\s\S]*2 of 2/,
    },
    'Bad Request: scale': { files: ['index.html'], fields: { scale: '0.5' }, status: 400 },
    'Emulated Media Type: print': { files: ['print.html/index.html'], text: /Page 1/ },
    'Bad Request: no index.html': { files: ['page.md'], status: 400 },
    'Bad Request: paper': { files: ['index.html'], fields: { paperWidth: 'foo' }, status: 400 },
    'Bad Request: margin': { files: ['index.html'], fields: { marginTop: 'foo' }, status: 400 },
    'Bad Request: landscape': { files: ['index.html'], fields: { landscape: 'foo' }, status: 400 },
    'Split Intervals': { files: ['index.html'], fields: intervals('1'), type: 'zip', pages: [1, 1] },
    'PDF/A-2b': { files: ['index.html'], fields: { pdfa: 'PDF/A-2b' }, pages: [2] },
    Metadata: { files: ['index.html'], fields: metadata, info: written },
  },
  '/forms/chromium/convert/markdown': {
    Default: { files: ['template/index.html', 'page.md'], text: /Page 1/, pages: [1] },
    'Bad Request: no Markdown': { files: ['template/index.html'], status: 400 },
    Metadata: { files: ['template/index.html', 'page.md'], fields: metadata, info: written },
  },
  '/forms/chromium/convert/url': {
    Default: { files: ['index.html'], fields: { url: 'https://example.com' }, not: 'no page is loaded' },
  },
  [`${engines}/merge`]: {
    'In the order of names': {
      files: ['page_2.pdf', 'page_1.pdf'],
      text: /^\s*Page 1\s+Page 2/,
      pages: [2],
      headers: foo,
      names: ['foo.pdf'],
    },
    'PDF/A-2b': { files: ['page_1.pdf', 'page_2.pdf'], fields: { pdfa: 'PDF/A-2b' }, pages: [2] },
    Metadata: { files: ['page_1.pdf', 'page_2.pdf'], fields: metadata, info: written },
    'Bad Request: no files': { files: [], status: 400 },
    'Bad Request: pdfa': { files: ['page_1.pdf'], fields: { pdfa: 'foo' }, status: 400 },
  },
  [`${engines}/split`]: {
    Intervals: { files: ['pages_3.pdf'], fields: intervals('2'), type: 'zip', pages: [2, 1] },
    Pages: {
      files: ['pages_3.pdf'],
      fields: { splitMode: 'pages', splitSpan: '2-' },
      type: 'zip',
      pages: [1, 1],
    },
    Unify: {
      files: ['pages_3.pdf'],
      fields: { splitMode: 'pages', splitSpan: '2-', splitUnify: 'true' },
      pages: [2],
    },
    'Bad Request: mode': { files: ['pages_3.pdf'], fields: { splitMode: 'foo' }, status: 400 },
    'Bad Request: no mode': { files: ['pages_3.pdf'], status: 400 },
    'PDF/A-2b': {
      files: ['pages_3.pdf'],
      fields: { ...intervals('2'), pdfa: 'PDF/A-2b' },
      type: 'zip',
      info: /PDF\/A/,
      not: 'the field is ignored',
    },
  },
  [`${engines}/convert`]: {
    'PDF/A-2b': { files: ['page_1.pdf'], fields: { pdfa: 'PDF/A-2b' }, pages: [1] },
    'PDF/A-3b, many': {
      files: ['page_1.pdf', 'page_2.pdf'],
      fields: { pdfa: 'PDF/A-3b' },
      type: 'zip',
      pages: [1, 1],
    },
    'PDF/UA': {
      files: ['page_1.pdf'],
      fields: { pdfua: 'true' },
      info: /PDF subtype: +PDF\/UA/,
      not: 'the field is ignored',
    },
    'Bad Request: neither': { files: ['page_1.pdf'], status: 400 },
    'Bad Request: pdfa': { files: ['page_1.pdf'], fields: { pdfa: 'foo' }, status: 400 },
  },
  [`${engines}/flatten`]: {
    Single: { files: ['page_1.pdf'], pages: [1], text: /Page 1/, headers: foo, names: ['foo.pdf'] },
    Many: { files: ['page_1.pdf', 'page_2.pdf'], names: ['page_1.pdf', 'page_2.pdf'], pages: [1, 1] },
    'Bad Request: no files': { files: [], status: 400 },
  },
  [`${engines}/rotate`]: {
    'By 90': { files: ['page_1.pdf'], fields: { rotateAngle: '90' }, info: /Page rot: +90/ },
    'Bad Request: angle': { files: ['page_1.pdf'], fields: { rotateAngle: '45' }, status: 400 },
  },
  [`${engines}/encrypt`]: {
    'User password': { files: ['page_1.pdf'], fields: { userPassword: 'foo' }, type: 'pdf' },
    Many: {
      files: ['page_1.pdf', 'page_2.pdf'],
      fields: { userPassword: 'foo' },
      type: 'zip',
      names: ['page_1.pdf', 'page_2.pdf'],
    },
    'Bad Request: no password': { files: ['page_1.pdf'], status: 400 },
  },
  [`${engines}/metadata/write`]: {
    Single: { files: ['page_1.pdf'], fields: metadata, info: written },
    Many: {
      files: ['page_1.pdf', 'page_2.pdf'],
      fields: metadata,
      type: 'zip',
      names: ['page_1.pdf', 'page_2.pdf'],
    },
    'Dates, Producer and names of its own': {
      files: ['page_1.pdf'],
      fields: { metadata: '{"Producer":"Gotenberg"}' },
      info: /Producer: +Gotenberg/,
      not: 'only four are written',
    },
    'Bad Request: no metadata': { files: ['page_1.pdf'], status: 400 },
    'Bad Request: not JSON': { files: ['page_1.pdf'], fields: { metadata: 'foo' }, status: 400 },
  },
  [`${engines}/metadata/read`]: {
    Many: { files: ['page_1.pdf', 'page_2.pdf'], type: 'json' },
    'Bad Request: no files': { files: [], status: 400 },
  },
}

const TYPES = { pdf: 'application/pdf', zip: 'application/zip', json: 'application/json' }

async function check(path: string, row: Row) {
  const form = new FormData()
  for (const name of row.files)
    form.append('files', new Blob([new Uint8Array(Buffer.from(files[name]!()))]), name.split('/').at(-1))
  for (const [name, value] of Object.entries(row.fields ?? {})) form.append(name, value)
  if (row.files.length === 0) form.append('unknown', 'x')
  const headers = { authorization: `Bearer ${service().key}`, ...row.headers }
  const answer = await fetch(`${service().url}/gotenberg${path}`, { method: 'POST', body: form, headers })
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(answer.status, bytes.toString('latin1', 0, 300)).toBe(row.status ?? 200)
  if (row.status) return expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
  const { names = [] } = row
  const type = row.type ?? (names.length > 1 ? 'zip' : 'pdf')
  expect(answer.headers.get('content-type')).toContain(TYPES[type])
  if (row.headers?.['gotenberg-trace']) expect(answer.headers.get('gotenberg-trace')).toBe('abc')
  const own = mkdtempSync(join(folder, 'answer-'))
  const whole = join(own, 'answer')
  writeFileSync(whole, bytes)
  if (type === 'json') return expect(Object.keys(JSON.parse(bytes.toString()))).toEqual(row.files)
  if (type === 'zip') run('unzip', '-d', join(own, 'parts'), whole)
  const parts =
    type === 'zip' ? readdirSync(join(own, 'parts')).map(name => join(own, 'parts', name)) : [whole]
  if (names.length > 1)
    expect(run('unzip', '-Z1', whole).trim().split('\n').toSorted()).toEqual(names.toSorted())
  if (names.length === 1) expect(answer.headers.get('content-disposition')).toContain(`"${names[0]}"`)
  if (row.pages) expect(parts.map(part => Number(run('qpdf', '--show-npages', part)))).toEqual(row.pages)
  const text = () => parts.map(part => run('pdftotext', part, '-')).join('')
  if (row.text) expect(text()).toMatch(row.text)
  if (row.without) expect(text()).not.toMatch(row.without)
  if (row.info) for (const part of parts) expect(run('pdfinfo', part)).toMatch(row.info)
}

describe.each(Object.entries(table))('%s', (path, rows) => {
  for (const [scenario, row] of Object.entries(rows))
    testFull(row.not ? `${scenario} (not: ${row.not})` : scenario, async () => {
      if (!row.not) return check(path, row)
      await expect(check(path, row), 'is no difference any more').rejects.toThrow()
    })
})
