/** AsciiDoc: https://docs.asciidoctor.org/asciidoc/latest/ */
import { type Markup, markupWriter } from './walk.ts'

const sign = (text: string) => `&#${text.codePointAt(0)};`

/** Signs that could be markup are numbers, since a backslash is only taken away where it would be needed. */
const escaped = (text: string) =>
  text
    .replace(/[&*_`#^~+{|\\<>]/g, sign)
    .replace(
      /\[(?=\[)|:(?=:)|\((?=\(|C\)|R\)|TM\))|\.(?=\.\.)|-(?=-|&#62;)|=(?=&#62;)|"(?=&#96;)|'(?=&#96;)|(?<=\w)'(?=\w)/g,
      sign,
    )
    .replace(/(?<=[a-z]):(?=\S*\[)|\/(?=\/)/gi, sign)

const mark = (one: string) => (inner: string) => `${one}${inner}${one}`

const START =
  /^(?=[-=:./'\u2022]|\d+\.\s|[A-Za-z]\.\s|[ivx]+\)\s|(?:NOTE|TIP|WARNING|CAUTION|IMPORTANT): |\[.*\]$|image::|include::|ifdef::|ifndef::)/gm
const lines = (text: string) => text.replace(START, '{empty}')

const inBrackets = (text: string) => text.replaceAll(']', '&#93;').replace(/\s+/g, ' ')
const quoted = (text: string) => `"${text.replace(/["\n]/g, one => (one === '"' ? '&#34;' : ' '))}"`
const address = (text: string) => text.replace(/[\s[\]]/g, encodeURIComponent)

const block = (fence: string, inner: string, head = '') =>
  `${head ? `${head}\n` : ''}${fence}\n${inner}\n${fence}`

/** Blocks of an item or of a definition after the first are joined to it by a line with a plus. */
const joined = (text: string) => {
  const [first = '', ...rest] = text.split(/\n\n(?=\S)/)
  return [first, ...rest.map(each => (/^(?:[*.]+ )/.test(each) ? `\n${each}` : `+\n${each}`))].join('\n')
}

const language = (): Markup => ({
  escape: escaped,
  nests: true,
  marks: [
    ['italic', mark('__')],
    ['bold', mark('**')],
    ['highlight', mark('##')],
    ['underline', inner => `[.underline]##${inner}##`],
    ['strike', inner => `[.line-through]##${inner}##`],
    ['superscript', mark('^')],
    ['subscript', mark('~')],
  ],
  code: text => `\`\`${escaped(text)}\`\``,
  lineBreak: ' +\n',
  link: (to, inner) => `link:++${address(to)}++[${inBrackets(inner)}]`,
  reference: (name, inner) => `<<${name},${inner.replaceAll('>>', '&#62;&#62;')}>>`,
  anchor: name => `[[${name}]]`,
  picture: (to, description) => `image:${address(to)}[${quoted(description)}]`,
  image: (to, description) => `image::${address(to)}[${quoted(description)}]`,
  equation: tex => `stem:[${tex.replaceAll(']', '\\]').replace(/\s+/g, ' ')}]`,
  note: (_number, text) => `footnote:[${inBrackets(text)}]`,
  heading: (text, _level, depth, name) =>
    `${name ? `[[${name}]]\n` : ''}${'='.repeat(Math.min(depth, 5) + 1)} ${text.replace(/\n/g, ' ')}`,
  paragraph: lines,
  codeBlock: (text, name) => block('----', text.replace(/^----$/gm, '---- '), name ? `[source,${name}]` : ''),
  quote: text => block('____', text),
  rule: "'''",
  list: (items, { ordered, start }, _isTight, depth) => {
    const mark = (ordered ? '.' : '*').repeat(Math.min(depth, 5))
    return `${ordered && start !== 1 ? `[start=${start}]\n` : ''}${items.map(item => `${mark} ${joined(item) || '{empty}'}`).join('\n')}`
  },
  definitions: items =>
    items
      .map(({ term, texts }) => `${term || '{empty}'}:: ${joined(texts.join('\n\n')) || '{empty}'}`)
      .join('\n'),
  table: ({ rows, heads, columns, caption }) => {
    const cell = (text: string) => `${text.includes('\n') ? 'a' : ''}|${text}`
    const head = `[cols="${columns}*"${heads ? ',options="header"' : ''}]`
    const body = rows
      .map((row, at) =>
        row.map(text => (at < heads ? `|${text.replace(/\s+/g, ' ')}` : cell(text))).join('\n'),
      )
      .join('\n\n')
    return `${caption ? `.${caption}\n` : ''}${block('|===', body, head)}`
  },
  figure: (text, caption) =>
    caption && text.startsWith('image::')
      ? `.${caption}\n${text}`
      : [text, lines(caption)].filter(Boolean).join('\n\n'),
  document: ({ body, document: { title, authors, language: tag } }) => {
    const head = [
      title && `= ${escaped(title)}`,
      title && authors.map(escaped).join('; '),
      ':stem: latexmath',
      tag && `:lang: ${tag}`,
    ]
    return `${head.filter(Boolean).join('\n')}\n\n${body}\n`
  },
})

export const writeAsciidoc = markupWriter(language)
