/** What every reader and every writer of text documents keep between them, as other programs see it. */
import { readFileSync } from 'node:fs'
import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { epubOf, page } from '../../../../../testing/fixtures/books.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { kinds } from '../../../../../testing/fixtures/full.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { docx } from '../../../../../testing/fixtures/office.ts'
import { pdfBlocks } from '../../../../../testing/pdf-structure.ts'
import { readEpub } from '../../../engines/books/epub/read/read.ts'
import { readers, writers } from '../../../engines/documents/index.ts'
import type { Document } from '../../../engines/documents/model.ts'
import { documentOf } from '../../../engines/documents/read/book.ts'

const files = testFiles('pairs')

type Feature = 'ruby' | 'formula' | 'rule' | 'caption' | 'bold' | 'italic' | 'language'
type Target = keyof typeof writers

const BODY = `<p>Read <ruby>漢字<rt>かんじ</rt></ruby> here.</p>
<p>Is <math xmlns="http://www.w3.org/1998/Math/MathML"><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></math> so.</p>
<hr/>
<table><caption>Costs</caption><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>
<p class="b">thick</p><p>is <span style="font-style: italic">slanted</span> too</p>
<pre><code class="language-python">print(1)</code></pre>`
const STYLE = '<style>.b { font-weight: bold }</style>'
const MARKDOWN =
  'Read <ruby>漢字<rt>かんじ</rt></ruby> here.\n\nIs $E=mc^2$ so.\n\n---\n\n**thick**\n\nis *slanted* too\n\n```python\nprint(1)\n```\n'
const run = (text: string, look = '') =>
  `<w:r><w:rPr>${look}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
const words = (...runs: string[]) => `<w:p>${runs.join('')}</w:p>`
const oMath = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`
const cells = (...texts: string[]) =>
  `<w:tr>${texts.map(text => `<w:tc>${words(run(text))}</w:tc>`).join('')}</w:tr>`
const WORD = [
  words(
    run('Read '),
    `<w:r><w:ruby><w:rt>${run('かんじ')}</w:rt><w:rubyBase>${run('漢字')}</w:rubyBase></w:ruby></w:r>`,
    run(' here.'),
  ),
  words(
    run('Is '),
    `<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">${oMath('E=m')}<m:sSup><m:e>${oMath('c')}</m:e><m:sup>${oMath('2')}</m:sup></m:sSup></m:oMath>`,
    run(' so.'),
  ),
  `<w:p><w:pPr><w:pStyle w:val="Caption"/></w:pPr>${run('Costs')}</w:p>`,
  `<w:tbl>${cells('a', 'b')}${cells('1', '2')}</w:tbl>`,
  words(run('thick', '<w:b/>')),
  words(run('is '), run('slanted', '<w:i/>'), run(' too')),
].join('')

/** Documents, and what their format has no word for. */
const sources: Record<string, { read(): Promise<Document>; lacks: readonly Feature[] }> = {
  html: { read: readBy('html', () => page('T', BODY, { head: STYLE })), lacks: [] },
  epub: {
    read: async () => {
      const opf =
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>'
      const book = epubOf({ 'c.opf': opf, 'a.xhtml': page('T', BODY, { head: STYLE }) })
      return documentOf((await readEpub(files.write(book, 'epub'))).book)
    },
    lacks: [],
  },
  docx: { read: readBy('docx', () => docx({ body: WORD })), lacks: ['rule', 'language'] },
  md: { read: readBy('md', () => MARKDOWN), lacks: ['caption'] },
  ipynb: {
    read: readBy('ipynb', () => JSON.stringify({ cells: [{ cell_type: 'markdown', source: MARKDOWN }] })),
    lacks: ['caption'],
  },
  eml: {
    read: readBy(
      'eml',
      () =>
        `Subject: T\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\n${Buffer.from(page('T', BODY, { head: STYLE })).toString('base64')}\n`,
    ),
    lacks: [],
  },
  org: {
    read: readBy(
      'org',
      () =>
        'Is \\(E=mc^2\\) so.\n\n-----\n\n#+CAPTION: Costs\n| a | b |\n|---+---|\n| 1 | 2 |\n\n*thick*\n\nis /slanted/ too\n\n#+begin_src python\nprint(1)\n#+end_src\n',
    ),
    lacks: ['ruby'],
  },
  tex: {
    read: readBy(
      'tex',
      () =>
        'Is $E=mc^2$ so.\n\n\\begin{table}\\caption{Costs}\\begin{tabular}{ll} a & b \\\\ \\hline 1 & 2 \\end{tabular}\\end{table}\n\n\\textbf{thick}\n\nis \\emph{slanted} too\n\n\\begin{lstlisting}[language=Python]\nprint(1)\n\\end{lstlisting}\n',
    ),
    lacks: ['ruby', 'rule'],
  },
  rst: {
    read: readBy(
      'rst',
      () =>
        'Is :math:`E=mc^2` so.\n\n--------\n\n.. table:: Costs\n\n   ==  ==\n   a   b\n   ==  ==\n   1   2\n   ==  ==\n\n**thick**\n\nis *slanted* too\n\n.. code-block:: python\n\n   print(1)\n',
    ),
    lacks: ['ruby'],
  },
}

