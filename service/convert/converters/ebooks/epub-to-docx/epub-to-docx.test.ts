import { readFileSync } from 'node:fs'
import { strFromU8, unzipSync } from 'fflate'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { fullBook, oldBook } from '../../../../../testing/book-kinds.ts'
import { readEpubs } from '../../../../../testing/books.ts'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { epubOf, page, picture } from '../../../../../testing/fixtures/books.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { judge, tool } from '../../../../../testing/fixtures/media.ts'
import { savedByLibreOffice, UTF8_TEXT } from '../../../../../testing/libreoffice.ts'
import { faultOf, malformed } from '../../../../../testing/malformed.ts'
import { orderScore, wordsOf } from '../../../../../testing/words.ts'
import type { JobFailure } from '../../../../shared/errors.ts'
import { readDocx } from '../../../engines/documents/read/docx/read.ts'

const files = testFiles('book-docx')
const JOB = 'ebook.epub-to-docx'

/** The parts of a document, and its content from its XML. */
function open(path: string) {
  const parts = unzipSync(readFileSync(path))
  const text = (name: string) => strFromU8(parts[name]!)
  const xml = text('word/document.xml')
  const notes = text('word/footnotes.xml')
  const anchors = [...`${xml}${notes}`.matchAll(/ w:anchor="([^"]+)"/g)].map(([, name]) => name!)
  const places = new Set(
    [...`${xml}${notes}`.matchAll(/<w:bookmarkStart [^>]*w:name="([^"]+)"/g)].map(([, name]) => name!),
  )
  return { parts, text, xml, notes, anchors, places }
}

/** Names of parts that are not valid XML. */
function broken(parts: Record<string, Uint8Array>): string[] {
  return Object.entries(parts)
    .filter(([name]) => /\.(?:xml|rels|svg)$/.test(name))
    .filter(
      ([name, bytes]) =>
        judge('xmllint', '--noout', '--huge', files.write(bytes, name.replace(/^.*\./, ''))).status,
    )
    .map(([name]) => name)
}

/** Content of paragraphs after their properties. */
const paragraphs = (xml: string) => [...xml.matchAll(/<w:p>(.*?)<\/w:p>/gs)].map(([, inner]) => inner!)
const plain = (xml: string) =>
  xml
    .replace(/<\/w:p>|<w:br\/>/g, ' ')
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ')
    .trim()
const paragraphWith = (xml: string, text: string) =>
  paragraphs(xml).find(each => plain(each).includes(text)) ?? ''

/** The document as read by pandoc. */
const pandoc = (path: string) =>
  JSON.parse(tool('pandoc', '-f', 'docx', '-t', 'json', path)) as { blocks: Block[] }
interface Block {
  t: string
  c: unknown
}

/** Words shown by LibreOffice. */
function opened(path: string): string[] {
  const [text = ''] = savedByLibreOffice(UTF8_TEXT, [path])
  return wordsOf(readFileSync(text, 'utf8'))
}

/** A book of these bodies. */
function bookOf(
  bodies: Record<string, string>,
  { more = {}, head = '', attributes = ' lang="en" xml:lang="en"' } = {},
): string {
  const names = Object.keys(bodies)
  const items = names.map(
    name => `<item id="${name}" href="${name}.xhtml" media-type="application/xhtml+xml"/>`,
  )
  const others = Object.keys(more).map(
    (name, index) => `<item id="m${index}" href="${name}" media-type="${mimeOf(name)}"/>`,
  )
  const opf = `<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">x</dc:identifier><dc:title>Some book</dc:title><dc:language>en</dc:language></metadata><manifest>${items.join('')}${others.join('')}</manifest><spine>${names.map(name => `<itemref idref="${name}"/>`).join('')}</spine></package>`
  const pages = Object.fromEntries(
    names.map(name => [`${name}.xhtml`, page(name, bodies[name]!, { head, attributes })]),
  )
  return files.write(epubOf({ 'book.opf': opf, ...pages, ...more }), 'epub')
}
const mimeOf = (name: string) =>
  ({ css: 'text/css', svg: 'image/svg+xml', webp: 'image/webp', png: 'image/png' })[name.replace(/^.*\./, '')]

const write = async (bodies: Record<string, string>, options: Parameters<typeof bookOf>[1] = {}) => {
  const { path, warnings } = await convertFile(JOB, bookOf(bodies, options))
  return { path, warnings, ...open(path) }
}

