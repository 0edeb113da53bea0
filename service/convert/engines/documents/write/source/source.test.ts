import { expect, test } from 'vitest'
import { testFull } from '../../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../../testing/files.ts'
import { few } from '../../../../../../testing/fixtures/full.ts'
import { tool } from '../../../../../../testing/fixtures/media.ts'
import { pdfBlocks } from '../../../../../../testing/pdf-structure.ts'
import { writers } from '../../index.ts'
import { readWebPage } from '../../read/html/page.ts'
import { typeset } from '../../typst/compiler.ts'
import { coverageOf, fontList } from '../../typst/fonts.ts'
import { writeTypst } from '../typst/markup.ts'

const files = testFiles('source')

/** Signs that mean something in one of the languages, at the start of a line and within it. */
const pageWith = (within: string) => `<html lang="en"><head><title>A test &amp; more</title></head><body>
<h1>First heading</h1>
<p>Plain <b>bold</b> <i>italic</i> <b><i>both</i></b>${within} <code>code_x</code>, H<sub>2</sub>O and x<sup>2</sup>.</p>
<p>Odd a_b_c and 100% #tag $5 {braces} [brackets] \\back &lt;tag&gt; C++ -- dash... "quote" // x
<a href="https://example.org/a?x=1&amp;y=2#z">a <b>link</b></a>. Spaces<a href="https://example.org/b"> within a link </a>stay. See *.txt and a~b^c.</p>
<p>ends with:</p><p>5) not a list</p><p>[fn:1] no note</p>
<h3>Third level</h3>
<ul><li>one</li><li>two<ul><li>in</li></ul></li></ul>
<ol start="3"><li><p>three</p><p>more of it</p></li><li><p>four</p></li></ol>
<h2>Second</h2>
<pre><code class="language-python">def f(x):
    return x  # *no* \\n

print(1)</code></pre>
<blockquote><p>Quoted <em>text</em></p><p>more</p></blockquote>
<table><caption>Cap</caption><tr><th>A</th><th>B</th></tr><tr><td>1</td><td><b>2</b></td></tr><tr><td colspan="2">wide</td></tr></table>
<dl><dt>Term</dt><dd>Meaning</dd></dl>
<p>Formula <math><mi>E</mi></math> here.<sup><a href="#n" role="doc-noteref">1</a></sup></p>
</body></html>`

interface Node {
  t: string
  c?: unknown
}

/** The leaves of pandoc's tree in order, as kind and text; paragraphs of tight lists count as others. */
function leavesOf(content: unknown): string[] {
  if (!Array.isArray(content)) return []
  return content.flatMap((node: Node | unknown[]): string[] => {
    if (Array.isArray(node)) return leavesOf(node)
    if (typeof node !== 'object' || node === null) return []
    const { t, c } = node
    if (t === 'Para' || t === 'Plain') return [`p ${textOf(c)}`]
    if (t === 'Header') return [`h ${textOf((c as unknown[])[2])}`]
    if (t === 'CodeBlock') return [`code ${(c as string[])[1]!.trimEnd()}`]
    return leavesOf(c)
  })
}

const textOf = (content: unknown): string =>
  inlineText(content).replace(/\s+/g, ' ').replaceAll('\u200b', '').trim()

function inlineText(content: unknown): string {
  if (!Array.isArray(content)) return ''
  return content
    .map((node: Node | unknown[] | string) => {
      if (typeof node === 'string') return ''
      if (Array.isArray(node)) return inlineText(node)
      if (node.t === 'Str') return node.c as string
      if (/^(Space|SoftBreak|LineBreak)$/.test(node.t)) return ' '
      if (node.t === 'Code' || node.t === 'Math') return (node.c as string[])[1]
      return node.t === 'Note' ? '' : inlineText(node.c)
    })
    .join('')
}

const leavesIn = (path: string, format: string) =>
  leavesOf((JSON.parse(tool('pandoc', '-f', format, '-t', 'json', path)) as { blocks: unknown[] }).blocks)

testFull('Typst sets the same blocks as those of the page', async () => {
  const page = pageWith(' in<b>mid</b>dle, 日本語の<b>太字</b>です。').replaceAll(
    'Formula <math><mi>E</mi></math> here.<sup><a href="#n" role="doc-noteref">1</a></sup>',
    'End.',
  )
  const given = { fileName: 'page', date: new Date(), address: () => undefined, file: () => undefined }
  const source = writeTypst(readWebPage(Buffer.from(page)), given) as string
  const { files: fonts, declaration } = await coverageOf(source)
  const wide = `${declaration}#set page(width: 1000pt)\n#set text(font: ${fontList('Arimo')})\n`
  const path = files.write(typeset({ source: wide + source, fonts, standard: 'ua-1' }), 'pdf')
  const names: Record<string, string> = { Code: 'code' }
  const blocks = pdfBlocks(path).map(
    ({ tag, text }) => `${/^H\d/.test(tag) ? 'h' : (names[tag] ?? 'p')} ${text.replace(/\s+/g, ' ').trim()}`,
  )
  const flat = (lines: string[]) => lines.map(line => line.replace(/\s+/g, ' ').replace(/[“”]/g, '"'))
  expect(blocks).toEqual(flat(leavesIn(files.write(Buffer.from(page), 'html'), 'html')))
})

test.each(
  few(1, [
    ['rst', 'rst'],
    ['org', 'org'],
    ['tex', 'latex'],
    ['docbook', 'docbook'],
    ['adoc', 'docbook'],
  ] as const),
)('pandoc reads the same blocks from %s as from the page itself', async (format, judged) => {
  // Org knows no marks within a word but by a sign that pandoc does not know.
  const page = pageWith(format === 'org' ? '' : ' in<b>mid</b>dle, 日本語の<b>太字</b>です。')
  const document = readWebPage(Buffer.from(page))
  const write = await writers[format].load()
  const given = { fileName: 'page', date: new Date(), address: () => undefined, file: () => undefined }
  const path = files.write(Buffer.from((await write(document, given)) as string), format)
  const source = format === 'adoc' ? files.path('page.xml') : path
  if (format === 'adoc') tool('asciidoctor', '-b', 'docbook5', '-o', source, path)
  const expected = leavesIn(files.write(Buffer.from(page), 'html'), 'html')
  expect(leavesIn(source, judged)).toEqual(expected)
})
