/** Org: https://orgmode.org/worg/org-syntax.html */
import { indented, marked } from '../markdown/text.ts'
import { type Markup, markupWriter } from './walk.ts'

/** Separates a sign from what would make it markup, and is not seen: https://orgmode.org/manual/Escape-Character.html */
const NOTHING = '\u200b'

/** Stands where marks begin and end, which they may only at the edges of words. */
const EDGE = '\u0001'

const mark = (sign: string) => (inner: string) =>
  `${EDGE}${sign}${inner.replace(new RegExp(`^${EDGE}|${EDGE}$`, 'g'), '')}${sign}${EDGE}`

/** Edges beside what allows marks are gone, and the others become the sign for nothing. */
const edged = (text: string) =>
  text
    .replace(new RegExp(`(^|[\\s({'"-])${EDGE}`, 'gm'), '$1')
    .replace(new RegExp(`${EDGE}(?=$|[\\s.,;:!?'")}\\[-])`, 'gm'), '')
    .replace(new RegExp(`${EDGE}+`, 'g'), NOTHING)

const START = /^(?=\s*(?:\*+\s|[-+]\s|\d+[.)]\s|[#:|]|\[fn:))/gm

const lines = (text: string) => edged(text).replace(START, NOTHING)

const address = (text: string) => text.replace(/[\s[\]]/g, encodeURIComponent)

const language = (): Markup => ({
  escape: text =>
    text
      .replace(/(?<=^|[\s({'"-])([*/_=~+])(?=\S(?:.{0,2000}?\S)?\1(?:$|[\s.,;:!?'")}[-]))/g, `${NOTHING}$1`)
      .replace(/\[(?=\[|fn:|\d)/g, `[${NOTHING}`)
      .replace(/\\(?=[A-Za-z([])/g, `\\${NOTHING}`)
      .replace(/([_^])\{/g, `$1${NOTHING}{`)
      .replace(/<(?=<|\d|[a-z]+:)/g, `<${NOTHING}`),
  nests: true,
  marks: [
    ['italic', mark('/')],
    ['bold', mark('*')],
    ['underline', mark('_')],
    ['strike', mark('+')],
    ['superscript', inner => `^{${edged(inner)}}`],
    ['subscript', inner => `_{${edged(inner)}}`],
  ],
  code: text => mark(text.includes('~') ? '=' : '~')(text),
  lineBreak: ' \\\\\n',
  link: (to, inner) =>
    inner ? `[[${address(to)}][${edged(inner).replaceAll(']]', `]${NOTHING}]`)}]]` : `[[${address(to)}]]`,
  reference: (name, inner) => `[[#${name}][${edged(inner)}]]`,
  anchor: name => `<<${name}>>`,
  picture: to => `[[file:${address(to)}]]`,
  image: (to, description) =>
    `${description ? `#+CAPTION: ${description.replace(/\s+/g, ' ')}\n` : ''}[[${/^[a-z]+:/i.test(to) ? '' : 'file:'}${address(to)}]]`,
  equation: (tex, display) => (display ? `\\[${tex}\\]` : `\\(${tex}\\)`),
  note: number => `[fn:${number}]`,
  heading: (text, level, _depth, name) =>
    `${'*'.repeat(level)} ${edged(text).replace(/\n/g, ' ')}${name ? `\n:PROPERTIES:\n:CUSTOM_ID: ${name}\n:END:` : ''}`,
  paragraph: lines,
  codeBlock: (text, name) =>
    `#+begin_src${name ? ` ${name}` : ''}\n${text.replace(/^(?=\*|#\+)/gm, ',')}\n#+end_src`,
  quote: text => `#+begin_quote\n${text}\n#+end_quote`,
  rule: '-----',
  list: (items, { ordered, start }, isTight) => {
    const first = ordered && start !== 1 ? `[@${start}] ` : ''
    return marked(
      items.map((item, index) => (index === 0 ? first : '') + item),
      index => (ordered ? `${start + index}. ` : '- '),
      isTight,
    )
  },
  definitions: items =>
    items
      .map(({ term, texts }) => `- ${edged(term)} :: ${indented(texts.join('\n\n'), 2).trimStart()}`)
      .join('\n'),
  table: ({ rows, heads, caption }) => {
    const line = (row: string[]) =>
      `| ${row.map(text => edged(text).replace(/\s+/g, ' ').replaceAll('|', '\\vert{}')).join(' | ')} |`
    const rule = `|${rows[0]?.map(() => '---').join('+') ?? ''}|`
    const text = [
      ...rows.slice(0, heads).map(line),
      ...(heads ? [rule] : []),
      ...rows.slice(heads).map(line),
    ].join('\n')
    return caption ? `#+CAPTION: ${edged(caption)}\n${text}` : text
  },
  figure: (text, caption) =>
    caption && !text.startsWith('#+CAPTION') && text.startsWith('[[')
      ? `#+CAPTION: ${edged(caption)}\n${text}`
      : [text, lines(caption)].filter(Boolean).join('\n\n'),
  document: ({ body, notes, document }) => {
    const head = [
      `#+OPTIONS: ^:{} -:nil`,
      document.title && `#+TITLE: ${document.title}`,
      ...document.authors.map(author => `#+AUTHOR: ${author}`),
      document.language && `#+LANGUAGE: ${document.language}`,
    ]
    const ends = notes.map(([number, text]) => `[fn:${number}] ${text}`)
    return `${[head.filter(Boolean).join('\n'), body, ...ends].filter(Boolean).join('\n\n')}\n`
  },
})

export const writeOrg = markupWriter(language)
