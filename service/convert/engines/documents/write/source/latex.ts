/** LaTeX that every distribution can set: https://www.latex-project.org/help/documentation/ */
import { type Markup, markupWriter } from './walk.ts'

const SIGNS: Record<string, string> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '`': '\\`{}',
}

const escaped = (text: string) =>
  text
    .replace(/[\\~^<>`{}%$#&_]/g, sign => SIGNS[sign] ?? `\\${sign}`)
    .replace(/-(?=-)/g, '-{}')
    .replace(/\[/g, '{[}')
    .replace(/\]/g, '{]}')
    .replaceAll('\u00a0', '~')

const command = (name: string) => (inner: string) => `\\${name}{${inner}}`
const environment = (name: string, inner: string, options = '') =>
  `\\begin{${name}}${options}\n${inner}\n\\end{${name}}`

const SECTIONS = ['section', 'subsection', 'subsubsection', 'paragraph', 'subparagraph']

const address = (text: string) =>
  text
    .replace(/[\s\\{}]/g, encodeURIComponent)
    .replace(/[%#&_~^]/g, sign => (sign === '%' || sign === '#' ? `\\${sign}` : sign))

const picture = (to: string, description: string) =>
  `\\includegraphics[width=\\linewidth,height=0.9\\textheight,keepaspectratio${description && `,alt={${escaped(description.replace(/\s+/g, ' '))}}`}]{${to.replace(/[{}\\%#]/g, encodeURIComponent)}}`

const language = (): Markup => ({
  escape: escaped,
  nests: true,
  marks: [
    ['bold', command('textbf')],
    ['italic', command('emph')],
    ['underline', command('underline')],
    ['strike', command('sout')],
    ['superscript', command('textsuperscript')],
    ['subscript', command('textsubscript')],
    ['smallCaps', command('textsc')],
  ],
  code: text => `\\texttt{${escaped(text)}}`,
  lineBreak: '\\\\\n',
  link: (to, inner) => `\\href{${address(to)}}{${inner || escaped(to)}}`,
  reference: (name, inner) => `\\hyperref[${name}]{${inner}}`,
  anchor: name => `\\phantomsection\\label{${name}}`,
  picture,
  image: (to, description) => environment('center', picture(to, description)),
  equation: (tex, display) => (display ? `\\[${tex}\\]` : `\\(${tex}\\)`),
  note: (_number, text) => `\\footnote{${text}}`,
  heading: (text, level, _depth, name) =>
    `\\${SECTIONS[Math.min(level, SECTIONS.length) - 1]}{${text}}${name ? `\\label{${name}}` : ''}`,
  paragraph: text => text,
  codeBlock: (text, name) =>
    name
      ? environment('lstlisting', text, `[language=${name.replace(/[^\w+#-]/g, '')}]`)
      : environment('verbatim', text.replaceAll('\\end{verbatim}', '\\end {verbatim}')),
  quote: text => environment('quote', text),
  rule: '\\begin{center}\\rule{0.5\\linewidth}{0.5pt}\\end{center}',
  list: (items, { ordered, start }, _isTight, depth) => {
    const counter =
      ordered && start !== 1
        ? `\\setcounter{enum${['i', 'ii', 'iii', 'iv'][Math.min(depth, 4) - 1]}}{${start - 1}}\n`
        : ''
    return environment(
      ordered ? 'enumerate' : 'itemize',
      counter + items.map(item => `\\item ${item}`).join('\n'),
    )
  },
  definitions: items =>
    environment(
      'description',
      items.map(({ term, texts }) => `\\item[{${term}}] ${texts.join('\n\n')}`).join('\n'),
    ),
  table: ({ rows, heads, columns, caption }) => {
    const isNarrow = rows.every(row => row.join().length < 80 && !row.join().includes('\n'))
    const width = isNarrow ? 'l' : `p{${(0.96 / columns).toFixed(3)}\\linewidth}`
    const line = (row: string[]) =>
      `${row.map(text => text.replace(/\n{2,}|\\\\\n/g, ' \\newline ')).join(' & ')} \\\\`
    const inner = [
      ...rows.slice(0, heads).map(line),
      ...(heads ? ['\\hline'] : []),
      ...rows.slice(heads).map(line),
    ].join('\n')
    return environment(
      'longtable',
      `${caption ? `\\caption{${caption}}\\\\\n` : ''}${inner}`,
      `{${width.repeat(columns)}}`,
    )
  },
  figure: (text, caption) => [text, caption].filter(Boolean).join('\n\n'),
  document: ({ body, document }) => {
    const { title, authors } = document
    const uses = ['fontspec', 'amsmath', 'amssymb', 'graphicx', 'longtable', 'listings', 'hyperref']
    const head = [
      '\\documentclass{article}',
      ...uses.map(command('usepackage')),
      '\\usepackage[normalem]{ulem}',
      title && `\\title{${escaped(title)}}`,
      title && `\\author{${authors.map(escaped).join(' \\and ')}}`,
      title && '\\date{}',
    ]
    return `${head.filter(Boolean).join('\n')}\n\n\\begin{document}\n${title ? '\\maketitle\n' : ''}\n${body}\n\n\\end{document}\n`
  },
})

export const writeLatex = markupWriter(language)
