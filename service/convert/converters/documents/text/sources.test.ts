import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { unzipSync, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { pdfBlocks } from '../../../../../testing/pdf-structure.ts'
import { isTextFolder } from '../../../../shared/names/text-folder.ts'
import { formats } from '../../../catalogue/formats.ts'
import { readers, texts } from '../../../engines/documents/index.ts'

const files = testFiles('text-sources')

/** Blocks as pandoc reads them, without the names of places. */
const blocksOf = (path: string, format: string) =>
  execFileSync('pandoc', ['-f', format, '-t', 'html', '--wrap=none', path], { encoding: 'utf8' })
    .replace(/ (?:id|class)="[^"]*"/g, '')
    .replace(/<\/?(?:div|span)>|<!--.*?-->/g, '')
    .replace(/\n+/g, '\n')
    .trim()

function write(name: string, content: string): string {
  const path = files.path(name)
  writeFileSync(path, content)
  return path
}

const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg=='

test('a folder of any text that people write and its pictures is one document', () => {
  const names = texts.flatMap(format => formats[format].suffixes).map(suffix => `text.${suffix}`)
  expect(names.filter(name => !isTextFolder([name, 'a.png']))).toEqual([])
})

test('notebooks keep texts, code and what came out of it', async () => {
  const cell = (cell_type: string, source: string, more = {}) => ({
    cell_type,
    source,
    metadata: {},
    ...more,
  })
  const output = (output_type: string, more: object) => ({ output_type, ...more })
  const path = write(
    'notebook.ipynb',
    JSON.stringify({
      nbformat: 4,
      nbformat_minor: 5,
      metadata: { language_info: { name: 'python' } },
      cells: [
        cell('markdown', '# Sums\n\nWith *care* and $x^2$.\n\n- one\n- two'),
        cell('code', 'print(1)\nplot()', {
          execution_count: 1,
          outputs: [
            output('stream', { name: 'stdout', text: ['1\n', '2'] }),
            output('display_data', { metadata: {}, data: { 'image/png': dot, 'text/plain': '<Figure>' } }),
            output('error', { ename: 'E', evalue: 'x', traceback: ['\u001b[31mE\u001b[0m: x'] }),
          ],
        }),
      ],
    }),
  )
  const { path: md, outputs } = await convertFile('document.ipynb-to-md', path, { pictures: 'files' })
  expect(readFileSync(md, 'utf8')).toBe(
    '# Sums\n\nWith *care* and $x^2$.\n\n- one\n- two\n\n```python\nprint(1)\nplot()\n```\n\n```\n1\n2\n```\n\n![](image-1.png)\n\n```\nE: x\n```\n',
  )
  expect(outputs).toHaveLength(2)
  await expect(convertFile('document.ipynb-to-md', write('values.ipynb', '{"a": 1}'))).rejects.toMatchObject({
    code: 'jobs.corrupt_input',
  })
})

test("Markdown has pandoc's names of headings", async () => {
  const path = write('pandoc.md', '# Top {#start .x}\n\nGo [up](#start), {#not} here.\n')
  const { path: html } = await convertFile('document.md-to-html', path)
  const page = readFileSync(html, 'utf8')
  expect(blocksOf(html, 'html')).toContain('<h1>Top</h1>')
  const [, id] = /href="#([^"]+)">up/.exec(page) ?? []
  expect(page).toMatch(new RegExp(`<h1 id="${id}">|id="${id}"></a>Top`))
  expect(page).toContain('{#not} here.')
})

testFull(
  "Markdown has pandoc's definitions, and raised, lowered and marked text, which are escaped where they are none",
  async () => {
    const text =
      'Apple\n:   A fruit\n    of trees.\n\n    Second *paragraph*.\n\nOrange\n~   Citrus\n\nH~2~O and x^2^, numpy==1.26 scipy==2.0, 2^10 and 2^5, ~a b~, \\~x\\~ \\^y^ \\==z==.\n'
    const path = write('more.md', text)
    const { path: html } = await convertFile('document.md-to-html', path)
    const expected = blocksOf(path, 'markdown').replace(/<dd>\n(Citrus)\n<\/dd>/, '<dd>\n<p>$1</p>\n</dd>')
    const read = (file: string) =>
      blocksOf(file, 'html').replace(/<dd>\n(Citrus)\n<\/dd>/, '<dd>\n<p>$1</p>\n</dd>')
    expect(read(html)).toBe(expected)
    const again = (await convertFile('document.html-to-md', html)).path
    expect(readFileSync(again, 'utf8')).toContain('H<sub>2</sub>O and x<sup>2</sup>, numpy==1.26 scipy==2.0')
    const twice = (await convertFile('document.md-to-html', again)).path
    expect(read(twice)).toContain(expected.split('\n').at(-1))
    const marked = await convertFile('document.md-to-docx', write('marked.md', 'A ==marked **word**== here.'))
    const xml = Buffer.from(unzipSync(readFileSync(marked.path))['word/document.xml']!).toString()
    expect(xml.match(/w:fill="FFFF00"/g)).toHaveLength(2)
  },
)

