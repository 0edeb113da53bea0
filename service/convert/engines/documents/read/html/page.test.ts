import { expect, test } from 'vitest'
import { testFull } from '../../../../../../testing/describe-full.ts'
import { documentWith, paragraphOf, run } from '../../model.ts'
import { writePage } from '../../write/html/page.ts'
import { writeMarkdown } from '../../write/markdown/blocks.ts'
import { writeText } from '../../write/text.ts'
import { readWebPage } from './page.ts'

const markdown = (html: string) =>
  writeMarkdown(readWebPage(html), {
    address: ({ source }) => ('file' in source ? source.file : source.address),
  }).trimEnd()

test.each([
  [
    'marks between a letter and punctuation',
    '<p>a<b>(b)</b>c <i>d!</i> e</p>',
    'a<strong>(b)</strong>c *d!* e',
  ],
  [
    'the caption of a table with merged cells',
    '<table><caption>C</caption><tr><td colspan="2">a</td></tr><tr><td>b</td><td>c</td></tr></table>',
    'C\n\n<table>\n<tr><td colspan="2">a</td></tr>\n<tr><td>b</td><td>c</td></tr>\n</table>',
  ],
  ['spaces beside marked words', '<p>how<strong> Microsoft</strong> was</p>', 'how **Microsoft** was'],
  ['spaces within links', '<p>is<a href="https://x.y"> link </a>here</p>', 'is [link](https://x.y) here'],
  ['spaces across lines', '<p>a<b>\n</b>b<br> c<i> </i></p>', 'a b\\\nc'],
  [
    'bold of a paragraph',
    '<p style="font-weight: bold">a <span style="font-weight: 400">b</span></p>',
    '**a** b',
  ],
  ['italic of a part', '<div style="font-style: italic"><p>a</p><p>b</p></div>', '*a*\n\n*b*'],
  ['no bold of headings', '<h2 style="font-weight: bold">a <b>b</b></h2>', '## a **b**'],
  [
    'blocks in a link',
    '<a href="https://x.y"><div>a</div><div>b</div></a>',
    '[a](https://x.y)\n\n[b](https://x.y)',
  ],
  ['text around blocks', '<div>a<p>b</p>c</div>', 'a\n\nb\n\nc'],
  [
    'what a page shows instead of an object',
    '<p>a</p><object data="x.swf" type="application/x-shockwave-flash"><param name="p" value="v"/><figure><img src="x.png" alt="b"/><figcaption>c</figcaption></figure></object><p>d <object data="y">e</object></p>',
    'a\n\n![b](x.png)\n\nc\n\nd e',
  ],
  ['blocks in unknown elements', '<my-card>a <my-b>b</my-b><p>c</p></my-card>', 'a b\n\nc'],
  [
    'lines of a poem',
    '<p><span style="display: block">a</span><span style="display: block">b</span></p>',
    'a\\\nb',
  ],
  ['two breaks', 'a<br><br>b', 'a\n\nb'],
  ['rules', '<p>a</p><hr><p>b</p>', 'a\n\n---\n\nb'],
  [
    'captions',
    '<table><caption>C</caption><tr><th>a</th></tr><tr><td align="right">b</td></tr></table>',
    'C\n\n| a |\n| --: |\n| b |',
  ],
  ['figures', '<figure><img src="x.png" alt=""><figcaption>C</figcaption></figure>', '![](x.png)\n\nC'],
  ['definitions', '<dl><dt>a<dt>b<dd>c<dd><ul><li>d</ul></dl>', 'a\\\nb\\\nc\n\n- d'],
  ['details', '<details><summary>a</summary><p>b</p></details>', 'a\n\nb'],
  [
    'ruby',
    '<p>彼は<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>を</p>',
    '彼は<ruby>漢<rt>かん</rt></ruby><ruby>字<rt>じ</rt></ruby>を',
  ],
  ['formulas', '<p>is <math><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></math>.</p>', 'is $mc^{2}$.'],
  ['code with its language', '<pre><code class="language-js">a\n  b\n</code></pre>', '```js\na\n  b\n```'],
  ['two terms without a definition', '<dl><dt>a<dt>b</dl>', '**a**\n\n**b**'],
  ['a heading in a summary', '<details><summary>a <h2>b</h2></summary><p>c</p></details>', 'a\n\n## b\n\nc'],
  ['no empty last line', '<ul><li>a<br>&nbsp;</li><li>b</li></ul>', '- a\n- b'],
  ['items that begin with blocks', '<ul><li><div>a</div></li><li>b</li></ul>', '- a\n\n- b'],
  [
    'a table without a header, and its empty cells',
    '<table><tr><td>a</td><td>&nbsp;</td></tr><tr><td>b</td><td>c</td></tr></table>',
    '|  |  |\n| --- | --- |\n| a | \u00a0 |\n| b | c |',
  ],
  ['loose lists', '<ul><li><p>a</p></li><li><p>b</p></li></ul>', '- a\n\n- b'],
  ['lists in lists without an item', '<ul><li>a</li><ul><li>b</li></ul></ul>', '- a\n  - b'],
  ['a table around everything', '<table><tr><td><h1>a</h1><p>b</p></td></tr></table>', '# a\n\nb'],
  [
    'notes',
    '<p>a<a href="#n" id="r" role="doc-noteref">1</a></p><section role="doc-endnotes"><hr><ol><li id="n">b <a href="#r" role="doc-backlink">↩</a></li></ol></section>',
    'a[^1]\n\n[^1]: b',
  ],
  [
    'no hidden text',
    '<p>a<span hidden>b</span><script>c</script><span style="display: none">d</span></p>',
    'a',
  ],
  [
    'a header that is merged with the rows below it',
    '<table><tr><th rowspan="2">a</th><th>b</th></tr><tr><td>c</td></tr></table>',
    '<table>\n<tr><th rowspan="2">a</th><th>b</th></tr>\n<tr><td>c</td></tr>\n</table>',
  ],
])('a page keeps %s', (_, html, expected) => {
  expect(markdown(html)).toBe(expected)
})

