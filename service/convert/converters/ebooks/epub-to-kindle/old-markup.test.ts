/** The markup of the old format, from the text as libmobi unpacks it. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mobitool } from '../../../../../testing/books.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { epubOf, page, picture } from '../../../../../testing/fixtures/books.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'

const files = testFiles('old-markup')
let count = 0

const packageOf = (items: string, spine: string) =>
  `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:uuid:6f1c2c52-7d1a-4d8e-9a0c-0c9a1b2c3d4e</dc:identifier><dc:title>Markup</dc:title><dc:language>en</dc:language><meta property="dcterms:modified">2022-01-02T03:04:05Z</meta></metadata><manifest><item id="css" href="a.css" media-type="text/css"/><item id="picture" href="a.png" media-type="image/png"/>${items}</manifest><spine>${spine}</spine></package>`

/** The text of a one-page book in the old format, without what surrounds its body. */
async function markup(body: string, css = ''): Promise<string> {
  const head = '<link rel="stylesheet" href="a.css"/>'
  const epub = epubOf({
    'a.opf': packageOf(
      '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>',
      '<itemref idref="a"/>',
    ),
    'a.xhtml': page('A', body, { head }),
    'a.css': css,
    'a.png': await picture(20, 20, 'png'),
  })
  const { path } = await convertFile('ebook.epub-to-mobi', files.write(epub, 'epub'), { kf8: false })
  const folder = join(files.folder, `text-${count++}`)
  mkdirSync(folder)
  mobitool('-d', '-o', folder, path)
  const name = readdirSync(folder).find(file => file.endsWith('.rawml'))!
  return readFileSync(join(folder, name), 'utf8').replace(/^.*?<body>|<\/body>.*$/gs, '')
}

test.each([
  [
    'margins and indents',
    '<p>a</p><p class="b">c</p>',
    'p { text-indent: 2em; margin: 0 } .b { margin-top: 24pt; text-indent: 0 }',
    '<p height="0em" width="2em">a</p><p height="2em" width="0em">c</p>',
  ],
  [
    'alignment, which is inherited',
    '<div class="c"><p>a</p></div>',
    '.c { text-align: center } p { margin: 0 }',
    '<div align="center"><p height="0em" width="0em" align="center">a</p></div>',
  ],
  [
    'weight, slant and small capitals by class',
    '<p><span class="a">Bold</span> <span class="b">x</span> <i class="n">y</i> <span class="s">Small Caps</span></p>',
    'p { margin: 0 } .a { font-weight: 700 } .b { font-style: oblique } .n { font-style: normal } .s { font-variant: small-caps }',
    '<p height="0em" width="0em"><b>Bold</b> <i>x</i> y S<font size="2">MALL </font>C<font size="2">APS</font></p>',
  ],
  [
    'what is hidden',
    '<p>a<span class="h">b</span></p><div class="h">c</div>',
    'p { margin: 0 } .h { display: none }',
    '<p height="0em" width="0em">a</p>',
  ],
  [
    'notes that only the page hides',
    '<aside epub:type="footnote" class="h">c</aside>',
    '.h { display: none }',
    '<div height="0em" width="0em">c</div>',
  ],
  [
    'page breaks',
    '<p>a</p><p class="n">b</p>',
    'p { margin: 0 } .n { page-break-before: always }',
    '<p height="0em" width="0em">a</p><mbp:pagebreak/><p height="0em" width="0em">b</p>',
  ],
  [
    'wide margins as quotation',
    '<p class="q">a</p>',
    'p { margin: 0 0 0 2em }',
    '<blockquote><p height="0em" width="0em">a</p></blockquote>',
  ],
  [
    'lists with and without marks',
    '<ul><li>a</li></ul><ul class="n"><li>b</li></ul>',
    '.n { list-style: none }',
    '<ul><li>a</li></ul><div><div height="1em" width="0em">b</div></div>',
  ],
  [
    'selectors of every kind',
    '<div id="d"><p>a</p><p class="x y" title="t">b</p><p>c</p></div>',
    'p { margin: 0 } #d > p + p.x.y[title="t"] { font-style: italic } div p:last-child { font-weight: bold } p:not(.x):first-child { text-decoration: underline }',
    '<div><p height="0em" width="0em"><u>a</u></p><p height="0em" width="0em"><i>b</i></p><p height="0em" width="0em"><b>c</b></p></div>',
  ],
  [
    'importance and order',
    '<p class="a" style="font-weight: normal">x</p>',
    'p { margin: 0; font-style: italic } .a { font-weight: bold !important; font-style: normal }',
    '<p height="0em" width="0em"><b>x</b></p>',
  ],
  [
    'other media are left alone',
    '<p>x</p>',
    'p { margin: 0 } @media print { p { font-weight: bold } } @media amzn-mobi { p { font-style: italic } } @media amzn-kf8 { p { text-decoration: underline } }',
    '<p height="0em" width="0em"><i>x</i></p>',
  ],
  [
    'pictures',
    '<p><img src="a.png" alt="A &amp; b" width="10"/></p>',
    'p { margin: 0 }',
    '<p height="0em" width="0em"><img recindex="00001" alt="A &amp; b" width="10"/></p>',
  ],
])('%s', async (_, body, css, expected) => {
  expect(await markup(body, css)).toBe(expected)
})

test('links are the byte positions of their targets', async () => {
  const epub = epubOf({
    'a.opf': packageOf(
      '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><item id="b" href="b.xhtml" media-type="application/xhtml+xml"/>',
      '<itemref idref="a"/><itemref idref="b"/>',
    ),
    'a.xhtml': page('A', '<p>Ünïcödé <a href="b.xhtml#z">on</a></p>'),
    'b.xhtml': page('B', '<p>…</p><p id="z">Here. <a href="a.xhtml">back</a></p>'),
  })
  const { path } = await convertFile('ebook.epub-to-mobi', files.write(epub, 'epub'), { kf8: false })
  mobitool('-d', '-o', files.folder, path)
  const text = readFileSync(files.path(readdirSync(files.folder).find(name => name.endsWith('.rawml'))!))
  const [on, back] = [...text.toString('latin1').matchAll(/filepos=(\d{10})>/g)].map(([, digits]) =>
    Number(digits),
  )
  expect(text.toString('utf8', on, on! + 60)).toMatch(/^<p [^>]*>Here\./)
  expect(text.toString('utf8', back, back! + 60)).toMatch(/^<p [^>]*>Ünïcödé/)
})
