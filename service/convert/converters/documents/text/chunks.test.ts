import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkEpubs } from '../../../../../testing/books.ts'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { docx, paragraph } from '../../../../../testing/fixtures/office.ts'

const files = testFiles('word-chunks')

const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg=='

/** A document that embeds these parts one after another, each after its name. */
function documentWith(chunks: Record<string, string | Uint8Array>): string {
  const names = Object.keys(chunks)
  const bytes = docx({
    body: names.map((name, index) => `${paragraph(name)}<w:altChunk r:id="c${index}"/>`).join(''),
    links: names.map((name, index) => ({ id: `c${index}`, type: 'aFChunk', target: name })),
    parts: names.map(name => ({ name: `word/${name}`, content: chunks[name]! })),
  })
  return files.write(bytes, 'docx')
}

const html = `<html><head><title>no</title><style>p { color: red } p > .warm { font-weight: 700 } .gone { display: none }</style></head><body>
  <h2>A heading</h2><p>Some <b>bold</b>, <i>slanted</i> &amp; <a href="https://example.com/x">linked</a> text<br></p>
  <p>A <span class="warm">warm</span> word<span class="gone"> hidden</span></p>
  <ul><li>one<li>two<ol start=3><li>deep</ol></ul>
  <table><tr><th>A<th>B<tr><td>1<td>2</table><pre>code\n  more</pre><script>alert(1)</script>
  <p>dot <img src="data:image/png;base64,${dot}" alt="dot">gone <img src="file:///etc/passwd"></p></body></html>`

const archive = [
  'MIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n boundary="XX"; type="text/html"\r\n\r\n--XX',
  'Content-Type: text/html; charset="utf-8"\r\nContent-Transfer-Encoding: quoted-printable\r\nContent-Location: file:///C:/a.htm\r\n',
  '<html><meta charset=3D"utf-8"><p>From an archive, Gr=C3=BC=C3=9Fe, soft=\r\n break <img src=3D"a_files/p.png" alt=3D"own"></html>\r\n--XX',
  `Content-Location: file:///C:/a_files/p.png\r\nContent-Transfer-Encoding: base64\r\nContent-Type: image/png\r\n\r\n${dot}\r\n--XX--\r\n`,
].join('\r\n')

testFull('embedded HTML, web archives, plain text and documents are read in their place', async () => {
  const inner = docx({
    body: `${paragraph('inner')}<w:tbl><w:tr><w:tc>${paragraph('c1')}</w:tc><w:tc>${paragraph('c2')}</w:tc></w:tr></w:tbl>`,
  })
  const path = documentWith({
    'a.html': html,
    'b.txt': 'first line\r\nsecond line ü\r\n',
    'c.mht': archive,
    'd.docx': inner,
  })
  const { outputs, warnings } = await convertFile('document.docx-to-md', path)
  const text = readFileSync(outputs[0]!.path, 'utf8')
  expect(
    tool('pandoc', '-f', 'gfm', '-t', 'plain', '--wrap=none', outputs[0]!.path).replace(/\s+/g, ' '),
  ).toBe(
    'a.html A heading Some bold, slanted & linked text A warm word - one - two 3. deep A B --- --- 1 2 code more dot [dot]gone b.txt first line second line ü c.mht From an archive, Grüße, soft break [own] d.docx inner ---- ---- c1 c2 ---- ---- ',
  )
  for (const part of [
    '## A heading',
    '**bold**',
    '**warm**',
    '[linked](https://example.com/x)',
    '```\ncode\n  more\n```',
  ])
    expect(text).toContain(part)
  expect(outputs.slice(1).map(({ path: picture }) => readFileSync(picture).toString('base64'))).toEqual([
    dot,
    dot,
  ])
  expect(warnings).toEqual([expect.stringContaining('A picture could not be kept')])
  const book = await convertFile('document.docx-to-epub', path)
  expect((await checkEpubs(book.path)).get(book.path)).toEqual([])
})

test('unreadable parts are reported, and documents that embed themselves end', async () => {
  const nested = (depth: number): Buffer =>
    docx({
      body: `${paragraph(`depth ${depth}`)}<w:altChunk r:id="c"/>`,
      links: [{ id: 'c', type: 'aFChunk', target: 'in.docx' }],
      parts: depth < 6 ? [{ name: 'word/in.docx', content: nested(depth + 1) }] : [],
    })
  const path = documentWith({ 'a.rtf': '{\\rtf1 text}', 'b.docx': 'PK damaged', 'c.docx': nested(1) })
  const { outputs, warnings } = await convertFile('document.docx-to-md', path)
  expect(readFileSync(outputs[0]!.path, 'utf8')).toBe(
    'a.rtf\n\nb.docx\n\nc.docx\n\ndepth 1\n\ndepth 2\n\ndepth 3\n',
  )
  expect(warnings).toEqual([expect.stringContaining('3 documents that are inserted')])
})
