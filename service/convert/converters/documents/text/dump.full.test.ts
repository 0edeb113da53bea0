import { mkdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { outlookMessage } from '../../../../../testing/compound.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { epubOf, page } from '../../../../../testing/fixtures/books.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { docx } from '../../../../../testing/fixtures/office.ts'
import { pptx } from '../../../../../testing/fixtures/slides.ts'
import { typeset } from '../../../../../testing/fixtures/typst.ts'
import { readers } from '../../../engines/documents/index.ts'

const files = testFiles('dump')

const WORD = 'Words'
const mail = `Subject: ${WORD}\n\n${WORD}\n`
const fixtures: Record<keyof typeof readers, string | Uint8Array> = {
  docx: docx({ paragraphs: [WORD] }),
  eml: mail,
  html: `<p>${WORD}</p>`,
  ipynb: JSON.stringify({ cells: [{ cell_type: 'markdown', source: WORD }] }),
  mbox: `From a@example.com Tue Nov 24 10:00:00 2026\n${mail}`,
  md: WORD,
  msg: outlookMessage({ subject: WORD, body: WORD }),
  org: WORD,
  pptx: pptx([WORD]),
  rst: WORD,
  tex: WORD,
  txt: WORD,
}
const book = epubOf({
  'c.opf':
    '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
  'a.xhtml': page(WORD, `<p>${WORD}</p>`),
})

test('developers see what was read, whatever reads it', async () => {
  const folder = join(dirname(files.path('x')), 'models')
  mkdirSync(folder, { recursive: true })
  vi.stubEnv('REFILE_DUMP', folder)
  const convert = async (job: string, bytes: string | Uint8Array, suffix: string) => {
    const path = files.write(Buffer.from(bytes), suffix)
    await convertFile(job, path)
    const { blocks } = JSON.parse(readFileSync(join(folder, `${basename(path, `.${suffix}`)}.json`), 'utf8'))
    expect(JSON.stringify(blocks), job).toContain(WORD)
  }
  for (const format of Object.keys(readers) as (keyof typeof readers)[])
    await convert(`document.${format}-to-${format === 'rst' ? 'md' : 'rst'}`, fixtures[format], format)
  await convert('document.md-to-pdf', WORD, 'md')
  await convert('ebook.epub-to-md', book, 'epub')
  await convert('document.csv-to-md', `a,${WORD}\n`, 'csv')
  for (const job of ['document.pdf-to-md', 'ebook.pdf-to-epub']) await convert(job, typeset(WORD), 'pdf')
  vi.unstubAllEnvs()
})
