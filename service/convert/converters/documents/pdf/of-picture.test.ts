/** The text of pictures, which are drawn by Poppler from typeset pages whose words are known. */
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { describeFull, testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { typeset } from '../../../../../testing/fixtures/typst.ts'

const files = testFiles('of-picture')

const TITLE = 'Minutes of the meeting'
const TEXT = [
  'The council met on Tuesday and agreed to repair the northern bridge before winter comes.',
  'Costs of 12,840 crowns are shared between the villages on both banks of the river.',
]
const [screen, photo, pages] = [files.path('screen.png'), files.path('photo.jpg'), files.path('pages.tiff')]

let source = ''
const draw = (dpi: number) =>
  tool('pdftoppm', '-r', String(dpi), '-png', '-singlefile', source, files.path(String(dpi)))

beforeAll(() => {
  const page = `#set page(width: 420pt, height: 170pt, margin: 24pt)\n#set text(size: 11pt)\n`
  source = files.write(typeset(`${page}= ${TITLE}\n${TEXT.join('\n\n')}`), 'pdf')
  draw(96)
  tool('convert', files.path('96.png'), screen)
})

const plain = (text: string) => text.replace(/\s+/g, ' ')

describeFull('a picture', true, () => {
  beforeAll(() => {
    draw(600)
    // As a phone takes it: finer than any scan, a little askew, and said to be of 72 pixels an inch.
    tool('convert', files.path('600.png'), '-rotate', '1.3', '-density', '72', '-quality', '80', photo)
    tool('convert', files.path('96.png'), files.path('96.png'), pages)
  })

  test.each([
    ['jpg', photo, 1],
    ['tiff', pages, 2],
  ])('in %s is read to its end', async (source, path, times) => {
    const { path: written, warnings } = await convertFile(`document.${source}-to-txt`, path)
    const text = plain(readFileSync(written, 'utf8'))
    for (const line of [TITLE, ...TEXT]) expect(text.split(line)).toHaveLength(times + 1)
    expect(warnings).toEqual([])
  })
})

test('it becomes a document with its heading and paragraphs', async () => {
  const { path } = await convertFile('document.png-to-docx', screen)
  const blocks = tool('pandoc', path, '-t', 'plain', '--wrap=none').split(/\n\n+/)
  expect(blocks.map(block => block.trim()).filter(Boolean)).toEqual([TITLE, ...TEXT])
})

testFull('it becomes a PDF that can be searched', async () => {
  const { path } = await convertFile('document.png-to-pdfa', screen, { ocr: { enabled: true } })
  expect(plain(tool('pdftotext', path, '-'))).toContain(TEXT[0])
  expect(tool('pdfimages', '-list', path).trim().split('\n')).toHaveLength(3)
})

testFull('one without text is refused, and a language that is missing is named', async () => {
  for (const size of ['60x40', '400x300']) {
    const empty = files.path(`${size}.png`)
    tool('convert', '-size', size, 'gradient:white-grey', empty)
    await expect(convertFile('document.png-to-txt', empty)).rejects.toMatchObject({
      code: 'jobs.unsupported_input',
    })
  }
  await expect(
    convertFile('document.png-to-txt', screen, { ocr: { languages: 'xyz' } }),
  ).rejects.toMatchObject({
    code: 'jobs.engine_missing',
  })
})
