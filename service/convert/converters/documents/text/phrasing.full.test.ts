import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { typeset } from '../../../../../testing/fixtures/typst.ts'
import { pdfBlocks } from '../../../../../testing/pdf-structure.ts'

const files = testFiles('phrasing')

/** Phrasing content with text in it (https://html.spec.whatwg.org/multipage/dom.html#phrasing-content), old elements and unknown ones. */
const TEXT =
  'a abbr b bdi bdo button cite code data del dfn em i ins kbd label map mark q s samp slot small span strong sub sup time u var acronym big font nobr tt blink x-word'.split(
    ' ',
  )
/** With other content, or read differently by pandoc: it takes `output` for a block. */
const OTHERS = [
  '<area href="x">',
  '<audio src="x">no sound</audio>',
  '<br>',
  '<canvas>no drawing</canvas>',
  '<datalist><option>none</option></datalist>',
  '<embed src="x">',
  '<iframe src="x"></iframe>',
  '<img src="x.png" alt="dot">',
  '<input type="checkbox" checked>',
  '<link href="x">',
  '<math><mi>x</mi><mo>=</mo><msqrt><mn>2</mn></msqrt></math>',
  '<meter value="1">one</meter>',
  '<noscript>no script</noscript>',
  '<object data="x">nothing</object>',
  '<output>one</output>',
  '<picture><source srcset="y.png"><img src="x.png" alt="dot"></picture>',
  '<progress value="1">one</progress>',
  '<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>',
  '<script>1</script>',
  '<select><option>one</option></select>',
  '<svg width="90" height="90"><title>dot</title><circle r="9"/></svg>',
  '<template>hidden</template>',
  '<textarea>typed</textarea>',
  '<video src="x">no film</video>',
  '<wbr>',
]
const inner = [...TEXT.map(name => `<${name}>within</${name}>`), ...OTHERS]
const body = inner.map((element, at) => `<p>Paragraph ${at} has ${element} and goes on.</p>`).join('\n')
const page = `<!DOCTYPE html><html lang="en"><head><title>Elements</title></head><body>\n${body}\n</body></html>`

interface Node {
  t: string
  c?: unknown
}

/** Texts of the paragraphs in pandoc's tree of a document. */
function paragraphs(path: string, format: string): string[] {
  const words = (node: unknown): string => {
    if (Array.isArray(node)) return node.map(words).join('')
    const { t, c } = (node ?? {}) as Node
    if (t === 'Str') return c as string
    if (t === 'Space' || t === 'SoftBreak' || t === 'LineBreak') return ' '
    if (t === 'Code' || t === 'Math') return (c as [unknown, string])[1]
    if (t === 'RawInline') return ''
    if (t === 'Quoted') return `"${words((c as unknown[])[1])}"`
    return typeof c === 'object' ? words(c) : ''
  }
  const tree = JSON.parse(tool('pandoc', '-f', format, '-t', 'json', path)) as { blocks: Node[] }
  const inside = (blocks: Node[]): string[] =>
    blocks.flatMap(({ t, c }) => {
      if (t === 'Para' || t === 'Plain') return [words(c).replace(/[“”]/g, '"').replace(/\s+/g, ' ').trim()]
      return t === 'Div' ? inside((c as [unknown, Node[]])[1]) : []
    })
  return inside(tree.blocks).filter(text => text.startsWith('Paragraph '))
}

/** The paragraph of an element with text, which is the same everywhere. */
const ofTexts = (all: string[]) => all.slice(0, TEXT.length)

test('whatever stands in a line of a page stays in it, in every format', async () => {
  const source = files.write(Buffer.from(page), 'html')
  const expected = paragraphs(source, 'html')
  const convert = async (job: string, path: string, options = {}) =>
    (await convertFile(job, path, options)).path
  const book = await convert('document.html-to-epub', source)
  const none = { pictures: 'none' }
  const docbook = files.path('asciidoc.xml')
  tool('asciidoctor', '-b', 'docbook5', '-o', docbook, await convert('document.html-to-adoc', source, none))
  for (const [path, format] of [
    [await convert('document.html-to-md', source, none), 'gfm'],
    [await convert('ebook.epub-to-html', book), 'html'],
    [await convert('ebook.epub-to-md', book, none), 'gfm'],
    [book, 'epub'],
    [await convert('document.html-to-docx', source), 'docx'],
    [await convert('document.html-to-docbook', source, none), 'docbook'],
    [await convert('document.html-to-org', source, none), 'org'],
    [await convert('document.html-to-rst', source, none), 'rst'],
    [await convert('document.html-to-tex', source, none), 'latex'],
    [docbook, 'docbook'],
  ] as const) {
    const read = paragraphs(path, format)
    expect(ofTexts(read)).toEqual(ofTexts(expected))
    expect(read.map(text => /^Paragraph (\d+) has .*and goes on\.$/.exec(text)?.[1])).toEqual(
      inner.map((_, at) => String(at)),
    )
  }
  const typst = readFileSync(await convert('document.html-to-typ', source, none), 'utf8')
  for (const path of [await convert('ebook.epub-to-pdf', book), files.write(typeset(typst), 'pdf')]) {
    const inPdf = pdfBlocks(path)
      .map(({ text }) => text.replace(/[“”]/g, '"').replace(/\s+/g, ' ').trim())
      .filter(text => text.startsWith('Paragraph '))
    expect(ofTexts(inPdf)).toEqual(ofTexts(expected))
    expect(inPdf.map(text => /^Paragraph (\d+) has.*and goes on\.$/.exec(text)?.[1])).toEqual(
      inner.map((_, at) => String(at)),
    )
  }
  const lines = readFileSync(await convert('document.html-to-txt', source), 'utf8').split('\n\n')
  expect(lines).toHaveLength(inner.length)
})
