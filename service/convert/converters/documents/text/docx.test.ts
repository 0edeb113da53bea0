import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import {
  AlignmentType,
  Document,
  ExternalHyperlink,
  FootnoteReferenceRun,
  HeadingLevel,
  ImageRun,
  LevelFormat,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
  VerticalMergeType,
} from 'docx'
import { strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { checkEpubs } from '../../../../../testing/books.ts'
import { compound } from '../../../../../testing/compound.ts'
import { describeFull, testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { kinds } from '../../../../../testing/fixtures/full.ts'
import { corpusFile, hasCorpus, tool } from '../../../../../testing/fixtures/media.ts'
import { encrypted, standardEncrypted } from '../../../../../testing/office-protected.ts'

const files = testFiles('word-text')
const flat = (text: string) => text.replace(/\s+/g, ' ').trim()
/** Judged together at the end: Java takes seconds to start. */
const books: string[] = []

const red = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==',
  'base64',
)

async function markdownOf(path: string, options = {}) {
  const { outputs, warnings } = await convertFile('document.docx-to-md', path, options)
  return { text: readFileSync(outputs[0]!.path, 'utf8'), outputs, warnings }
}

const bookOf = async (path: string) => (await convertFile('document.docx-to-epub', path)).path

/** What pandoc reads from the Markdown, and from the document itself. */
const read = (path: string, format: string) =>
  flat(tool('pandoc', '-f', format, '-t', 'plain', '--wrap=none', path))
const GFM = 'gfm+footnotes+tex_math_dollars'

const SOURCE = `---
title: A Title
author: Jane Doe
lang: en-GB
---

# First heading

Text with **bold**, *italic*, ***both***, ~~struck~~, \`code()\`, [a link](https://example.com/a?b=c&d=e), [to second](#second).[^1]

1\\. not \\* a \\_list\\_ [x] \\<tag> & \\$5 \\#no.

- bullet one
- bullet two
    - nested **b**
        1. deep
        2. deeper

3. three
4. four

    continued paragraph

5. five

> A quote
> of two lines

\`\`\`
def f(x):
    return x  # \`tick\`
\`\`\`

| A | B | C |
|---|:-:|--:|
| 1 | x \\| y | 3 |
| 4 | 5 | 6 |

## Second

End 中文 עברית.

[^1]: A note with *emphasis* and [link](http://x.y/).

    Second paragraph.
`

/** A document that pandoc writes. */
function pandocDocument(markdown: string): string {
  const path = files.write(Buffer.from(markdown), 'md')
  const target = path.replace(/md$/, 'docx')
  tool('pandoc', '-f', 'markdown', '-o', target, path)
  return target
}

/** A package with the given document body. */
function bare(body: string, parts: Record<string, string> = {}): string {
  const document = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><w:body>${body}</w:body></w:document>`
  const all = { 'word/document.xml': document, ...parts }
  return files.write(
    zipSync(Object.fromEntries(Object.entries(all).map(([name, text]) => [name, strToU8(text)]))),
    'docx',
  )
}
const paragraph = (content: string) => `<w:p>${content}</w:p>`
const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`

describe('markdown', () => {
  const path = pandocDocument(SOURCE)

  testFull('another reader finds the same content in it as in the document', async () => {
    const { outputs, text, warnings } = await markdownOf(path)
    expect(warnings).toEqual([])
    const seen = read(outputs[0]!.path, GFM)
    const wanted = read(path, 'docx')
    // Title and author are paragraphs in the Markdown and properties in the document.
    const words = (text: string) => text.replace(/ -+(?= )/g, '')
    expect(words(seen.replace('A Title Jane Doe ', ''))).toBe(words(wanted))
    expect(text).toContain('- bullet two\n  - nested **b**\n    1. deep\n    2. deeper\n\n3. three\n')
    expect(text).toContain('[to second](#second).[^1]')
    expect(text).toContain('| --- | :-: | --: |')
    expect(text).toContain('> A quote of two lines')
  })

  testFull('formulas become LaTeX again', async () => {
    const formulas = String.raw`Inline $\frac{a}{b}+\sqrt[3]{x}$ and

$$\sum_{i=0}^{n}i^{2}=\int_{0}^{\infty}\alpha dx$$

$$\left( \begin{matrix} a & b \\ c & d \end{matrix} \right)\hat{x}\vec{v}\overline{AB}\binom{n}{k}\lim_{x\to0}\sin x$$`
    const { text } = await markdownOf(pandocDocument(formulas))
    for (const formula of [
      String.raw`$\frac{a}{b}+\sqrt[3]{x}$`,
      String.raw`$$
\sum_{i=0}^{n}i^{2}=\int_{0}^{\infty}\alpha dx
$$`,
      String.raw`\begin{matrix}a & b \\ c & d\end{matrix}`,
      String.raw`\hat{x}\vec{v}\overline{AB}\binom{n}{k}`,
      String.raw`\lim_{x\to0}`,
    ]) {
      expect(text).toContain(formula)
    }
  })

  testFull('pictures are files beside the text, inline, or left out', async () => {
    const picture = join(mkdtempSync(join(files.folder, 'picture-')), 'red.png')
    writeFileSync(picture, red)
    const source = pandocDocument(`One ![Red square](${picture}) two`)
    const beside = await markdownOf(source)
    expect(beside.outputs.map(({ name }) => name)).toEqual([expect.stringMatching(/\.md$/), 'image-1.png'])
    expect(beside.text).toContain('One ![Red square](image-1.png) two')
    expect(readFileSync(beside.outputs[1]!.path).equals(red)).toBe(true)
    const within = await markdownOf(source, { pictures: 'inline' })
    expect(within.text).toContain(`![Red square](data:image/png;base64,${red.toString('base64')})`)
    expect(within.outputs).toHaveLength(1)
    expect((await markdownOf(source, { pictures: 'none' })).text).toMatch(/^One +two$/m)
  })

  test('merged cells become an HTML table', async () => {
    const cell = (text: string, more = {}) => new TableCell({ children: [new Paragraph(text)], ...more })
    const table = new Table({
      rows: [
        new TableRow({ children: [cell('wide', { columnSpan: 2 }), cell('c')] }),
        new TableRow({
          children: [cell('tall', { verticalMerge: VerticalMergeType.RESTART }), cell('e'), cell('f')],
        }),
        new TableRow({
          children: [cell('', { verticalMerge: VerticalMergeType.CONTINUE }), cell('h'), cell('i')],
        }),
      ],
    })
    const bytes = await Packer.toBuffer(new Document({ sections: [{ children: [table] }] }))
    const { text } = await markdownOf(files.write(bytes, 'docx'))
    expect(text).toMatch(/<t[hd] colspan="2">wide<\/t[hd]><t[hd]>c<\/t[hd]>/)
    expect(text).toContain('<td rowspan="2">tall</td><td>e</td><td>f</td>')
    expect(text).toContain('<tr><td>h</td><td>i</td></tr>')
  })

  testFull('code in the cells of a table stays in a Markdown table', async () => {
    const source = files.write(
      strToU8('| Command | Meaning |\n|---|---|\n| `a \\| b` | pipe |\n| `ls -l $HOME` | list |\n'),
      'md',
    )
    const path = `${source}.docx`
    tool('pandoc', '-f', 'gfm', source, '-o', path)
    const { text } = await markdownOf(path)
    expect(text).toContain('| `ls -l $HOME` | list |')
    expect(text).toContain('| `a \\| b` | pipe |')
  })

  test('insertions are kept and deletions left out; hidden text and fields are not shown', async () => {
    const { text } = await markdownOf(
      bare(
        paragraph(`${run('a')}<w:ins>${run('b')}</w:ins><w:del><w:r><w:delText>c</w:delText></w:r></w:del>`) +
          paragraph('<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>') +
          paragraph(
            `${run('see ')}<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "https://x.y/" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run('there')}<w:r><w:fldChar w:fldCharType="end"/></w:r>`,
          ),
      ),
    )
    expect(text).toBe('ab\n\nsee [there](https://x.y/)\n')
  })
})

describe('epub', () => {
  testFull('has chapters, contents, notes, formulas and properties', async () => {
    const picture = join(mkdtempSync(join(files.folder, 'picture-')), 'red.png')
    writeFileSync(picture, red)
    const more = `\n\n# Third & last\n\n$\\frac{a}{b}$ ![Red](${picture}) [back](#first-heading)\n\n## Under it\n\nx[^1]\n`
    const path = await bookOf(pandocDocument(SOURCE + more))
    books.push(path)
    const parts = unzipSync(readFileSync(path))
    const part = (name: string) => Buffer.from(parts[`EPUB/${name}`] ?? []).toString()
    expect(part('package.opf')).toContain(
      '<dc:title>A Title</dc:title>\n<dc:creator id="m-1">Jane Doe</dc:creator>',
    )
    expect(part('nav.xhtml')).toMatch(/First heading<\/a><ol>\s*<li><a[^>]*>Second/)
    expect(part('nav.xhtml')).toContain('Third &amp; last')
    expect(part('chapter2.xhtml')).toContain('epub:type="footnote"')
    expect(part('chapter2.xhtml')).toContain('<ol start="3">')
    expect(part('chapter3.xhtml')).toContain('<mfrac><mi>a</mi><mi>b</mi></mfrac>')
    expect(part('chapter3.xhtml')).toContain('<a href="chapter2.xhtml#h')
    expect(part('chapter3.xhtml')).toContain('alt="Red"/>')
  })

  test('with everything a document can contain is accepted, too', async () => {
    const children = [
      new Paragraph({ text: 'Every part', heading: HeadingLevel.TITLE }),
      new Paragraph({ text: 'Part', heading: HeadingLevel.HEADING_3 }),
      new Paragraph({
        alignment: AlignmentType.CENTER,
        children: [
          new TextRun({
            text: 'marks',
            bold: true,
            italics: true,
            strike: true,
            superScript: true,
            underline: {},
          }),
          new ExternalHyperlink({ link: 'https://example.com/a b"<>', children: [new TextRun('odd link')] }),
          new FootnoteReferenceRun(1),
          new FootnoteReferenceRun(1),
          new ImageRun({ type: 'png', data: red, transformation: { width: 9, height: 9 } }),
        ],
      }),
      ...[0, 1, 2, 0].map(
        level => new Paragraph({ text: `item ${level}`, numbering: { reference: 'letters', level } }),
      ),
      new Paragraph({ text: 'مرحبا بالعالم', bidirectional: true }),
      new Paragraph({ text: 'control \u0001 \ufffe & <tag>' }),
    ]
    const levels = [LevelFormat.LOWER_LETTER, LevelFormat.UPPER_ROMAN, LevelFormat.BULLET].map(
      (format, level) => ({
        level,
        format,
        text: `%${level + 1})`,
        start: 2,
      }),
    )
    const bytes = await Packer.toBuffer(
      new Document({
        title: 'A "title" & <more>',
        creator: 'Jane; John',
        numbering: { config: [{ reference: 'letters', levels }] },
        footnotes: { 1: { children: [new Paragraph('Note')] } },
        sections: [{ children }],
      }),
    )
    const path = await bookOf(files.write(bytes, 'docx'))
    books.push(path)
    const chapter = Buffer.from(unzipSync(readFileSync(path))['EPUB/chapter1.xhtml']!).toString()
    expect(chapter).toMatch(/<ol type="a" start="2">\s*<li><p>item 0<\/p>\s*<ol type="I" start="2">/)
    expect(chapter).toContain('<p dir="rtl">مرحبا بالعالم</p>')
  })
})

describe('what Word draws', () => {
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const shapes = 'http://schemas.openxmlformats.org/drawingml/2006'
  const link = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`
  const links = (...list: string[]) => ({
    'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.join('')}</Relationships>`,
  })
  const vectorGraphic = (content: string) =>
    paragraph(
      `<w:r><w:drawing xmlns:a="${shapes}/main" xmlns:r="${relations}"><a:graphic><a:graphicData uri="${shapes}/chart">${content}</a:graphicData></a:graphic></w:drawing></w:r>`,
    )
  const cache = (kind: 'num' | 'str', values: readonly (string | number)[], format = '') =>
    `<c:${kind}Ref><c:${kind}Cache>${format && `<c:formatCode>${format}</c:formatCode>`}<c:ptCount val="${values.length}"/>${values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('')}</c:${kind}Cache></c:${kind}Ref>`
  const chart = (series: string) =>
    `<c:chartSpace xmlns:c="${shapes}/chart" xmlns:a="${shapes}/main"><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales of </a:t></a:r><a:r><a:t>fruit</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart>${series}</c:barChart></c:plotArea></c:chart></c:chartSpace>`
  const series = (name: string, categories: string, values: string) =>
    `<c:ser><c:tx>${cache('str', [name])}</c:tx><c:cat>${categories}</c:cat><c:val>${values}</c:val></c:ser>`
  const withChart = (xml: string) =>
    bare(
      paragraph(run('before')) +
        vectorGraphic(`<c:chart xmlns:c="${shapes}/chart" r:id="c1"/>`) +
        paragraph(run('after')),
      { ...links(link('c1', 'chart', 'charts/chart1.xml')), 'word/charts/chart1.xml': xml },
    )

  test('the data of a chart becomes a table below its title', async () => {
    const months = cache('num', [45_292, 45_323], 'yyyy\\-mm\\-dd')
    const path = withChart(
      chart(
        series('Apples', months, cache('num', [4.3, 0.1 + 0.2], 'General')) +
          series('Pears | red', months, cache('num', [0.25, 1], '0%')),
      ),
    )
    const { text, warnings } = await markdownOf(path)
    expect(warnings).toEqual([])
    expect(text).toBe(
      'before\n\n*Sales of fruit*\n\n|  | Apples | Pears \\| red |\n| --- | --: | --: |\n| 2024-01-01 | 4.3 | 25 % |\n| 2024-02-01 | 0.3 | 100 % |\n\nafter\n',
    )
    books.push(await bookOf(path))
  })

  test.each([
    ['without data', chart('')],
    ['of broken XML', '<c:chartSpace'],
  ])('a chart %s is told to be missing', async (_, xml) => {
    const { text, warnings } = await markdownOf(withChart(xml))
    expect(text).toBe('before\n\nafter\n')
    expect(warnings).toEqual([expect.stringContaining('A chart or drawing could not be kept')])
  })

  test('items of lists are paragraphs, and columns of tables keep their widths', async () => {
    const item = (text: string) =>
      `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>${run(text)}</w:p>`
    const cell = (text: string) => `<w:tc><w:p><w:pPr><w:jc w:val="right"/></w:pPr>${run(text)}</w:p></w:tc>`
    const row = (...texts: string[]) => `<w:tr>${texts.map(cell).join('')}</w:tr>`
    const path = bare(
      `${item('One')}${item('Two')}${paragraph(run('Between'))}<w:tbl><w:tblPr><w:tblLook w:firstRow="1"/></w:tblPr><w:tblGrid><w:gridCol w:w="6000"/><w:gridCol w:w="2000"/></w:tblGrid>${row('Name', 'Count')}${row('a', '1')}${row('b', '2')}</w:tbl>`,
      {
        'word/numbering.xml':
          '<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>',
      },
    )
    const { path: page } = await convertFile('document.docx-to-html', path)
    const { path: text } = await convertFile('document.docx-to-txt', path)
    const native = tool('pandoc', '-f', 'html', '-t', 'native', page).replace(/\s+/g, ' ')
    expect(native).toMatch(/LowerAlpha[^[]*\[ \[ Para \[ Str "One" \] \] , \[ Para \[ Str "Two" \] \] \]/)
    expect(native).toMatch(/ColWidth 0.75 \) , \( AlignDefault , ColWidth 0.25/)
    expect(native).toMatch(/Plain \[ Str "Count" \]/)
    expect(readFileSync(page, 'utf8')).toContain('<td class="right">1</td>')
    expect(readFileSync(text, 'utf8')).toBe('a. One\n\nb. Two\n\nBetween\n\nName\tCount\na\t1\nb\t2\n')
  })

  test('the text of SmartArt becomes a list', async () => {
    const point = (id: string, text: string, type = 'node') =>
      `<dgm:pt modelId="${id}" type="${type}"><dgm:t><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`
    const under = (from: string, to: string, order: number, type = 'parOf') =>
      `<dgm:cxn type="${type}" srcId="${from}" destId="${to}" srcOrd="${order}"/>`
    const data = `<dgm:dataModel xmlns:dgm="${shapes}/diagram" xmlns:a="${shapes}/main"><dgm:ptLst>${point('0', '', 'doc')}${point('2', 'Second')}${point('1', 'First')}${point('3', 'Below')}${point('4', 'not shown', 'pres')}</dgm:ptLst><dgm:cxnLst>${under('0', '2', 1)}${under('0', '1', 0)}${under('2', '3', 0)}${under('3', '2', 0)}${under('1', '4', 0, 'presOf')}</dgm:cxnLst></dgm:dataModel>`
    const path = bare(vectorGraphic(`<dgm:relIds xmlns:dgm="${shapes}/diagram" r:dm="d1"/>`), {
      ...links(link('d1', 'diagramData', 'diagrams/data1.xml')),
      'word/diagrams/data1.xml': data,
    })
    expect((await markdownOf(path)).text).toBe('- First\n- Second\n  - Below\n')
  })

  test('form input, and text in shapes of older programs', async () => {
    const field = (data: string, instruction: string) =>
      `<w:r><w:fldChar w:fldCharType="begin"><w:ffData>${data}</w:ffData></w:fldChar></w:r><w:r><w:instrText> ${instruction} </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`
    const entries = '<w:listEntry w:val="north"/><w:listEntry w:val="south"/>'
    const path = bare(
      paragraph(field(`<w:ddList><w:result w:val="1"/>${entries}</w:ddList>`, 'FORMDROPDOWN')) +
        paragraph(field(`<w:ddList>${entries}</w:ddList>`, 'FORMDROPDOWN')) +
        paragraph(field('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>', 'FORMCHECKBOX')) +
        paragraph(field('<w:checkBox><w:default w:val="0"/></w:checkBox>', 'FORMCHECKBOX')) +
        paragraph(
          '<w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textpath string="curved words"/></v:shape></w:pict></w:r>',
        ),
    )
    expect((await markdownOf(path)).text).toBe('south\n\nnorth\n\n☒\n\n☐\n\ncurved words\n')
  })

  test('a drop cap is joined with its word, and paragraphs whose end is deleted are joined', async () => {
    const initial = '<w:pPr><w:framePr w:dropCap="drop" w:lines="3"/></w:pPr>'
    const deleted = '<w:pPr><w:rPr><w:del w:id="1" w:author="A"/></w:rPr></w:pPr>'
    const path = bare(
      paragraph(initial + run('O')) +
        paragraph(run('nce upon a time')) +
        paragraph(deleted + run('one ')) +
        paragraph(run('line')) +
        paragraph(deleted + run('the last')),
    )
    expect((await markdownOf(path)).text).toBe('Once upon a time\n\none line\n\nthe last\n')
  })

  test('comments become notes on request, tracked changes are accepted', async () => {
    const comments = `<w:comments xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:comment w:id="7" w:author="Ann">${paragraph(run('Really?'))}</w:comment></w:comments>`
    const path = bare(
      paragraph(
        `${run('It is ')}<w:del w:id="1"><w:r><w:delText>old</w:delText></w:r></w:del><w:ins w:id="2">${run('new')}</w:ins><w:r><w:commentReference w:id="7"/></w:r>${run('.')}`,
      ),
      { 'word/comments.xml': comments },
    )
    expect((await markdownOf(path)).text).toBe('It is new.\n')
    const { text } = await markdownOf(path, { comments: true })
    expect(text).toBe('It is new[^1].\n\n[^1]: **Ann:** Really?\n')
  })
})

describe('hostile files', () => {
  const whole = () => readFileSync(pandocDocument('# Hi\n\ntext'))
  const nested = (depth: number) =>
    `${'<w:sdt><w:sdtContent>'.repeat(depth)}${paragraph(run('deep'))}${'</w:sdtContent></w:sdt>'.repeat(depth)}`

  test.each(
    kinds(
      [
        ['encrypted', () => encrypted(whole(), 'secret'), 'jobs.encrypted_input'],
        [
          'of Word 2003 in XML',
          () => Buffer.from('<?xml version="1.0"?><w:wordDocument/>'),
          'jobs.unsupported_input',
        ],
        ['of an older Word', () => compound({ Document: Buffer.alloc(5000) }), 'jobs.unsupported_input'],
        ['a container cut off', () => encrypted(whole(), 'secret').subarray(0, 4000), 'jobs.corrupt_input'],
        ['cut off', () => whole().subarray(0, -300), 'jobs.corrupt_input'],
        ['no package', () => Buffer.from('plain text'), 'jobs.corrupt_input'],
        [
          'a package of something else',
          () => Buffer.from(zipSync({ 'a.txt': strToU8('a') })),
          'jobs.corrupt_input',
        ],
        [
          'an OpenDocument text',
          () => Buffer.from(zipSync({ mimetype: strToU8('application/vnd.oasis.opendocument.text') })),
          'jobs.unsupported_input',
        ],
        ['of broken XML', () => readFileSync(bare('<w:p>')), 'jobs.corrupt_input'],
        ['nested 1,000 deep', () => readFileSync(bare(nested(1000))), 'jobs.corrupt_input'],
        ['empty', () => readFileSync(bare(paragraph(''))), 'jobs.unsupported_input'],
        ['a bomb', () => bomb(3e9), 'jobs.too_large'],
      ],
      ([name]) => !/cut off/.test(name),
    ),
  )('a document that is %s is told so', async (_, bytes, code) => {
    const path = files.write(bytes(), 'docx')
    await expect(markdownOf(path)).rejects.toMatchObject({ code })
    await expect(bookOf(path)).rejects.toMatchObject({ code })
  })

  test('parts whose names are written as on Windows are found', async () => {
    const parts = Object.entries(unzipSync(whole())).map(([name, bytes]) => [
      name.replaceAll('/', '\\'),
      bytes,
    ])
    const path = files.write(zipSync(Object.fromEntries(parts)), 'docx')
    expect((await markdownOf(path)).text).toBe('# Hi\n\ntext\n')
  })

  testFull('a password opens protected files, with current encryption and that of 2007', async () => {
    for (const protect of [encrypted, standardEncrypted]) {
      const path = files.write(protect(whole(), 'pässword'), 'docx')
      expect((await markdownOf(path, { password: 'pässword' })).text).toBe('# Hi\n\ntext\n')
      await expect(markdownOf(path, { password: 'wrong' })).rejects.toMatchObject({
        code: 'jobs.encrypted_input',
        detail: expect.stringContaining('does not open'),
      })
    }
  })

  test('a note that refers to itself, and tables within tables, end', async () => {
    const note = `<w:footnotes xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:footnote w:id="2">${paragraph(`${run('again')}<w:r><w:footnoteReference w:id="2"/></w:r>`)}</w:footnote></w:footnotes>`
    const tables = `${'<w:tbl><w:tr><w:tc>'.repeat(40)}${paragraph(run('in'))}${`</w:tc><w:tc>${paragraph(run('b'))}</w:tc></w:tr></w:tbl>`.repeat(40)}`
    const path = bare(paragraph(`${run('x')}<w:r><w:footnoteReference w:id="2"/></w:r>`) + tables, {
      'word/footnotes.xml': note,
    })
    const { text } = await markdownOf(path)
    expect(text).toContain('[^1]: again[^1]')
    expect(text.match(/\bin\b/g)).toHaveLength(1)
    expect(text.match(/\bb\b/g)).toHaveLength(40)
    books.push(await bookOf(path))
  })
})

/** A package whose document claims this size but contains little. */
function bomb(size: number): Buffer {
  const bytes = Buffer.from(zipSync({ 'word/document.xml': strToU8('<a/>') }))
  const central = bytes.indexOf(Buffer.from('504b0102', 'hex'))
  bytes.writeUInt32LE(size, central + 24)
  bytes.writeUInt32LE(deflateRawSync('<a/>').length, central + 20)
  return bytes
}

const corpus = corpusFile('docx')

describeFull('corpus', hasCorpus, () => {
  test('keep their words', async () => {
    for (const name of readdirSync(corpus)) {
      const path = join(corpus, name)
      if (name.includes('protected')) continue
      const { outputs } = await markdownOf(path)
      const text = readFileSync(outputs[0]!.path, 'utf8')
      const words = new Set(text.match(/\p{L}{4,}/gu))
      const wanted = [
        ...new Set(
          read(path, 'docx')
            .replace(/\\\w+/g, ' ')
            .match(/\p{L}{4,}/gu),
        ),
      ].filter(word => !/^(?:image|media)$/.test(word))
      const kept = wanted.filter(word => words.has(word)).length
      expect(kept, `${name} in ${dirname(path)}`).toBeGreaterThanOrEqual(wanted.length * 0.9)
    }
  })
})

testFull('EPUBCheck finds nothing wrong with the books', async () => {
  expect([...(await checkEpubs(...books)).values()]).toEqual(books.map(() => []))
})
