import { readFileSync } from 'node:fs'
import { Document, FootnoteReferenceRun, HeadingLevel, ImageRun, Packer, Paragraph, TextRun } from 'docx'
import { expect, test } from 'vitest'
import { checkEpubs, readEpubs } from '../../../../testing/books.ts'
import { testFull } from '../../../../testing/describe-full.ts'
import { testFiles } from '../../../../testing/files.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { isFull, kinds } from '../../../../testing/fixtures/full.ts'
import { tool } from '../../../../testing/fixtures/media.ts'
import { output } from '../../../../testing/fixtures/programs.ts'
import { typeset } from '../../../../testing/fixtures/typst.ts'
import { pdfBlocks } from '../../../../testing/pdf-structure.ts'

const files = testFiles('web-pages')
/** A file as pandoc reads it, without its head. */
const read = (path: string, from: string, to = 'plain') =>
  tool('pandoc', '-f', from, '-t', to, '--wrap=none', path)
const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu)
const dot =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg=='

const markdown = `---
title: The *title*
lang: de
---

# A heading

See [below](#below) and [the web](https://example.com/?a=1&b=2), ~~gone~~ **bold**.[^1]

- [x] done
  1. first

| A | B |
|---|--:|
| 1 | $x<2$ |

## Below

![dot](${dot}) <kbd>Ctrl</kbd> <script>alert(1)</script><a href="java&#10;script:alert(2)" onclick="alert(3)">click</a>

<iframe src="https://example.com"></iframe><img src="x.png" onerror="alert(4)">

[^1]: The note.
`

testFull('Markdown becomes a page with its structure and nothing that runs', async () => {
  const path = files.write(Buffer.from(markdown), 'md')
  const page = await convertFile('document.md-to-html', path)
  const html = readFileSync(page.path, 'utf8')
  expect(html).toContain('<title>The *title*</title>')
  expect(html).toContain('<html lang="de">')
  expect(html).toContain('href="#below"')
  expect(html).toContain('<h2 id="below">')
  expect(html).not.toMatch(/alert|iframe|onerror|java/)
  const gfm = read(page.path, 'html', 'gfm')
  for (const part of [
    '# A heading',
    '[the web](https://example.com/?a=1&b=2)',
    '**bold**',
    '~~gone~~',
    '1.  first',
    `![dot](${dot})`,
  ])
    expect(gfm).toContain(part)
  expect(words(read(page.path, 'html'))).toEqual(
    expect.arrayContaining(words('done first Ctrl click The note x 2')!),
  )
})

test('Markdown becomes a book and plain text, with links that lead to their places', async () => {
  const path = files.write(Buffer.from(markdown), 'md')
  const [book, text] = [
    await convertFile('document.md-to-epub', path),
    await convertFile('document.md-to-txt', path),
  ]
  if (isFull) expect([...(await checkEpubs(book.path)).values()]).toEqual([[]])
  const [{ links, contents } = { links: [], contents: [] }] = readEpubs(book.path)
  expect(links.some(link => link.text?.startsWith('Below'))).toBe(true)
  expect(contents.map(([depth, title]) => [depth, title])).toEqual([
    [0, 'A heading'],
    [1, 'Below'],
  ])
  const own = readFileSync(text.path, 'utf8')
  expect(own).toContain('See below and the web, gone bold.')
  expect(own).toMatch(/^- ☒ done$/m)
  expect(own).toMatch(/^A\tB\n1\tx<2$/m)
})

const novel = `The Lake
by Nobody

Chapter I. The shore

It was a long and quiet morning when the boat that nobody had ever seen
before came over the lake, and it *did* come, as # of them had said, with
a sail.

Roses are red,
Violets are blue.

Name      Age
Ann        30

Chapter II

The end
`

testFull('plain text becomes a book with chapters, a page and Markdown that shows every sign', async () => {
  const path = files.write(Buffer.from(novel), 'txt')
  const book = await convertFile('document.txt-to-epub', path)
  if (isFull) expect([...(await checkEpubs(book.path)).values()]).toEqual([[]])
  const [{ contents } = { contents: [] }] = readEpubs(book.path)
  expect(contents.map(([, title]) => title)).toEqual(['Chapter I. The shore', 'Chapter II'])
  for (const target of ['html', 'md']) {
    const page = await convertFile(`document.txt-to-${target}`, path)
    const plain = read(page.path, target === 'md' ? 'gfm' : target)
    expect(plain).toContain(
      'ever seen before came over the lake, and it *did* come, as # of them had said, with a sail.',
    )
    expect(plain).toContain('Roses are red,\nViolets are blue.')
    expect(plain).toMatch(/^ *Name {6}Age\n *Ann {8}30$/m)
  }
})