describe('a whole book', () => {
  let source = ''
  let result: Awaited<ReturnType<typeof convertFile>>
  let found: ReturnType<typeof open>
  beforeAll(async () => {
    source = files.write(await fullBook(), 'epub')
    result = await convertFile(JOB, source)
    found = open(result.path)
  })

  test('is valid XML, and every internal link has a target', () => {
    expect(result.warnings).toEqual([])
    expect(broken(found.parts)).toEqual([])
    expect(found.anchors.length).toBeGreaterThan(6)
    expect(found.anchors.filter(name => !found.places.has(name))).toEqual([])
    expect(paragraphs(found.xml).length).toBeGreaterThan(15)
    const [, place] = /w:anchor="(b\d+)"[^>]*>(?:(?!<\/w:hyperlink>).)*a link to the table/s.exec(found.xml)!
    expect(found.xml.slice(found.xml.indexOf(`w:name="${place}"`))).toMatch(/^[^\0]{0,200}Numbers/)
  })

  testFull('has all words in LibreOffice, in order', async () => {
    const { path } = await convertFile(JOB, source, { contents: false })
    const [book] = readEpubs(source)
    const words = wordsOf(book!.words.join(' '))
    const own = opened(path)
    const left = [...own]
    const lost = words.filter(word => {
      const at = left.indexOf(word)
      if (at >= 0) left.splice(at, 1)
      return at < 0
    })
    // Only hidden text, the formula, ruby and notes are missing in LibreOffice's text.
    expect(lost.join(' ')).toBe('Not to be seen x2 k a n j i The text of the note')
    expect(left).toEqual([])
    expect(orderScore(own, words)).toBeGreaterThanOrEqual(0.99)
    expect(plain(found.xml)).not.toContain('Not to be seen')
  })

  test('has headings, lists, tables, notes, pictures and formulas according to pandoc', () => {
    const { blocks } = pandoc(result.path)
    const text = JSON.stringify(blocks)
    const kinds = blocks.map(({ t }) => t)
    for (const kind of ['Header', 'BulletList', 'Table', 'Para', 'BlockQuote']) expect(kinds).toContain(kind)
    const headings = blocks.flatMap(({ t, c }) => (t === 'Header' ? [(c as [number])[0]] : []))
    expect(headings.filter(level => level === 1).length).toBeGreaterThanOrEqual(3)
    for (const part of [
      '"Note"',
      '"SmallCaps"',
      '"Superscript"',
      '"Subscript"',
      '"Image"',
      '"Math"',
      'https://example.org/?a=1&b=2',
    ])
      expect(text).toContain(part)
    expect(plain(found.notes)).toBe('The text of the note.')
  })

  test('has the same headings when it is read here', () => {
    const headings = readDocx(readFileSync(result.path)).blocks.filter(({ kind }) => kind === 'heading')
    expect(headings.length).toBe([...found.xml.matchAll(/<w:pStyle w:val="Heading\d"\/>/g)].length)
  })

  test('has its pictures with alternative text, and its properties', () => {
    expect([...found.xml.matchAll(/<w:drawing>/g)]).toHaveLength(4)
    expect(found.xml).toContain('descr="A photograph"')
    const media = Object.keys(found.parts).filter(name => name.startsWith('word/media/'))
    // Cover, photo, two vector graphics as SVG and as PNG.
    expect(media.map(name => name.replace(/^.*\./, '')).sort()).toEqual([
      'jpg',
      'png',
      'png',
      'png',
      'svg',
      'svg',
    ])
    const core = found.text('docProps/core.xml')
    for (const part of [
      '<dc:title>The Garden &amp; the Sea</dc:title>',
      '<dc:creator>Ann Émile; Bob Writer</dc:creator>',
      '<dc:subject>Fiction, Tests</dc:subject>',
      '<dc:description>What a book can hold.</dc:description>',
      '<dc:language>en</dc:language>',
    ])
      expect(core).toContain(part)
  })

  test('begins with its table of contents unless that is switched off', async () => {
    const entries = paragraphs(found.xml).filter(each => each.includes('<w:pStyle w:val="TOC'))
    expect(entries.map(plain).join(' | ')).toContain(
      'One | The second paragraph | Deep | Deeper | Part | Two &amp; tables',
    )
    expect(entries[2]).toContain('"TOC2"')
    expect(open((await convertFile(JOB, source, { contents: false })).path).xml).not.toContain('"TOC1"')
  })
})