testFull('web pages keep their looks and pictures in Word', async () => {
  const path = write(
    'page.html',
    `<title>A page</title><style>.red { color: #c00 }</style><h1>Head</h1><p class="red">Red <a href="https://example.org/">link</a></p><p><img alt="dot" src="data:image/png;base64,${dot}"></p><table><tr><th>a<td>b</table><ol><li>one<li>two</ol>`,
  )
  const { path: word, warnings } = await convertFile('document.html-to-docx', path)
  expect(warnings).toEqual([])
  const xml = Buffer.from(unzipSync(readFileSync(word))['word/document.xml']!).toString()
  expect(xml).toMatch(/<w:color w:val="CC0000"\/>/)
  expect(blocksOf(word, 'docx')).toMatch(
    /<h1>Head<\/h1>\n<p>Red <a href="https:\/\/example.org\/">link<\/a><\/p>\n<p><img [^>]*><\/p>\n<table>.*<ol[^>]*>\n<li><p>one/s,
  )
})

testFull('Org is read as pandoc reads it', async () => {
  const path = write(
    'notes.org',
    `#+TITLE: The title
#+AUTHOR: Ann
* Head with *bold*
:PROPERTIES:
:ID: 1
:END:
Text /it/ =code= +gone+ [[https://example.org/][a link]] x^{2} and H_{2}O
over two lines, /usr/bin and 2*3*4.[fn:1]
- one
- two
  over lines
  1. inner

| a | b |
|---+---|
| 1 | 2 |

#+BEGIN_SRC python
def f():
    return 1
#+END_SRC
#+begin_quote
Said.
#+end_quote
- term :: what it is
- other :: more

[fn:1] The note.
`,
  )
  const { path: html } = await convertFile('document.org-to-html', path)
  const own = blocksOf(html, 'html')
  for (const block of blocksOf(path, 'org')
    .split(/\n?<section/)[0]!
    .split('\n'))
    if (!/<\/?(?:table|thead|tbody|tr)|<p>Text/.test(block)) expect(own).toContain(block)
  const { path: md } = await convertFile('document.org-to-md', path)
  expect(readFileSync(md, 'utf8')).toContain(
    '*it* `code` ~~gone~~ [a link](https://example.org/) x<sup>2</sup> and H<sub>2</sub>O over two lines, /usr/bin and 2\\*3\\*4.[^1]',
  )
  expect(readFileSync(md, 'utf8')).toContain('[^1]: The note.')
})

testFull(
  'reStructuredText is read as pandoc reads it, and what is not understood stays as text',
  async () => {
    const path = write(
      'guide.rst',
      `=====
Guide
=====

A *short* **text** with \`\`code\`\`, a link_, \`another <https://example.com/b>\`__, H\\ :sub:\`2\`\\ O, |name| and
\\*stars\\*, snake_case and https://example.org/c.

.. _link: https://example.org/
.. |name| replace:: *Refile*

First part
----------

- one

  more of it
- two

  1. inner
  2. other

#. a
#. b

Term : kind
    What it **is**.

Code::

    if x:
        pass

.. code-block:: python

   print(1)

+-------+-----+
| a     | b   |
+=======+=====+
| 1     | 2   |
+-------+-----+

==  =====
a   b
==  =====
1   two
    lines
2   3
==  =====

| a line
| another

.. note:: Take care.

.. image:: dot.png
   :alt: A dot

    A quote.
`,
    )
    const { path: html } = await convertFile('document.rst-to-html', path)
    const own = blocksOf(html, 'html')
    const expected = blocksOf(path, 'rst')
    const plain = (blocks: string) =>
      blocks
        .replace(/<col[^>]*>|<\/?(?:colgroup|thead|tbody|caption)>| style="[^"]*"| type="1"/g, '')
        .replace(/<\/?(?:p|dd)>/g, '')
        .split('\n')
        .filter(
          line => !/^<\/?(?:table|tr|dd|dl|ul|ol|li)>?$|^$|Note|Take care|blockquote|<img|<dt>/.test(line),
        )
    expect(plain(own).join('\n')).toBe(plain(expected).join('\n'))
    expect(own).toContain('<p>Take care.</p>')
    expect(own).toContain('<img src="dot.png" alt="A dot"')
    const { path: md, warnings } = await convertFile(
      'document.rst-to-md',
      write('more.rst', 'Sum [#]_.\n\n.. widget:: Of *text*\n\n   And more.\n\n.. [#] The note.\n'),
    )
    expect(readFileSync(md, 'utf8')).toBe('Sum [^1].\n\nOf *text*\n\nAnd more.\n\n[^1]: The note.\n')
    expect(warnings).toEqual([expect.stringContaining('not understood here: widget::.')])
    // The pandoc here takes no spans from reStructuredText, but those of the page.
    const grid = '+---+---+---+\n| wide  | x |\n+---+---+   |\n| y | z |   |\n+---+---+---+\n'
    const { path: spans } = await convertFile('document.rst-to-html', write('spans.rst', grid))
    expect(blocksOf(spans, 'html')).toMatch(/<td colspan="2">wide<\/td>\s*<td rowspan="2">x<\/td>/)
    const circle = '.. |a| replace:: |b| |b|\n.. |b| replace:: |a| |a|\n\nA |a| b.\n'
    const { path: txt } = await convertFile('document.rst-to-txt', write('circle.rst', circle))
    expect(readFileSync(txt, 'utf8')).toContain('|a| |a|')
  },
)

