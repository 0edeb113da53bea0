/** Typst's markup: https://typst.app/docs/reference/syntax/ */
import { directionOf, isRightToLeft } from '../../../common/language/script.ts'
import { ownValue } from '../../../common/own-value.ts'
import type { Writer } from '../../format.ts'
import {
  type Block,
  blocksOf,
  type Document,
  mapRuns,
  type PictureUse,
  paragraphOf,
  partsOf,
  plainText,
  run,
  runsOf,
} from '../../model.ts'
import { typstEquation } from '../../typst/equation.ts'
import { literal, tamed } from '../../typst/literal.ts'
import { codeBlock } from '../markdown/text.ts'
import { type Cell, type Markup, markupWriter } from '../source/walk.ts'
import { factsOf } from './facts.ts'

/** What depends on whether the text is set at once or read by people. */
export interface Setting {
  /** Changes text before it is written. */
  text(text: string): string
  code(text: string): string
  /** The width of a picture, as Typst's length; undefined for its own. */
  width(use: PictureUse): string | undefined
  /** Whether formulas say their TeX to those who cannot see them, which Typst does from 0.14 on. */
  isSpoken: boolean
  /** Hears the TeX of each formula and its Typst; false has it written as text. */
  formula(tex: string, typst: string): boolean
  /** What stands before the text. */
  frame(title: string): string
}

/** Deeper quotes, lists and tables stay at this depth: Typst limits the nesting of layouts. */
const MAX_DEPTH = 9
/** Characters of highlighted code in total; more takes too long. */
const MAX_COLOURED = 400_000
/** Tables with more columns become text; the time for a table grows with their square. */
const MAX_COLUMNS = 256

/** Stands behind an expression, which a semicolon ends only where the text would go on with it. */
const END = '\u0001'
/** Stand around a note with a label. */
const [NOTE, NOTE_END] = ['\u0003', '\u0004']
/** Stands in a link to a place that may not be there. */
const PLACE = '\u0002'

const expression = (name: string, inner: string, ...given: string[]) =>
  `#${name}${given.length > 0 ? `(${given.join(', ')})` : ''}[${inner}]${END}`
const command = (name: string) => (inner: string) => expression(name, inner)