test('formatting comes from tags and from style sheets', async () => {
  const css = `.b { font-weight: bold } .i { font-style: italic } .sc { font-variant: small-caps } .u { text-decoration: underline }
    .big { font-size: 150% } p.c { text-align: center; margin-left: 2em; text-indent: 0 } div > p.d { text-indent: 1em; text-align: justify }
    .s { text-decoration: line-through } .f { font-family: "Some Font", serif } .red { color: #c00 } .up { text-transform: uppercase }`
  const { xml } = await write(
    {
      one: `<p><span class="b">bold</span> <span class="i">italic</span> <span class="sc">small</span> <span class="u">under</span> <span class="s">struck</span>
        <span class="big">big</span> <span class="f">font</span> <span class="red">red</span> <span class="up">up</span> <b>B</b><i>I</i><u>U</u><s>S</s></p>
        <p class="c">centre</p><div><p class="d">justified</p></div><p class="page" style="page-break-before: always">broken</p>`,
    },
    { more: { 'a.css': css }, head: '<link rel="stylesheet" href="a.css"/>' },
  )
  const run = (text: string) =>
    new RegExp(`<w:r>(?:<w:rPr>((?:(?!</w:rPr>).)*)</w:rPr>)?<w:t[^>]*>${text}<`).exec(xml)?.[1]
  expect(run('bold')).toBe('<w:b/><w:bCs/>')
  expect(run('italic')).toBe('<w:i/><w:iCs/>')
  expect(run('small')).toBe('<w:smallCaps/>')
  expect(run('under')).toBe('<w:u w:val="single"/>')
  expect(run('struck')).toBe('<w:strike/>')
  expect(run('big')).toBe('<w:sz w:val="33"/><w:szCs w:val="33"/>')
  expect(run('font')).toContain('w:ascii="Some Font"')
  expect(run('red')).toBe('<w:color w:val="CC0000"/>')
  expect(run('up')).toBe('<w:caps/>')
  expect(run('B')).toBe('<w:b/><w:bCs/>')
  expect(paragraphWith(xml, 'centre')).toContain('<w:ind w:left="440"/><w:jc w:val="center"/>')
  expect(paragraphWith(xml, 'justified')).toContain('<w:ind w:firstLine="220"/><w:jc w:val="both"/>')
  expect(paragraphWith(xml, 'broken')).toContain('<w:pageBreakBefore/>')
})

testFull('lists keep their levels, numbers and kinds', async () => {
  const { path, xml } = await write({
    one: `<ol start="3"><li>three<ol type="a"><li>a</li><li>b</li></ol></li><li>four</li><li value="9">nine</li></ol>
      <ul><li><p>first</p><p>second of it</p></li></ul><ol style="list-style-type: upper-roman"><li>I</li></ol><ul style="list-style: none"><li>bare</li></ul>`,
  })
  const lists = (blocks: Block[]) => blocks.filter(({ t }) => t.endsWith('List'))
  const found = JSON.stringify(lists(pandoc(path).blocks))
  expect(found).toContain('[3,{"t":"Decimal"}')
  expect(found).toContain('[1,{"t":"LowerAlpha"}')
  expect(found).toContain('[9,{"t":"Decimal"}')
  expect(found).toContain('[1,{"t":"UpperRoman"}')
  expect(paragraphWith(xml, 'second of it')).not.toContain('numPr')
  expect(paragraphWith(xml, 'bare')).not.toContain('numPr')
})

test('cells keep their spans', async () => {
  const { xml, path } = await write({
    one: `<table border="1"><thead><tr><th colspan="2">wide</th><th>c</th></tr></thead><tbody><tr><td rowspan="2">tall</td><td>e</td><td>f <table><tr><td>inner</td></tr></table></td></tr><tr><td>h</td><td>i</td></tr></tbody></table>`,
  })
  expect(xml).toMatch(/<w:gridSpan w:val="2"\/>[\s\S]*?wide/)
  expect(xml).toMatch(/<w:vMerge w:val="restart"\/>[\s\S]*?tall/)
  expect(xml.match(/<w:vMerge\/>/g)).toHaveLength(1)
  expect(xml).toContain('<w:trPr><w:tblHeader/></w:trPr>')
  // A cell ends with a paragraph, even after a table.
  expect(xml).not.toContain('</w:tbl></w:tc>')
  expect(wordsOf(tool('pandoc', '-f', 'docx', '-t', 'plain', path)).join(' ')).toBe(
    'wide c tall e f inner h i',
  )
})