test('a Word document becomes a page with pictures inside, or beside it', async () => {
  const png = Buffer.from(dot.split(',')[1]!, 'base64')
  const document = new Document({
    title: 'Über <alles>',
    footnotes: { 1: { children: [new Paragraph('The note.')] } },
    sections: [
      {
        children: [
          new Paragraph({ heading: HeadingLevel.HEADING_1, text: 'One & only' }),
          new Paragraph({
            children: [
              new TextRun({ text: 'bold', bold: true }),
              new FootnoteReferenceRun(1),
              new ImageRun({ type: 'png', data: png, transformation: { width: 5, height: 5 } }),
            ],
          }),
        ],
      },
    ],
  })
  const path = files.write(await Packer.toBuffer(document), 'docx')
  const page = await convertFile('document.docx-to-html', path)
  expect(page.outputs).toHaveLength(1)
  expect(readFileSync(page.path, 'utf8')).toContain('<title>Über &lt;alles&gt;</title>')
  const gfm = read(page.path, 'html', 'gfm')
  expect(gfm).toContain('# One & only')
  expect(gfm).toMatch(/\*\*bold\*\*.*#n1/)
  expect(gfm).toContain('data:image/png;base64,')
  expect(gfm).toContain('The note.')
  const beside = await convertFile('document.docx-to-html', path, { pictures: 'files' })
  expect(beside.outputs.map(({ name }) => name?.split('.').at(-1))).toEqual(['html', 'png'])
  expect(readFileSync(beside.path, 'utf8')).toContain(`src="${beside.outputs[1]!.name}"`)
})

const web = `<!DOCTYPE html><html lang="fr"><head><title>Page</title><style>.x{display:none}</style></head><body>
<nav><a href="/home.html">Home</a> <a href="#top">Top</a></nav><h1>Title</h1><p>Text <b>bold</b> <span class="x">hidden</span><br>next</p>
<ol start="3"><li>three<ul><li>in</li></ul></li></ol><table><tr><th>a</th></tr><tr><td>1</td></tr></table>
<p><img src="${dot}" alt="a dot"> <img src="pics/a.png" alt="beside"></p><script>var no = 1</script></body></html>`

test('a web page becomes Markdown and a book', async () => {
  const path = files.write(Buffer.from(web), 'html')
  const { path: text, outputs } = await convertFile('document.html-to-md', path)
  const html = output('pandoc', ['-f', 'gfm', '-t', 'html', '--wrap=none', text]).toString()
  for (const part of [
    '<a href="/home.html">Home</a>',
    '<strong>bold</strong>',
    '<ol start="3"',
    '<li>in</li>',
    '<th>a</th>',
    'src="pics/a.png"',
  ])
    expect(html).toContain(part)
  expect(html).not.toMatch(/hidden|var no/)
  expect(outputs).toHaveLength(2)
  const book = await convertFile('document.html-to-epub', path)
  if (isFull) expect([...(await checkEpubs(book.path)).values()]).toEqual([[]])
  expect(words(read(book.path, 'epub'))).toEqual(expect.arrayContaining(['Title', 'bold', 'three', 'in']))
})

testFull('a PDF becomes plain text and a page', async () => {
  const source = files.write(
    typeset(`#set document(title: "Survey")
= The survey
It costs 3 < 5, with _emphasis_ and a note#footnote[It says more.].

- one
- two

#table(columns: 2, [Year], [Count], [1990], [12])`),
    'pdf',
  )
  const text = readFileSync((await convertFile('document.pdf-to-txt', source)).path, 'utf8')
  expect(text).toContain('It costs 3 < 5, with emphasis and a note')
  expect(text).toMatch(/^- one\n- two$/m)
  expect(text).toMatch(/^1990\t12$/m)
  // Poppler joins the marks of the note to the words beside them.
  const others = (of: string) =>
    words(of)?.flatMap(word => (/^(?:1|It|1It)$/.test(word) ? [] : word.replace('note1', 'note')))
  expect(others(text)?.toSorted()).toEqual(others(tool('pdftotext', source, '-'))?.toSorted())
  const page = await convertFile('document.pdf-to-html', source)
  const gfm = read(page.path, 'html', 'gfm')
  expect(gfm).toMatch(/^# .*The survey/m)
  expect(gfm).toContain('*emphasis*')
  expect(gfm).toMatch(/\| *1990 *\| *12 *\|/)
  expect(gfm).toContain('It says more.')
})

test.each(
  kinds(
    [
      ['html', '<p>\xd8eho\xf8, \x8elu\x9dou\xe8k\xfd k\xf9\xf2</p>'],
      ['txt', '\xd8eho\xf8, \x8elu\x9dou\xe8k\xfd k\xf9\xf2\n'],
      ['md', '# \xd8eho\xf8, \x8elu\x9dou\xe8k\xfd k\xf9\xf2\n'],
    ],
    ([source]) => source !== 'html',
  ),
)('%s without a declared encoding is read by its words, and as told', async (source, text) => {
  const path = files.write(Buffer.from(text, 'latin1'), source)
  const target = source === 'txt' ? 'md' : 'txt'
  for (const [options, expected, warnings] of [
    [{}, 'Řehoř, Žluťoučký kůň', 1],
    [{ encoding: 'windows1250' }, 'Řehoř, Žluťoučký kůň', 0],
    [{ encoding: 'windows1252' }, /Øehoø, Žlu.?ouèký kùò/, 0],
  ] as const) {
    const result = await convertFile(`document.${source}-to-${target}`, path, options)
    expect(readFileSync(result.path, 'utf8')).toMatch(expected)
    expect(result.warnings).toHaveLength(warnings)
  }
})

testFull('formulas of Markdown are formulas in every format', async () => {
  const source = files.write(
    Buffer.from(
      'Is $\\frac{a}{b}$ here.\n\n$$\\sum_{i=1}^n \\sqrt{x_i}$$\n\nCosts $5 or $6. Not $\\nothing$.\n',
    ),
    'md',
  )
  const native = (path: string, from: string) => read(path, from, 'native').replace(/\s+/g, ' ')
  const word = await convertFile('document.md-to-docx', source)
  expect(native(word.path, 'docx')).toContain('Math InlineMath "\\\\frac{a}{b}"')
  expect(native(word.path, 'docx')).toContain('Math DisplayMath "\\\\sum_{i = 1}^{n}\\\\sqrt{x_{i}}"')
  expect(read(word.path, 'docx')).toContain('Costs $5 or $6. Not \\nothing.')
  const page = await convertFile('document.md-to-html', source)
  expect(native(page.path, 'html')).toContain('Math InlineMath "\\\\frac{a}{b}"')
  const again = await convertFile('document.docx-to-md', word.path)
  expect(readFileSync(again.path, 'utf8')).toContain('Is $\\frac{a}{b}$ here.\n\n$$\n')
  const text = await convertFile('document.md-to-txt', source)
  expect(readFileSync(text.path, 'utf8')).toContain('Is \\frac{a}{b} here.')
})

test('links of a page to other files of its site lead there in Word, but none that runs', async () => {
  const html =
    '<p><a href="other%20page.html#part">other</a> <a href="../up.pdf">up</a> <a href="javascript:alert(1)">run</a> <a href="\\\\host\\share">share</a> <a href="#here">in</a></p><p id="here">Here</p>'
  const { path } = await convertFile('document.html-to-docx', files.write(Buffer.from(html), 'html'))
  const native = tool('pandoc', '-f', 'docx', '-t', 'native', path)
  const targets = [...native.matchAll(/\( "([^"]*)" , "" \)/g)].map(([, target]) => target)
  expect(targets.slice(0, 2)).toEqual(['other%20page.html#part', '../up.pdf'])
  expect(native).not.toMatch(/javascript|share.*host/)
  expect(targets[2]).toMatch(/^#/)
})

testFull('formulas and readings of a page stay what they are in a PDF', async () => {
  const html =
    '<!DOCTYPE html><title>T</title><p>彼は<ruby>漢字<rt>かんじ</rt></ruby>を読む。</p><p>Is <math><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></math> and <math><mfrac><mn>1</mn><mi>x</mi></mfrac></math></p><table><caption>Costs</caption><tr><th>a</th><th>b</th></tr><tr><td colspan="2">c</td></tr></table>'
  const source = files.write(Buffer.from(html), 'html')
  const { path, warnings } = await convertFile('document.html-to-pdf', source)
  expect(warnings).toContainEqual(expect.stringContaining('its colours and layout are not'))
  expect(pdfBlocks(path).map(({ tag }) => tag)).toEqual(['P', 'P', 'Caption', 'TH', 'TH', 'TD'])
  // Readings are smaller than words, and exponents stand higher than their base.
  const words = tool('pdftotext', '-bbox', path, '-')
  const box = (text: string) => {
    const [, top, bottom] = new RegExp(`yMin="([\\d.]+)"[^>]*yMax="([\\d.]+)">[^<]*${text}`).exec(words)!
    return { top: Number(top), height: Number(bottom) - Number(top) }
  }
  expect(tool('pdffonts', path)).toMatch(/NewCMMath/)
  expect(box('かんじ').height).toBeLessThan(box('彼は').height * 0.8)
  // What only the layout has is done where it is wished, and the job says what that costs.
  const untagged = await convertFile('document.html-to-pdf', source, { tagged: false })
  expect(untagged.warnings).toContainEqual(expect.stringContaining('need the layout of the page'))
  expect(tool('pdfinfo', untagged.path)).toMatch(/Tagged: +no/)
})