test('a heading is one line of plain text', () => {
  expect(writeText(readWebPage('<h2>a<br>b</h2><p>c<br>d</p>'))).toBe('a b\n\nc\nd\n')
})

test('long space is read, and written, in a time that grows with its length', () => {
  const from = Date.now()
  const [space, lines] = [' '.repeat(150_000), '\n'.repeat(150_000)]
  expect(markdown(`<pre>a${space}b${lines}c</pre>`)).toBe(`\`\`\`\na${space}b${lines}c\n\`\`\``)
  const given = { fileName: 'x', date: new Date(), address: () => undefined, file: () => undefined }
  for (const [gap, written] of [
    [space, ' '],
    [lines, ' '],
    ['\u00a0'.repeat(150_000), '\u00a0'.repeat(150_000)],
  ] as const) {
    const document = documentWith({ blocks: [paragraphOf([run(`a${gap}b`)])] })
    expect(writeMarkdown(document, given) === `a${written}b\n`).toBe(true)
    expect(String(writePage(document, given)).includes(`<p>a${gap}b</p>`)).toBe(true)
  }
  expect(Date.now() - from).toBeLessThan(20_000)
})

testFull('blocks within one line are read in a time that grows with their number', () => {
  const seconds = (count: number) => {
    // Of the processor, since other tests may run meanwhile.
    const from = process.cpuUsage()
    const { blocks } = readWebPage(`<h1>${'<div>word</div>'.repeat(count)}</h1>`)
    expect(JSON.stringify(blocks).match(/word/g)).toHaveLength(count)
    return process.cpuUsage(from).user
  }
  seconds(1000)
  expect(seconds(40_000)).toBeLessThan(40 * seconds(4000))
})