test('notes of EPUB 2 and 3 become footnotes without their own numbers and back links', async () => {
  const { notes, xml, anchors, places } = await write({
    one: `<p>A<a epub:type="noteref" href="#n1">1</a> B<sup><a id="r2" href="two.xhtml#n2">2</a></sup> C<a id="r3" href="two.xhtml#n3"><sup>3</sup></a> again<a epub:type="noteref" href="#n1">1</a> <sup><a href="two.xhtml#end">4</a></sup></p>
      <aside epub:type="footnote" id="n1"><p>1. First <i>note</i>.</p><p>Its second paragraph.</p></aside>`,
    two: `<h2>Notes</h2><ol><li id="n2">Second note. <a href="one.xhtml#r2">↩</a></li></ol>
      <p><a id="n3" href="one.xhtml#r3">3</a>. Third, <a href="https://example.com/">out</a>.</p><p id="end">No note.</p>`,
  })
  expect(xml.match(/<w:footnoteReference /g)).toHaveLength(3)
  const texts = [...notes.matchAll(/<w:footnote w:id="\d+">(.*?)<\/w:footnote>/gs)].map(([, each]) =>
    plain(each!),
  )
  expect(texts).toEqual(['First note. Its second paragraph.', 'Second note.', 'Third, out.'])
  expect(plain(xml)).toContain('No note.')
  expect(plain(xml)).not.toContain('Second note')
  expect(anchors.filter(name => !places.has(name))).toEqual([])
})

test('words that lead to a note stay, and the number follows them', async () => {
  const { path, xml } = await write({
    one: `<p>As in <a epub:type="noteref" href="#n1">the second <i>edition</i></a>, page 5<a epub:type="noteref" href="#n2">[2]</a>.</p>
      <aside epub:type="footnote" id="n1"><p>London 1820.</p></aside><aside epub:type="footnote" id="n2"><p>Corrected.</p></aside>`,
  })
  expect(xml.match(/<w:footnoteReference /g)).toHaveLength(2)
  const read = tool('pandoc', '-f', 'docx', '-t', 'plain', path)
  expect(read).toContain('As in the second edition[1], page 5[2].')
  expect(read).toMatch(/\[1\] London 1820\.\s+\[2\] Corrected\./)
})

test('what is shown without scripts is kept', async () => {
  const { xml } = await write({ one: '<p>A</p><script>b()</script><noscript><p>C</p></noscript>' })
  expect(plain(xml)).toContain('A C')
})

testFull('formulas stay formulas', async () => {
  const formula = (inner: string) => `<math xmlns="http://www.w3.org/1998/Math/MathML">${inner}</math>`
  const sum =
    '<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>0</mn></mrow><mi>n</mi></munderover><msup><mi>i</mi><mn>2</mn></msup>'
  const all = [
    '<mfrac><mi>a</mi><mi>b</mi></mfrac><mo>+</mo><mroot><mi>x</mi><mn>3</mn></mroot>',
    sum,
    '<mfenced open="[" close="]"><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable></mfenced>',
    '<mover><mi>v</mi><mo>→</mo></mover><mo>=</mo><msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup><msqrt><mi>y</mi></msqrt><mtext> if so</mtext>',
  ]
  const { path, warnings } = await write({
    one: `${all.map(each => `<p>${formula(each)}</p>`).join('')}<p><math xmlns="http://www.w3.org/1998/Math/MathML" alttext="a over b"><apply/></math></p>`,
  })
  const latex = tool('pandoc', '-f', 'docx', '-t', 'markdown', '--wrap=none', path)
  for (const part of [
    String.raw`\frac{a}{b} + \sqrt[3]{x}`,
    String.raw`\sum_{i = 0}^{n}i^{2}`,
    String.raw`\begin{bmatrix}`,
    String.raw`\overrightarrow{v}`,
    'x_{i}^{2}',
    String.raw`\sqrt{y}`,
  ])
    expect(latex.replace(String.raw`\vec{v}`, String.raw`\overrightarrow{v}`)).toContain(part)
  expect(latex).toContain('a over b')
  expect(warnings).toEqual(['Formulas that became text because Word cannot show them as formulas: 1.'])
})

