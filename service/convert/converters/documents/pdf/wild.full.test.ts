/** Tools on PDFs of the world, if they are there: judged by qpdf and poppler. */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { bundled } from '../../../../../testing/bundle.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { corpus, hasCorpus, judge, tool } from '../../../../../testing/fixtures/media.ts'
import { makePdf } from '../../../../../testing/pdf.ts'

const files = testFiles('wild')
const letter = files.path('letter.pdf')
const real = [...corpus('pdf'), ...corpus('pdf-tables')].filter(
  path => path.endsWith('.pdf') && !/pw|password/.test(path),
)
const found = hasCorpus ? real : ['no corpus']

const wordsOf = (path: string) =>
  (judge('pdftotext', path, '-').text.match(/\S+/g) ?? []).toSorted().join(' ')
const checked = (path: string) => {
  expect(judge('qpdf', '--check', path).status).not.toBe(2)
  return path
}
const together = async (paths: readonly string[], options: object) => {
  const bundle = files.write(Buffer.from(''), 'tmp').replace(/tmp$/, 'bundle')
  await bundled(bundle, paths)
  return convertFile('document.files-to-pdf', bundle, { ...options })
}
const edit = (path: string, options: object) =>
  convertFile('document.pdf-to-pdf', path, { compression: 'none', ...options })

describe.runIf(hasCorpus).each(found)('%s', path => {
  test('keeps its words with a letterhead and an attachment, parted, and compared with itself', async () => {
    await makePdf(letter, document => document.rect(0, 0, 20, 20).fill('red'))
    const words = wordsOf(path)
    const stamped = await together([letter, path], { combine: 'stamp', layer: 'under' })
    expect(wordsOf(checked(stamped.path))).toBe(words)
    const note = files.path('note.csv')
    writeFileSync(note, 'a,b\n')
    const attached = checked((await together([path, note], { combine: 'attach' })).path)
    expect(wordsOf(attached)).toBe(words)
    const taken = await convertFile('document.pdf-to-zip', attached)
    expect(taken.outputs.map(({ name }) => name)).toContain('note.csv')
    const { outputs } = await edit(path, { split: 'pages' })
    expect(
      outputs
        .flatMap(each => wordsOf(checked(each.path)).split(' '))
        .filter(Boolean)
        .toSorted()
        .join(' '),
    ).toBe(words)
    const [marked, json] = (await together([path, path], { combine: 'compare' })).outputs
    checked(marked!.path)
    expect(JSON.parse(readFileSync(json!.path, 'utf8'))).toMatchObject({ equal: true })
  }, 60_000)

  test('has its first page as a vector graphic and a TIFF', async () => {
    const svg = await convertFile('document.pdf-to-svg', path, { pages: '1' })
    expect(readFileSync(svg.path, 'latin1')).toContain('</svg>')
    const tiff = await convertFile('document.pdf-to-tiff', path, { pages: '1', dpi: 50 })
    expect(tool('identify', '-format', '%m', tiff.path)).toBe('TIFF')
  })
})
