import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { oldBook } from '../../../../../testing/book-kinds.ts'
import { readEpubs } from '../../../../../testing/books.ts'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { epubOf, page, picture } from '../../../../../testing/fixtures/books.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { pdfBlocks } from '../../../../../testing/pdf-structure.ts'
import { wordRecall, wordsOf } from '../../../../../testing/words.ts'

const files = testFiles('book-text')
let source = ''
let words: string[] = []
beforeAll(async () => {
  source = files.write(await oldBook(), 'epub')
  words = readEpubs(source)[0]!.words
})

/** A package of these files, with the documents in their order. */
const packaged = (contents: Record<string, string | Uint8Array>) => {
  const types: Record<string, string> = { xhtml: 'application/xhtml+xml', css: 'text/css', png: 'image/png' }
  const names = Object.keys(contents)
  const items = names.map(
    name => `<item id="${name}" href="${name}" media-type="${types[name.split('.')[1]!]}"/>`,
  )
  const spine = names.filter(name => name.endsWith('.xhtml')).map(name => `<itemref idref="${name}"/>`)
  return epubOf({
    'book.opf': `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">x</dc:identifier><dc:title>Book</dc:title><dc:language>en</dc:language></metadata><manifest>${items.join('')}</manifest><spine>${spine.join('')}</spine></package>`,
    ...contents,
  })
}

const pandoc = (path: string, from: string) => tool('pandoc', '-f', from, '-t', 'plain', '--wrap=none', path)

test.each([
  ['txt', (path: string) => readFileSync(path, 'utf8')],
  ['html', (path: string) => pandoc(path, 'html')],
  ['md', (path: string) => pandoc(path, 'gfm')],
  ['pdf', (path: string) => tool('pdftotext', path, '-')],
])('%s has the words of the book', async (target, read) => {
  const { path, warnings } = await convertFile(`ebook.epub-to-${target}`, source)
  expect(wordRecall(wordsOf(words.join(' ')), wordsOf(read(path)))).toBeGreaterThan(0.98)
  expect(warnings).toEqual([])
})

test('links within the book lead to their places in the page, and style sheets count', async () => {
  const book = packaged({
    'style.css': '.strong { font-weight: bold } .gone { display: none }',
    'dot.png': await picture(8, 8, 'png'),
    'one.xhtml': page(
      'One',
      '<h1>One</h1><p><a href="two.xhtml#n">note</a> <a href="two.xhtml">two</a> <a href="two.xhtml#missing">lost</a> <span class="strong">fat</span> <span class="gone">hidden</span></p><p><svg xmlns="http://www.w3.org/2000/svg"><image href="dot.png"/></svg></p>',
      { head: '<link rel="stylesheet" href="style.css"/>' },
    ),
    'two.xhtml': page('Two', '<ul><li>item</li></ul><p id="n">the <i>note</i></p>'),
  })
  const { path } = await convertFile('ebook.epub-to-html', files.write(book, 'epub'))
  const html = readFileSync(path, 'utf8')
  const linked = (text: string) => {
    const [, id] = new RegExp(`href="#([^"]+)"[^>]*>${text}<`).exec(html) ?? []
    return html.indexOf(`id="${id}"`)
  }
  expect(linked('note')).toBeGreaterThan(html.indexOf('item'))
  expect(linked('two')).toBeGreaterThan(html.indexOf('fat'))
  expect(linked('lost')).toBe(linked('two'))
  expect(html).toContain('<strong>fat</strong>')
  expect(html).toContain('src="data:image/png;base64,')
  expect(wordsOf(pandoc(path, 'html'))).not.toContain('hidden')
})

test('a vector graphic in the text is a picture of the page', async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><title>disc</title><rect width="90" height="90" fill="red"/></svg>'
  const book = packaged({ 'one.xhtml': page('One', `<p>text</p><p>${svg}</p>`) })
  const { path } = await convertFile('ebook.epub-to-html', files.write(book, 'epub'))
  const [, base64 = ''] =
    /<img src="data:image\/\w+;base64,([^"]*)"[^>]*alt="disc"/.exec(readFileSync(path, 'utf8')) ?? []
  const shown = files.write(Buffer.from(base64, 'base64'), 'png')
  expect(tool('convert', shown, '-scale', '1x1!', '-format', '%[pixel:u]', 'info:')).toMatch(/red|255,0,0/)
})

test('a book without text has none as plain text', async () => {
  const book = packaged({
    'dot.png': await picture(8, 8, 'png'),
    'one.xhtml': page('', '<p><img src="dot.png" alt=""/></p>'),
  })
  await expect(convertFile('ebook.epub-to-txt', files.write(book, 'epub'))).rejects.toMatchObject({
    code: 'jobs.unsupported_input',
  })
})

testFull('a book keeps paragraphs, captions, readings, formulas and marks by CSS in a PDF', async () => {
  const body =
    '<p>彼は<ruby>漢字<rt>かんじ</rt></ruby>を読む。</p><hr/><table><caption>Table of costs</caption><tr><td colspan="2">merged</td></tr><tr><td>b</td><td>c</td></tr></table><p>Is <math xmlns="http://www.w3.org/1998/Math/MathML"><mi>m</mi><mo>=</mo><mn>2</mn></math> so.</p><p class="strong">Strong <span class="slanted">slanted</span></p><pre><code class="language-js">const a = 1\nlet b</code></pre>'
  const book = packaged({
    'style.css': '.strong { font-weight: bold } .slanted { font-style: italic }',
    'one.xhtml': page('One', body, { head: '<link rel="stylesheet" href="style.css"/>' }),
  })
  const { path } = await convertFile('ebook.epub-to-pdf', files.write(book, 'epub'))
  expect(pdfBlocks(path).map(({ tag, text }) => `${tag} ${text.normalize('NFKC')}`)).toEqual([
    'P 彼は漢字かんじを読む。',
    'Caption Table of costs',
    ...['TD merged', 'TD b', 'TD c'],
    'P Is m=2 so.',
    'P Strong slanted',
    'Code const a = 1\nlet b',
  ])
  expect(tool('pdffonts', path)).toMatch(/Arimo-BoldItalic/)
  // A rule, and the red of a keyword.
  const drawn = tool('qpdf', '--qdf', '--object-streams=disable', path, '-')
  expect(drawn).toMatch(/0\.784\d* SCN/)
  expect(drawn).toMatch(/0\.84\d* 0\.2\d* 0\.2\d* scn/)
})
