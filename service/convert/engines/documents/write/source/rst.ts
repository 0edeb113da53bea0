/** reStructuredText: https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html */
import { indented, marked } from '../markdown/text.ts'
import { type Markup, markupWriter } from './walk.ts'

/** Stands where inline markup begins and ends, which it may only beside spaces and some signs. */
const EDGE = '\u0001'

const mark = (sign: string) => (inner: string) => `${EDGE}${sign}${inner}${sign}${EDGE}`
const role = (name: string) => (inner: string) => `${EDGE}:${name}:\`${inner}\`${EDGE}`

/** Edges beside what allows them are gone, and the others become the sign for nothing. */
const edged = (text: string) =>
  text
    .replace(new RegExp(`(^|[\\s(\\[{<'"/:-])${EDGE}`, 'g'), '$1')
    .replace(new RegExp(`${EDGE}(?=$|[\\s)\\]}>'".,;:!?/-])`, 'g'), '')
    .replaceAll(`${EDGE}${EDGE}`, '\\ ')
    .replaceAll(EDGE, '\\ ')

/** What begins a line as something else than a paragraph. */
const START =
  /^(?=[-+•‣⁃]\s|\(?(?:\d+|#|[A-Za-z]|[ivxlcdmIVXLCDM]+)[.)](?:\s|$)|\.\.(?:\s|$)|:[^:\s]|>>>|__\s|([!-/:-@[-`{-~])\1{2,}\s*$|[=|])/gm

const lines = (text: string) => edged(text).replace(START, '\\').replace(/::$/, ':\\ :')

const ADORNMENTS = '=-~^"\'`:.'

/** Columns that a text takes: two for wide characters. */
const widthOf = (text: string) =>
  [...text].reduce(
    (width, sign) =>
      width +
      (/[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{3ffff}]/u.test(
        sign,
      )
        ? 2
        : 1),
    0,
  )

const directive = (name: string, argument: string, options: Record<string, string>, content = '') =>
  [
    `.. ${name}:: ${argument}`.trimEnd(),
    ...Object.entries(options)
      .filter(([, value]) => value !== '')
      .map(([key, value]) => `   :${key}: ${value}`.trimEnd()),
    ...(content ? ['', indented(content, 3)] : []),
  ].join('\n')

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

function language(): Markup {
  const pictures: string[] = []
  return {
    escape: text =>
      text.replace(/[\\*`]|\|(?=\S)/g, '\\$&').replace(/_(?![A-Za-z0-9])|(?<![A-Za-z0-9])_/g, '\\_'),
    nests: false,
    marks: [
      ['subscript', role('sub')],
      ['superscript', role('sup')],
      ['bold', mark('**')],
      ['italic', mark('*')],
    ],
    code: text =>
      text.includes('``') || text.endsWith('\\')
        ? role('code')(text.replace(/[\\`]/g, '\\$&'))
        : mark('``')(text),
    lineBreak: ' ',
    link: (address, _inner, plain) =>
      `${EDGE}\`${plain.replace(/[<>]/g, '\\$&')} <${address.replace(/[\s<>`]/g, encodeURIComponent).replace(/_$/, '\\_')}>\`__${EDGE}`,
    reference: (name, _inner, plain) => `${EDGE}\`${plain.replace(/[<>]/g, '\\$&')} <${name}_>\`__${EDGE}`,
    anchor: name => `${EDGE}_\`${name}\`${EDGE}`,
    picture: (address, description) => {
      const name = `|picture-${pictures.length + 1}| image`
      pictures.push(directive(name, address, { alt: oneLine(description) }))
      return `${EDGE}|picture-${pictures.length}|${EDGE}`
    },
    image: (address, description) => directive('image', address, { alt: oneLine(description) }),
    equation: tex => role('math')(oneLine(tex)),
    note: number => `${EDGE}[#n${number}]_${EDGE}`,
    heading: (text, _level, depth, name) => {
      const title = lines(text)
      const sign = ADORNMENTS[Math.min(depth, ADORNMENTS.length) - 1]!
      return `${name ? `.. _${name}:\n\n` : ''}${title}\n${sign.repeat(Math.max(3, widthOf(title)))}`
    },
    paragraph: lines,
    codeBlock: (text, name) =>
      text.trim() === '' ? '' : name ? directive('code', name, {}, text) : `::\n\n${indented(text, 3)}`,
    // Between comments, so that it belongs to nothing before or after it.
    quote: text => `..\n\n${indented(text, 3)}\n\n..`,
    rule: '--------------',
    list: (items, list, isTight) => {
      const markOf = (index: number) => (list.ordered ? `${list.start + index}. ` : '- ')
      // What is inside an item stands apart from its first line.
      return marked(items, markOf, isTight && items.every(item => !item.includes('\n')))
    },
    definitions: items =>
      items
        .map(({ term, texts }) => `${edged(term) || '\\ '}\n${indented(texts.join('\n\n') || '\\ ', 3)}`)
        .join('\n\n'),
    table: ({ rows, heads, caption }) => {
      const cell = (text: string, first: boolean) =>
        `${first ? '* ' : '  '}- ${indented(text, 4).trimStart()}`.trimEnd()
      const body = rows.map(row => row.map((text, at) => cell(text, at === 0)).join('\n')).join('\n')
      return directive('list-table', edged(caption), { 'header-rows': heads ? String(heads) : '' }, body)
    },
    figure: (text, caption) => [text, caption && lines(caption)].filter(Boolean).join('\n\n'),
    document: ({ body, notes }) =>
      `${[body, ...notes.map(([number, text]) => `.. [#n${number}] ${indented(text, 3).trimStart()}`), ...pictures].filter(Boolean).join('\n\n')}\n`,
  }
}

export const writeRst = markupWriter(language)
