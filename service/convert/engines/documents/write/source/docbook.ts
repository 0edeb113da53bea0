/** DocBook 5: https://tdg.docbook.org/tdg/5.1/ */
import { mathmlOf } from '../../equations/write-mathml.ts'
import { type Markup, markupWriter } from './walk.ts'

const escaped = (text: string) => text.replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`)

const within = (name: string, inner: string, attributes = '') => `<${name}${attributes}>${inner}</${name}>`
const lines = (name: string, inner: string, attributes = '') => within(name, `\n${inner}\n`, attributes)
const role = (name: string) => (inner: string) => within('emphasis', inner, ` role="${name}"`)

const media = (kind: string, to: string, description: string) =>
  within(
    kind,
    within('imageobject', `<imagedata fileref="${escaped(to)}"/>`) +
      (description && within('textobject', within('phrase', escaped(description)))),
  )

/** An element needs content: a paragraph at least. */
const filled = (text: string) =>
  /<\w/.test(text) &&
  !/^<(?:emphasis|link|literal|inlinemediaobject|footnote|phrase|superscript|subscript)\b/.test(text)
    ? text
    : within('para', text)

function language(): Markup {
  /** Levels of the sections that are open. */
  let open = 0
  return {
    escape: escaped,
    nests: true,
    marks: [
      ['italic', inner => within('emphasis', inner)],
      ['bold', role('strong')],
      ['underline', role('underline')],
      ['strike', role('strikethrough')],
      ['highlight', role('marked')],
      ['superscript', inner => within('superscript', inner)],
      ['subscript', inner => within('subscript', inner)],
    ],
    code: text => within('literal', escaped(text)),
    lineBreak: '<?linebreak?> ',
    link: (to, inner) => within('link', inner || escaped(to), ` xlink:href="${escaped(to)}"`),
    reference: (name, inner) => within('link', inner, ` linkend="${name}"`),
    anchor: name => `<anchor xml:id="${name}"/>`,
    picture: (to, description) => media('inlinemediaobject', to, description),
    image: (to, description) => within('informalfigure', media('mediaobject', to, description)),
    equation: (tex, display, { formula }) =>
      within(display ? 'informalequation' : 'inlineequation', mathmlOf(formula, display, tex)),
    note: (_number, text) => within('footnote', filled(text)),
    heading: (text, _level, depth, name) => {
      const closing = Array.from({ length: Math.max(0, open - depth + 1) }, () => '</section>\n').join('')
      open = depth
      return `${closing}<section${name ? ` xml:id="${name}"` : ''}>\n${within('title', text)}`
    },
    paragraph: text => within('para', text),
    codeBlock: (text, name) =>
      within('programlisting', escaped(text), name ? ` language="${escaped(name)}"` : ''),
    quote: text => lines('blockquote', filled(text)),
    rule: within('para', '* * *', ' role="rule"'),
    list: (items, { ordered, start }, isTight) =>
      lines(
        ordered ? 'orderedlist' : 'itemizedlist',
        items.map(item => lines('listitem', filled(item))).join('\n'),
        `${isTight ? ' spacing="compact"' : ''}${ordered && start !== 1 ? ` startingnumber="${start}"` : ''}`,
      ),
    definitions: items =>
      lines(
        'variablelist',
        items
          .map(({ term, texts }) =>
            lines('varlistentry', `${within('term', term)}\n${lines('listitem', filled(texts.join('\n')))}`),
          )
          .join('\n'),
      ),
    table: ({ rows, heads, columns, caption }) => {
      const row = (cells: string[]) =>
        lines('row', cells.map(cell => within('entry', filled(cell))).join('\n'))
      const part = (name: string, some: string[][]) =>
        some.length > 0 ? `${lines(name, some.map(row).join('\n'))}\n` : ''
      const group = lines(
        'tgroup',
        part('thead', rows.slice(0, heads)) + part('tbody', rows.slice(heads)),
        ` cols="${columns}"`,
      )
      return caption ? lines('table', `${within('title', caption)}\n${group}`) : lines('informaltable', group)
    },
    figure: (text, caption) =>
      caption && text.startsWith('<informalfigure>')
        ? text
            .replace('<informalfigure>', `<figure>${within('title', caption)}`)
            .replace('</informalfigure>', '</figure>')
        : [text, caption && within('para', caption)].filter(Boolean).join('\n'),
    document: ({ title, body, document: { authors, language: tag } }) => {
      const closing = '\n</section>'.repeat(open)
      const people = authors.map(author => within('author', within('personname', escaped(author)))).join('')
      const spaces =
        'xmlns="http://docbook.org/ns/docbook" xmlns:xlink="http://www.w3.org/1999/xlink" version="5.1"'
      return `<?xml version="1.0" encoding="UTF-8"?>\n<article ${spaces}${tag ? ` xml:lang="${escaped(tag)}"` : ''}>\n${lines('info', within('title', escaped(title)) + people)}\n${body}${closing}\n</article>\n`
    },
  }
}

export const writeDocbook = markupWriter(language)
