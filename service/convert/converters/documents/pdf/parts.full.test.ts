import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bundled } from '../../../../../testing/bundle.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { judge, tool } from '../../../../../testing/fixtures/media.ts'
import { pdfStream, rawPdf } from '../../../../../testing/pdf.ts'
import { fieldsPdf } from '../../../../../testing/pdf-fields.ts'

const files = testFiles('pdf-parts')

/** Three pages, labelled i, ii and A-5, with a hidden layer, a centred field, and bookmarks of every kind. */
const source = rawPdf(
  [
    `<< /Type /Catalog /Pages 2 0 R /Outlines 10 0 R /PageLabels << /Nums [0 << /S /r >> 2 << /S /D /P (A-) /St 5 >>] >>
      /AcroForm << /Fields [9 0 R] /Q 1 /DA (/Helv 12 Tf 0 g) >> /OCProperties << /OCGs [7 0 R 8 0 R] /D << /BaseState /OFF /ON [8 0 R] >> >>
      /Names << /Dests << /Names [(loop) (loop) (second) << /D [4 0 R /Fit] >>] >> >> >>`,
    '<< /Type /Pages /Count 3 /Kids [3 0 R 4 0 R 5 0 R] /MediaBox [0 0 200 100] >>',
    ...['/Annots [9 0 R]', '', ''].map(
      more =>
        `<< /Type /Page /Parent 2 0 R /Contents 6 0 R /Resources << /Properties << /Hidden 7 0 R /Shown 8 0 R >> >> ${more} >>`,
    ),
    pdfStream('', '/OC /Hidden BDC 0 0 90 90 re f EMC /OC /Shown BDC 100 0 90 90 re f EMC'),
    '<< /Type /OCG /Name (Hidden) >>',
    '<< /Type /OCG /Name (Shown) >>',
    '<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /Rect [10 10 50 20] /P 3 0 R >>',
    '<< /Type /Outlines /First 11 0 R /Last 15 0 R /Count 5 >>',
    ...[
      '/Title (page) /Dest [3 0 R /Fit] /Next 12 0 R',
      '/Title (number) /Dest [2 /Fit] /Prev 11 0 R /Next 13 0 R',
      '/Title (name) /A << /S /GoTo /D (second) >> /Prev 12 0 R /Next 14 0 R',
      '/Title (loop) /Dest (loop) /Prev 13 0 R /Next 15 0 R',
      '/Title (site) /A << /S /URI /URI (https://example.org) >> /Prev 14 0 R',
    ].map(entries => `<< ${entries} /Parent 10 0 R >>`),
    '<< /Title (Whole book) >>',
  ],
  '/Info 16 0 R',
)

interface Judged {
  pages: { label: unknown }[]
  pagelabels: { index: number; label: Record<string, unknown> }[]
  outlines: { title: string }[]
  acroform: { fields: { quadding: number }[] }
}

/** What qpdf finds in a file that is sound. */
function judged(path: string): Judged {
  expect(judge('qpdf', '--check', path)).toMatchObject({ status: 0 })
  const keys = ['pages', 'pagelabels', 'outlines', 'acroform'].map(key => `--json-key=${key}`)
  return JSON.parse(tool('qpdf', '--json', ...keys, path)) as Judged
}

/** How dark the left and the right half of a page are drawn by poppler. */
function halves(path: string, page = 1): boolean[] {
  tool(
    'pdftoppm',
    '-r',
    '72',
    '-gray',
    '-f',
    `${page}`,
    '-l',
    `${page}`,
    '-singlefile',
    path,
    files.path('page'),
  )
  const pixels = readFileSync(files.path('page.pgm')).subarray(-200 * 100)
  return [40, 140].map(x => pixels[50 * 200 + x] === 0)
}

test('labels, title, layers and defaults of fields stay with pages of their own, and no bookmark of others', async () => {
  const { outputs } = await convertFile('document.pdf-to-pdf', files.write(source, 'pdf'), { split: 'pages' })
  const found = outputs.map(({ path }) => judged(path))
  expect(found.map(({ outlines }) => outlines.map(({ title }) => title))).toEqual([
    ['page', 'loop', 'site'],
    ['name', 'loop', 'site'],
    ['number', 'loop', 'site'],
  ])
  expect(found.map(({ pagelabels }) => pagelabels[0]!.label)).toEqual([
    { '/S': '/r', '/St': 1 },
    { '/S': '/r', '/St': 2 },
    { '/P': 'u:A-', '/S': '/D', '/St': 5 },
  ])
  expect(found.map(({ acroform }) => acroform.fields.map(({ quadding }) => quadding))).toEqual([[1], [], []])
  for (const { path } of outputs) {
    expect(tool('pdfinfo', path)).toMatch(/Title:\s+Whole book/)
    expect(halves(path)).toEqual([false, true])
  }
})

test('labels, title, layers and defaults of fields stay when files are joined', async () => {
  const bundle = files.path('two.bundle')
  const left = Buffer.from(source.toString('latin1').replace('/Q 1', '/Q 2'), 'latin1')
  await bundled(bundle, [files.write(source, 'pdf'), files.write(left, 'pdf')])
  const { path } = await convertFile('document.files-to-pdf', bundle)
  const { pagelabels, acroform } = judged(path)
  expect(pagelabels).toEqual([
    { index: 0, label: { '/S': '/r', '/St': 1 } },
    { index: 2, label: { '/P': 'u:A-', '/S': '/D', '/St': 5 } },
    { index: 3, label: { '/S': '/r', '/St': 1 } },
    { index: 5, label: { '/P': 'u:A-', '/S': '/D', '/St': 5 } },
  ])
  expect(acroform.fields.map(({ quadding }) => quadding)).toEqual([1, 2])
  expect(tool('pdfinfo', path)).toMatch(/Title:\s+Whole book/)
  for (const page of [1, 4]) expect(halves(path, page)).toEqual([false, true])
})

/** One page many times, with a field and a bookmark, as programs join the same form again and again. */
const repeated = (count: number) => {
  const one = files.write(fieldsPdf(true), 'pdf')
  const path = files.path(`${count} times.pdf`)
  tool('qpdf', '--empty', '--pages', ...Array.from({ length: count }, () => [one, '1']).flat(), '--', path)
  return path
}

test('the same page many times is split', async () => {
  const { outputs } = await convertFile('document.pdf-to-pdf', repeated(200), { split: 'pages' })
  expect(outputs).toHaveLength(200)
  for (const { path } of [outputs[0]!, outputs[199]!]) expect(judged(path).pages).toHaveLength(1)
})

test('a thousand pages are split in about three times as long as qpdf takes', async () => {
  const path = repeated(1000)
  const before = process.cpuUsage()
  await convertFile('document.pdf-to-pdf', path, { split: 'pages', compression: 'none' })
  const { user } = process.cpuUsage(before)
  const start = performance.now()
  tool('qpdf', '--split-pages', path, files.path('one.pdf'))
  expect(user / 1000).toBeLessThan(4 * (performance.now() - start) + 2000)
})