/** What is a line break to Typst, but not in text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const BREAKS = /[\n\r\u000b\u000c\u0085\u2028\u2029]/g

/** Text that means nothing but itself, also at the start of a line. */
const escaped = (text: string) =>
  tamed(text.replace(BREAKS, ' '))
    .replace(/[\\#$*_`<@~[\]"']/g, '\\$&')
    .replace(/\/(?=[/*])|-(?=[-?\p{N}])|\.(?=\.\.)|^[-=+/]/gu, '\\$&')
    .replace(/^(\d+)\./, '$1\\.')

/** Word's names of numbers in lists. */
const NUMBERINGS: Record<string, string> = {
  lowerLetter: 'a.',
  upperLetter: 'A.',
  lowerRoman: 'i.',
  upperRoman: 'I.',
}

/** Colours of GitHub's alerts. */
const ALERTS: Record<string, string> = {
  note: '#0969da',
  tip: '#1a7f37',
  important: '#8250df',
  warning: '#9a6700',
  caution: '#cf222e',
}

/** A list or a table, each part on a line of its own. */
const onLines = (name: string, given: readonly string[], parts: readonly string[]) =>
  `#${name}(${[...given, ''].join(', ').trimEnd()}\n${parts.map(part => `  ${part},\n`).join('')})${END}`

/** The checkbox of an item, in place of its bullet. */
const task = (item: string) =>
  item.replace(/^[☐☒] ?/, box => `#box(width: 0pt, move(dx: -1.4em)[${box[0] === '☒' ? '☑' : '☐'}])${END}`)

function language(setting: Setting, document: Document): Markup {
  const places = new Set<string>()
  const notes = new Set<number>()
  let coloured = 0
  const place = (name: string) => {
    if (places.has(name)) return ''
    places.add(name)
    return `<${name}>`
  }
  /** A paragraph that runs against the others. */
  const directed = (text: string, plain: string) => {
    const direction = directionOf(plain)
    return direction === undefined || (direction === 'rtl') === document.rightToLeft
      ? text
      : expression('block', `#set text(dir: ${direction}); #set align(start)\n${text}\n`, 'width: 100%')
  }
  const image = (address: string, description: string, use: PictureUse) => {
    const width = setting.width(use)
    return `image(${[literal(address), ...(width ? [`width: ${width}`] : []), ...(description ? [`alt: ${literal(description)}`] : [])].join(', ')})`
  }
  const cell = ({ x, y, columns, rows, align, text }: Cell, isHead: boolean, isPlaced: boolean) => {
    const given = [
      ...(isPlaced ? [`x: ${x}`, `y: ${y}`] : []),
      ...(columns > 1 ? [`colspan: ${columns}`] : []),
      ...(rows > 1 ? [`rowspan: ${rows}`] : []),
      ...(align ? [`align: ${align}`] : []),
    ]
    const inner = isHead ? `[#strong[${text}]${END}]` : `[${text}]`
    return given.length > 0 ? `table.cell(${given.join(', ')})${inner}` : inner
  }
  return {
    escape: text => escaped(setting.text(text)),
    nests: true,
    marks: [
      ['bold', command('strong')],
      ['italic', command('emph')],
      ['underline', command('underline')],
      ['strike', command('strike')],
      ['superscript', command('super')],
      ['subscript', command('sub')],
      ['highlight', command('highlight')],
      ['smallCaps', command('smallcaps')],
    ],
    code: text => {
      const code = setting.code(tamed(text.replace(BREAKS, ' ')))
      return code.includes('`') ? `#raw(${literal(code)})${END}` : `\`${code}\``
    },
    lineBreak: ' \\\n',
    link: (address, inner) => (inner === '' ? '' : expression('link', inner, literal(address))),
    reference: (name, inner) => `#link(${PLACE}<${name}>${PLACE})[${inner}]${END}`,
    anchor: name => place(name) && `#metadata(none)<${name}>`,
    picture: (address, description, use) => `#box(${image(address, description, use)})${END}`,
    image: (address, description, use) => `#${image(address, description, use)}${END}`,
    equation: (tex, display) => {
      const flat = setting.text(tamed(tex)).replace(/\n\s*\n/g, '\n')
      const equation = typstEquation(flat)
      if (equation === undefined || !setting.formula(flat, equation))
        return `#raw(${literal(display ? `$$${flat}$$` : `$${flat}$`)})${END}`
      if (setting.isSpoken)
        return `#math.equation(block: ${display}, alt: ${literal(flat)}, $${equation}$)${END}`
      return display ? `$ ${equation} $` : `$${equation}$`
    },
    ruby: (base, reading) => base + expression('super', reading),
    noteGap: '\n\n',
    note: (number, text) => {
      if (notes.has(number)) return `#footnote(<note-${number}>)${END}`
      if (text === '') return ''
      notes.add(number)
      return `${NOTE}#footnote[${text}]<note-${number}>${NOTE_END}`
    },
    // A label would end the heading, so that of a note stands within brackets.
    heading: (text, _level, depth, name, plain) => {
      const inner = text.replaceAll(NOTE, '#[').replaceAll(NOTE_END, ']')
      return directed(`${'='.repeat(depth)} ${inner}${name ? ` ${place(name)}` : ''}`, plain)
    },
    paragraph: (text, { align, role, content, rightToLeft }) => {
      const shown = role === 'text' ? text : command('emph')(text)
      const written = rightToLeft && document.rightToLeft ? shown : directed(shown, plainText(content))
      return align ? expression('align', written, align) : written
    },
    codeBlock: (text, name) => {
      const code = setting.code(tamed(text.replaceAll('\t', '    ')))
      coloured += code.length
      const isNamed = name !== undefined && /^[\w+#-]{1,30}$/.test(name) && coloured <= MAX_COLOURED
      return codeBlock(code, isNamed ? name : '')
    },
    quote: (text, alert) => {
      const colour = ownValue(ALERTS, alert ?? '')
      if (!colour) return expression('quote', `\n${text}\n`, 'block: true')
      const titled = text.replace(/^#strong\[\w+\]/, title =>
        expression('text', title, `fill: rgb("${colour}")`),
      )
      const look = [
        'width: 100%',
        'inset: (left: 10pt, rest: 6pt)',
        `stroke: (left: 2.5pt + rgb("${colour}"))`,
      ]
      return expression('block', `\n${titled}\n`, ...look)
    },
    rule: `#line(length: 100%)${END}`,
    list: (items, { ordered, start, format }, isTight) => {
      const numbering = NUMBERINGS[format]
      const isTasks = !ordered && items.every(item => /^[☐☒]/.test(item))
      const given = [
        ...(ordered && start !== 1 ? [`start: ${Math.min(start, 999_999_999)}`] : []),
        ...(ordered && numbering ? [`numbering: "${numbering}"`] : []),
        ...(isTasks ? ['marker: []', 'body-indent: 1.4em'] : []),
        ...(isTight ? [] : ['tight: false']),
      ]
      return onLines(
        ordered ? 'enum' : 'list',
        given,
        items.map(item => `[${isTasks ? task(item) : item}]`),
      )
    },
    definitions: items =>
      onLines(
        'terms',
        [],
        items.map(({ term, texts }) => `terms.item[${term}][${texts.join('\n\n')}]`),
      ),
    table: ({ rows, heads, columns, cells, caption }) => {
      if (columns > MAX_COLUMNS) return rows.map(row => row.join(' ')).join('\n\n')
      const isPlaced = cells.length < columns * rows.length
      const lines: string[][] = rows.map(() => [])
      for (const each of cells) lines[each.y]!.push(cell(each, each.y < heads, isPlaced))
      const written = lines.map(line => line.join(', ')).filter(Boolean)
      const head = written.slice(0, heads).join(', ')
      // Places and notes of heads that are repeated would be there twice.
      const repeat = /<(?:a|note)-/.test(head) ? 'repeat: false, ' : ''
      const parts = [...(heads > 0 ? [`table.header(${repeat}${head})`] : []), ...written.slice(heads)]
      const inner = onLines('table', [`columns: ${columns}`], parts)
      return caption ? figure(inner, caption, 'table') : inner
    },
    figure: (text, caption) => (caption ? figure(text, caption, 'image') : text),
    document: ({ title, body }) =>
      `${setting.frame(title)}${body}\n`
        .replaceAll(new RegExp(`#link\\(${PLACE}<([\\w-]+)>${PLACE}\\)`, 'g'), (_, name: string) =>
          places.has(name) ? `#link(<${name}>)` : '#box',
        )
        .replaceAll(new RegExp(`${END}(?=[(.;])`, 'g'), ';')
        .replaceAll(new RegExp(`[${END}${NOTE}${NOTE_END}]`, 'g'), ''),
  }
}

const figure = (text: string, caption: string, kind: string) =>
  `#figure(kind: ${kind}, supplement: none, numbering: none, caption: [${caption}])[\n${text}\n]${END}`

/** Blocks within others, down to a depth that Typst can lay out. */
const shallow = (blocks: readonly Block[], depth = 0): Block[] =>
  blocks.flatMap(block => {
    if (block.kind === 'details') {
      const summary = block.summary.map(part =>
        part.kind === 'text' ? run(part.text, { ...part.marks, bold: true }) : part,
      )
      return [paragraphOf(summary), ...shallow(block.blocks, depth)]
    }
    const parts = partsOf(block)
    if (depth >= MAX_DEPTH && parts.length > 0) return parts.flatMap(part => shallow(part, depth))
    return mapRuns(
      [block],
      content => content,
      inner => shallow(inner, depth + 1),
    )
  })

/** A writer of Typst in a setting, of which a document may need its own. */
export const typstWriter =
  (settingOf: (document: Document) => Setting): Writer =>
  (document, given) => {
    const isTurned = document.rightToLeft || isRightToLeft(beginningOf(document))
    const notes = new Map(Array.from(document.notes, ([key, note]) => [key, shallow(note)]))
    const whole = { ...document, rightToLeft: isTurned, blocks: shallow(document.blocks), notes }
    return markupWriter(() => language(settingOf(whole), whole))(whole, given)
  }

/** Enough text to know which way a document runs. */
const beginningOf = (document: Document) =>
  blocksOf(document).take(1000).flatMap(runsOf).map(plainText).toArray().join('\n')

/** For people: the document's facts, and the styles that Typst gives it. */
const plain = (document: Document): Setting => ({
  text: text => text,
  code: text => text,
  width: ({ width }) => (width > 0 ? `${width.toFixed(1)}pt` : undefined),
  isSpoken: false,
  formula: () => true,
  frame: title => `${factsOf(document, title)}\n${document.hasOwnTitle ? '#title()\n\n' : ''}`,
})

/** Writes Typst for version 0.14 and newer. */
export const writeTypst = typstWriter(plain)