function readBy(format: keyof typeof readers, content: () => string | Uint8Array) {
  return async () => (await readers[format]())(Buffer.from(content()), {})
}

interface Node {
  t: string
  c?: unknown
}

/** All nodes of a kind in pandoc's tree. */
const nodes = (tree: unknown, kind: string): Node[] => {
  if (typeof tree !== 'object' || tree === null) return []
  const inner = Object.values(tree).flatMap(each => nodes(each, kind))
  return (tree as Node).t === kind ? [tree as Node, ...inner] : inner
}

const textOf = (tree: unknown): string =>
  (JSON.stringify(tree).match(/"t":"(?:Str|Math)","c":(?:"[^"]*"|\[[^\]]*\])|"t":"Space"/g) ?? [])
    .map(node => (node.endsWith('"Space"') ? ' ' : (/"([^"]*)"\]?$/.exec(node)?.[1] ?? '')))
    .join('')

const paragraph = (tree: unknown, pattern: RegExp) =>
  [...nodes(tree, 'Para'), ...nodes(tree, 'Plain')].some(each =>
    pattern.test(textOf(each).replace(/\s+/g, ' ')),
  )
const marked = (tree: unknown, kind: string, text: string) =>
  nodes(tree, kind).some(each => textOf(each) === text)

/** What pandoc's tree of a result shows of each feature. */
const inTree: Record<Feature, (tree: unknown) => boolean> = {
  ruby: tree => paragraph(tree, /^Read .*漢字.*かんじ.* here\.$/),
  formula: tree => nodes(tree, 'Math').length === 1 && paragraph(tree, /^Is .+ so\.$/),
  rule: tree => nodes(tree, 'HorizontalRule').length === 1,
  caption: tree =>
    nodes(tree, 'Table').some(table => textOf((table.c as unknown[])[1]) === 'Costs') ||
    paragraph(tree, /^Costs$/),
  bold: tree => marked(tree, 'Strong', 'thick'),
  italic: tree => marked(tree, 'Emph', 'slanted'),
  language: tree =>
    nodes(tree, 'CodeBlock').some(({ c }) => JSON.stringify((c as unknown[])[0]).includes('python')),
}

/** Formats as pandoc calls them; without one, the text of the result is looked at. */
const judged: Partial<Record<Target, string>> = {
  ...{
    docx: 'docx',
    epub: 'epub',
    html: 'html',
    md: 'gfm+tex_math_dollars',
    docbook: 'docbook',
    adoc: 'docbook',
  },
  ...{ org: 'org', rst: 'rst', tex: 'latex' },
}

/** How a format writes what pandoc does not read, or what it has no word for. */
const written: Partial<Record<Target, Partial<Record<Feature, RegExp>>>> = {
  docx: {
    ruby: /<w:p>.*Read .*<w:ruby>.*かんじ.*漢字.*<\/w:ruby>.* here\.<.*?<\/w:p>/s,
    rule: /<w:pBdr>/,
    language: /print\(1\)/,
  },
  docbook: { rule: /<para role="rule">/ },
  html: { ruby: /Read <ruby>漢字<rt>かんじ<\/rt><\/ruby> here\./ },
  md: { ruby: /^Read <ruby>漢字<rt>かんじ<\/rt><\/ruby> here\.$/m },
  adoc: { rule: /^'''$/m, formula: /Is stem:\[E=mc\^\{?2\}?\] so\./ },
  tex: { rule: /\\rule\{/, caption: /\\caption\{Costs\}|^Costs$|\\emph\{Costs\}/m },
  typ: {
    ruby: /^Read 漢字#super\[かんじ\] here\.$/m,
    formula: /^Is \$E ?= ?m ?c\^2\$ so\.$/m,
    rule: /^#line\(length: 100%\)$/m,
    caption: /caption: \[Costs\]|#emph\[Costs\]/,
    bold: /^#strong\[thick\]$/m,
    italic: /^is #emph\[slanted\] too$/m,
    language: /^```python$/m,
  },
  txt: {
    ruby: /^Read 漢字\(かんじ\) here\.$/m,
    formula: /^Is E=mc\^\{?2\}? so\.$/m,
    rule: /^\* \* \*$/m,
    caption: /^Costs$/m,
    bold: /^thick$/m,
    italic: /^is slanted too$/m,
    language: /^print\(1\)$/m,
  },
}

const features = Object.keys(inTree) as Feature[]
const given = { fileName: 'pairs', date: new Date(0), address: () => undefined, file: () => undefined }

test('all readers of texts are tried, but those that have tests of their own', () => {
  expect(Object.keys(readers).filter(format => !(format in sources))).toEqual(['mbox', 'msg', 'pptx', 'txt'])
})

/** The short suite tries each reader with the writer of Markdown, and each writer but one, whose judge is slow, with the reader of pages. */
const pairs = Object.keys(sources)
  .flatMap(source => (Object.keys(writers) as Target[]).map(target => ({ source, target })))
  // Plain text tells no marks from none.
  .filter(({ source, target }) => source !== 'txt' || target !== 'txt')

test.each(kinds(pairs, ({ source, target }) => target === 'md' || (source === 'html' && target !== 'adoc')))(
  '$source to $target',
  async ({ source, target }) => {
    const { read, lacks } = sources[source]!
    const write = await writers[target].load()
    const content = Buffer.from(await write(await read(), given))
    const path = files.write(content, target)
    const text = target === 'docx' ? strFromU8(unzipSync(content)['word/document.xml']!) : content.toString()
    const docbook = files.path('book.xml')
    if (target === 'adoc') tool('asciidoctor', '-b', 'docbook5', '-o', docbook, path)
    const format = judged[target]
    const tree =
      format && JSON.parse(tool('pandoc', '-f', format, '-t', 'json', target === 'adoc' ? docbook : path))
    const kept = features.filter(feature => written[target]?.[feature]?.test(text) ?? inTree[feature](tree))
    expect(kept, readFileSync(path).toString('utf8').slice(0, 3000)).toEqual(
      features.filter(feature => !lacks.includes(feature)),
    )
  },
)

testFull('a PDF has the blocks of its source', async () => {
  const text = `# Top\n\n${MARKDOWN}\n| a | b |\n|---|---|\n| 1 | 2 |\n`
  const { path } = await convertFile('document.md-to-pdf', files.write(Buffer.from(text), 'md'))
  expect(
    pdfBlocks(path).map(({ tag, text }) => `${tag} ${text.normalize('NFKC').trim()}`),
    text,
  ).toEqual([
    ...['H1 Top', 'P Read 漢字かんじ here.', 'P Is E=mc2 so.', 'P thick', 'P is slanted too'],
    ...['Code print(1)', 'TH a', 'TH b', 'TD 1', 'TD 2'],
  ])
})