testFull('LaTeX is read as pandoc reads it, and what is not understood stays as text', async () => {
  const path = write(
    'guide.tex',
    String.raw`\documentclass{article} % \begin{document}
\usepackage{booktabs}
\newcommand{\refile}{\textbf{Refile}}
\newcommand{\pair}[2][one]{#1 and #2}
\newcommand{\be}{\begin{equation*}}
\newcommand{\ee}{\end{equation*}}
\newenvironment{said}[1]{\begin{quote}#1: }{\end{quote}}
\def\twice#1{#1, #1}
\begin{document}
\section{Guide}\label{start}
A \emph{short} \textbf{text} with \texttt{code}, \verb|a_b %|, {\bf bold} \underline{u}, H\textsubscript{2}O,
\href{https://example.org/a%20b}{a link}, \url{https://example.org/c_d}, 50\% \& na\"ive \'Etat, \ss{} --- and
\refile\ is \pair{two}, \pair[three]{\twice{four}}.% A comment

% Another

Is $E=mc^2$ so, or \(a < b\)?
\be a^2 + b^2 \ee

\subsection*{Lists and \LaTeX}
\begin{itemize}
\item one

  more of it
\item two
  \begin{enumerate}
  \item inner
  \end{enumerate}
\end{itemize}
\begin{description}
\item[Term] what it is
\end{description}
\begin{said}{Ann}Yes.\end{said}
\begin{verbatim}
if {x} % y
  \end{document}
\end{verbatim}
\begin{table}
\caption{Costs}
\begin{tabular}{@{}l*{2}{r}@{}}
\toprule
a & b & c \\
\midrule
1 & 2 & 3 \\
\multicolumn{2}{l}{both} & \emph{4} \\
\bottomrule
\end{tabular}
\end{table}
\end{document}
Not this.
`,
  )
  const { path: html, warnings: none } = await convertFile('document.tex-to-html', path)
  const plain = (blocks: string) =>
    blocks
      .replace(/<col[^>]*>|<\/?(?:colgroup|thead|tbody|caption)>| style="[^"]*"| type="1"/g, '')
      .replace(/<\/?(?:p|dd)>/g, '')
      .replace(/<span>([^<]*)<\/span>/g, '$1')
      .replaceAll('\u00a0', ' ')
      .split('\n')
      .filter(line => !/^<\/?(?:table|tr|dd|dl|ul|ol|li|blockquote)>?$|^$/.test(line))
      .join('\n')
  const expected = plain(blocksOf(path, 'latex'))
  expect(expected).toContain('Refile</strong> is one and two, three and four, four.')
  expect(plain(blocksOf(html, 'html'))).toBe(expected)
  expect(none).toEqual([])
  const more = String.raw`See \ref{late}.\footnote{The \emph{note}.} \widget[x]{Of it}. \input{secret}
\begin{oddity}And more.\end{oddity}
\begin{figure}\includegraphics[width=3cm,alt={A dot}]{dot}\caption{Shown}\end{figure}
\section{Late}\label{late}
\newcommand{\again}{\again\again}\again`
  const { path: md, warnings } = await convertFile('document.tex-to-md', write('more.tex', more))
  expect(readFileSync(md, 'utf8')).toMatch(
    /^See \[1\]\(#late\)\.\[\^1\] Of it\.\s+And more\.\n\n!\[A dot\]\(dot\)\n\nShown\n\n# Late\n+\\*\[\^1\]: The \*note\*\.\n$/,
  )
  expect(warnings.join()).toMatch(/not understood here: \\again, \\widget, \\input\{secret\}, oddity\./)
})

test('links of LaTeX2HTML and HeVeA are links', async () => {
  const text = String.raw`\section{One}\label{one}
See \htmladdnormallink{a page}{https://example.org/a}, \ahref{https://example.org/b}{another} and \htmlref{this}{one}.`
  const { path, warnings } = await convertFile('document.tex-to-md', write('links.tex', text))
  expect(readFileSync(path, 'utf8')).toContain(
    'See [a page](https://example.org/a), [another](https://example.org/b) and [this](#one).',
  )
  expect(warnings).toEqual([])
})

test('lengths and entries of an index show nothing in LaTeX, and characters by number and lone accents do', async () => {
  const text = String.raw`\vskip 1.3in plus 1fil a\^{}b \~{}user\pindex{hidden!too} \char45x \char'137 \symbol{92} \char${'`'}\% \makebox[3cm][l]{boxed}
\texorpdfstring{shown}{hidden} caf\'e.

\begin{tabbing}if\=then\=else \kill one \> two \\ \end{tabbing}
\begin{description}\item[\texttt{\begin{tabular}{@{}l} \textbf{term} \end{tabular}}] meant\end{description}`
  const { path, warnings } = await convertFile('document.tex-to-txt', write('signs.tex', text))
  expect(readFileSync(path, 'utf8').replace(/\s+/g, ' ').trim()).toBe(
    'a^b ~user -x _\\ %boxed shown café. if then else one two term meant',
  )
  expect(warnings).toEqual([])
})

test('a row of a LaTeX table with a single cell is kept, whatever marks it has', async () => {
  const row = String.raw`\multicolumn{2}{c}{\textbf{Both}} \\ a & b \\`
  const read = await readers.tex()
  const { blocks } = read(Buffer.from(`\\begin{tabular}{ll}${row}\\end{tabular}`))
  expect(JSON.stringify(blocks)).toMatch(/"text":"Both","marks":\{"bold":true\}.*"text":"b"/)
})

testFull(
  'LaTeX nested without end, or open everywhere, is text in a time that grows with its length',
  async () => {
    const read = await readers.tex()
    const many = 20_000
    for (const [name, text] of Object.entries({
      groups: '{\\textbf{\\emph{ word '.repeat(many),
      ends: `word ${'{'.repeat(many)}${'\\end{x}}\\caption'.repeat(many)}`,
      lists: '\\begin{itemize}\\item word '.repeat(20_000),
      tables: '\\begin{tabular}{c} word & '.repeat(20_000),
      titles: '\\title{\\footnote{\\section{ word '.repeat(20_000),
      options: 'word \\item[{'.repeat(50_000),
      formulas: 'word $ \\( { \\[ '.repeat(50_000),
      bombs: `${Array.from({ length: 60 }, (_, nth) => `\\newcommand{\\a${'b'.repeat(nth)}}[1]{\\a${'b'.repeat(nth + 1)}{#1#1}\\a${'b'.repeat(nth + 1)}{#1}}`).join('')} word \\a{word}`,
      long: `\\newcommand{\\x}[1]{${'#1'.repeat(many)}} word \\x{${'word'.repeat(many)}}`,
      definitions: `word ${'\\newcommand{\\x}[999999999]{\\def'.repeat(many)}`,
    })) {
      const from = Date.now()
      const { blocks, notes } = read(Buffer.from(text))
      expect(JSON.stringify([blocks, [...notes]]), name).toContain('word')
      expect(Date.now() - from, name).toBeLessThan(15_000)
    }
  },
)

testFull('a ZIP of a text and its pictures is a document', async () => {
  const bytes = Buffer.from(dot, 'base64')
  const text = '# Walk\n\n![A dot](img/a%20dot.png) ![gone](none.png)\n\n![Up](../up.png)\n'
  const path = write('walk.zip', '')
  const pack = (more: Record<string, Uint8Array> = {}) => {
    const files = {
      'walk/text.md': Buffer.from(text),
      'walk/img/a dot.png': bytes,
      'up.png': bytes,
      '__MACOSX/walk/._text.md': bytes,
    }
    writeFileSync(path, zipSync({ ...files, ...more }))
    return path
  }
  const { path: word, warnings } = await convertFile('document.textpack-to-docx', pack())
  expect(Object.keys(unzipSync(readFileSync(word))).filter(name => /media\//.test(name))).toHaveLength(2)
  expect(blocksOf(word, 'docx')).toMatch(
    /<h1>Walk<\/h1>\n<p><img [^>]*alt="A dot"[^>]*>.*\n<p><img [^>]*alt="Up"/,
  )
  expect(warnings).toEqual([expect.stringMatching(/^A picture could not be kept/)])
  const pdf = await convertFile('document.textpack-to-pdf', pack())
  expect(tool('pdfimages', '-list', pdf.path).match(/^ *\d+ +\d+ image/gm)).toHaveLength(2)
  const { path: book } = await convertFile('document.textpack-to-epub', pack())
  expect(Object.keys(unzipSync(readFileSync(book))).filter(name => name.endsWith('.png'))).toHaveLength(2)
  const { path: html } = await convertFile('document.textpack-to-html', pack())
  expect(readFileSync(html, 'utf8').match(/src="data:image\/png/g)).toHaveLength(2)
  const several = await convertFile(
    'document.textpack-to-md',
    pack({ 'walk/more.md': Buffer.from('# More') }),
  )
  expect(several.outputs).toHaveLength(3)
  expect(several.warnings.join()).toContain(
    'walk/text.md was read of the texts in the archive; another was left out',
  )
  writeFileSync(path, zipSync({ 'a.png': bytes }))
  await expect(convertFile('document.textpack-to-md', path)).rejects.toMatchObject({
    code: 'jobs.unsupported_input',
  })
})

test('notebooks, Org and reStructuredText are set as PDF, and what is not understood is told', async () => {
  const notebook = {
    cells: [
      { cell_type: 'markdown', source: '# Head\n\nSome *text*.\n\n- one' },
      {
        cell_type: 'code',
        source: 'print(1)',
        outputs: [{ output_type: 'display_data', data: { 'application/x-plot': '{}' } }],
      },
    ],
    metadata: { language_info: { name: 'python' } },
  }
  for (const [format, content, unknown] of [
    ['ipynb', JSON.stringify(notebook), 'application/x-plot'],
    [
      'org',
      '* Head\nSome /text/.\n- one\n\n#+begin_src python\nprint(1)\n#+end_src\n\n#+INCLUDE: "x.org"\n',
      '#+INCLUDE: "x.org"',
    ],
    [
      'tex',
      '\\section{Head}\nSome \\emph{text}.\n\\begin{itemize}\\item one\\end{itemize}\n\\begin{lstlisting}[language=Python]\nprint(1)\n\\end{lstlisting}\n\\widget\n',
      '\\widget',
    ],
    [
      'rst',
      'Head\n====\n\nSome *text*.\n\n- one\n\n.. code-block:: python\n\n   print(1)\n\n.. widget::\n',
      'widget::',
    ],
  ] as const) {
    const { path, warnings } = await convertFile(`document.${format}-to-pdf`, write(`set.${format}`, content))
    expect(warnings, format).toEqual([expect.stringContaining(`not understood here: ${unknown}.`)])
    expect(
      pdfBlocks(path).map(({ tag, text }) => `${tag} ${text.trim()}`),
      format,
    ).toEqual(['H1 Head', 'P Some text.', 'LBody one', 'Code print(1)'])
  }
})

testFull(
  'reStructuredText nested without end, or open everywhere, is text in a time that grows with its length',
  async () => {
    const many = 3000
    const nested = (line: string, by: number) =>
      Array.from({ length: 1000 }, (_, level) => ' '.repeat(by * level) + line).join('\n\n')
    const read = await readers.rst()
    for (const [name, text] of Object.entries({
      quotes: nested('word', 1),
      lists: nested('- word', 2),
      notes: nested('.. note:: word', 3),
      marks: '*a **word ``b |c '.repeat(many),
      roles: ':a:`word '.repeat(many),
      signs: `${['_', ':', '-', '\\', '`', '|'].map(sign => `a${sign.repeat(100_000)}b`).join('\n\n')} word`,
      footnotes:
        Array.from({ length: many }, (_, nth) => `.. [#n${nth}] word [#n${nth + 1}]_`).join('\n') +
        '\n\n[#n0]_',
      replaced: `${Array.from(
        { length: 60 },
        (_, nth) => `.. |s${nth}| replace:: |s${nth + 1}| |s${nth + 1}|`,
      ).join('\n')}\n\nword |s0|`,
    })) {
      const from = Date.now()
      const { blocks, notes } = read(Buffer.from(text))
      expect(JSON.stringify([blocks, [...notes]]), name).toContain('word')
      expect(Date.now() - from, name).toBeLessThan(20_000)
    }
  },
)