test('pictures have formats and sizes that Word supports', async () => {
  const webp = await sharp(await picture(60, 40, 'png'))
    .webp()
    .toBuffer()
  const { parts, xml } = await write(
    {
      one: '<p><img src="a.webp" alt="W" width="30"/><img src="b.png" alt="" style="width: 5000px"/><img src="b.png"/><img src="gone.png" alt="lost"/></p>',
    },
    { more: { 'a.webp': webp, 'b.png': await picture(80, 60, 'png') } },
  )
  const media = Object.entries(parts).filter(([name]) => name.startsWith('word/media/'))
  expect(media).toHaveLength(2)
  for (const [, bytes] of media) expect((await sharp(bytes).metadata()).format).toBe('png')
  const sizes = [...xml.matchAll(/<wp:extent cx="(\d+)" cy="(\d+)"\/>/g)].map(([, cx, cy]) => [
    Number(cx) / 9525,
    Number(cy) / 9525,
  ])
  expect(sizes[0]).toEqual([30, 20])
  // As wide as the text, of which A4 has 159 mm.
  expect(sizes[1]![0]).toBeCloseTo(602, -1)
  expect(plain(xml)).toBe('lost')
})

testFull('direction, language, ruby and vertical lines are kept', async () => {
  const arabic = await write(
    {
      one: '<p>هذا نص <span lang="en" xml:lang="en">English</span></p><p dir="ltr" style="text-align: right">left</p>',
    },
    { attributes: ' lang="ar" xml:lang="ar" dir="rtl"' },
  )
  expect(paragraphWith(arabic.xml, 'English')).toContain('<w:bidi/>')
  expect(arabic.xml).toContain('<w:rtl/><w:lang w:bidi="ar"/>')
  expect(paragraphWith(arabic.xml, 'left')).not.toContain('<w:bidi/>')
  const japanese = await write(
    { one: '<p><ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>です</p>' },
    {
      head: '<style>html { -epub-writing-mode: vertical-rl }</style>',
      attributes: ' lang="ja" xml:lang="ja"',
    },
  )
  expect(japanese.xml).toContain('<w:textDirection w:val="tbRl"/>')
  expect(japanese.xml.match(/<w:rubyBase>/g)).toHaveLength(2)
  expect(broken(japanese.parts)).toEqual([])
})

test('what a document cannot contain is reported', async () => {
  const { xml, warnings } = await write({
    one: '<p>Here <a href="gone.xhtml">a link</a></p><video src="a.mp4"><p>No film.</p></video><p style="display: none">Unseen</p>',
  })
  expect(plain(xml)).toBe('Here a link')
  expect(xml).not.toContain('<w:hyperlink')
  expect(warnings).toEqual([
    'Recordings, films and embedded pages left out because a Word document cannot hold them: 1.',
    'Links that became plain text because their target is not in the book: 1.',
  ])
})

testFull('an EPUB 2 book converts too', async () => {
  const source = files.write(await oldBook(), 'epub')
  const { path } = await convertFile(JOB, source)
  const found = open(path)
  expect(broken(found.parts)).toEqual([])
  expect(found.anchors.filter(name => !found.places.has(name))).toEqual([])
})

test('damaged books are converted as far as possible, or refused', async () => {
  for (const { bytes, name, cut } of malformed(await fullBook())) {
    const result = await convertFile(JOB, files.write(bytes, 'epub')).catch((error: JobFailure) => error)
    if ('outputs' in result) expect(open(result.path).xml, name).toContain('<w:body>')
    else if (cut) expect(result.code, name).toBe('jobs.corrupt_input')
    else expect(faultOf(result), name).toBeUndefined()
  }
}, 120_000)

test("a picture in another document's note is included, whatever was written before it", async () => {
  const dot = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#c33' } })
    .png()
    .toBuffer()
  const { notes } = await write(
    {
      first: '<p>A chapter before.</p>',
      second: '<p>Text<sup><a id="r" href="notes.xhtml#n">1</a></sup></p>',
      notes: '<p id="n"><a href="second.xhtml#r">1</a>. See <img src="dot.png" alt="a dot"/>.</p>',
    },
    { more: { 'dot.png': dot } },
  )
  expect(notes).toContain('<pic:pic')
})
