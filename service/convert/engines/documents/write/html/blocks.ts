import { type ByKind, byKind } from '../../../common/by-kind.ts'
import { escapeXml } from '../../../common/xml/characters.ts'
import { mathmlOf } from '../../equations/write-mathml.ts'
import { latexOf } from '../../equations/write-tex.ts'
import {
  type Align,
  type Block,
  type Inline,
  type Marks,
  type PictureUse,
  type Ruby,
  splitSpaces,
  type Table,
} from '../../model.ts'
import type { Heading } from '../anchors.ts'
import { cellStyle, lookStyle, placeStyle, rowStyle } from './placed.ts'

/** What depends on where the HTML is written to. */
export interface HtmlTarget {
  picture(use: PictureUse): string
  note(key: string): string
  /** The address of a place in the document; undefined if it is missing. */
  reference(anchor: string): string | undefined
  /** The `id` of a place that links lead to. */
  anchor(name: string): string | undefined
  headingId(heading: Heading): string | undefined
  equation(latex: string, mathml: string): string
  rightToLeft: boolean
  /** Whether links to other files are kept; otherwise, they are only text. */
  linksFiles?: boolean
}

const tags: [keyof Marks, string][] = [
  ['bold', 'strong'],
  ['italic', 'em'],
  ['strike', 's'],
  ['underline', 'u'],
  ['superscript', 'sup'],
  ['subscript', 'sub'],
  ['highlight', 'mark'],
  ['smallCaps', 'span class="smallcaps"'],
  ['code', 'code'],
]

const classes = (...names: (string | undefined)[]) => {
  const known = names.filter(Boolean).join(' ')
  return known && ` class="${known}"`
}

export const htmlOf = (blocks: readonly Block[], target: HtmlTarget): string =>
  blocks.map(block => byKind(BLOCKS, block, target)).join('\n')

const BLOCKS: ByKind<Block, string, [target: HtmlTarget]> = {
  heading: (block, target) => {
    const id = target.headingId(block)
    const weight = { 'font-weight': block.place?.bold ? 'bold' : 'normal' }
    return `<h${block.level}${id ? ` id="${id}"` : ''}${placeStyle(block.place, weight)}>${inlineOf(block.content, target)}</h${block.level}>`
  },
  paragraph: ({ content, role, align, rightToLeft, place }, target) => {
    const direction = rightToLeft === target.rightToLeft ? '' : ` dir="${rightToLeft ? 'rtl' : 'ltr'}"`
    return `<p${classes(role === 'text' ? undefined : role, align)}${direction}${placeStyle(place)}>${inlineOf(content, target)}</p>`
  },
  code: ({ text, language, place }) => {
    const size = place && { '-refile-size': String(Math.round((place.pitch / 1.17) * 2) / 2) }
    const look = placeStyle(place, { ...size, 'background-color': place?.box ? undefined : 'transparent' })
    return `<pre${look}><code${language ? ` class="language-${escapeXml(language)}"` : ''}>${escapeXml(text)}</code></pre>`
  },
  quote: ({ blocks }, target) => `<blockquote>\n${htmlOf(blocks, target)}\n</blockquote>`,
  figure: ({ blocks, caption }, target) =>
    `<figure>\n${htmlOf(blocks, target)}\n<figcaption>${inlineOf(caption, target)}</figcaption>\n</figure>`,
  details: ({ summary, blocks }, target) =>
    `<details>\n<summary>${inlineOf(summary, target)}</summary>\n${htmlOf(blocks, target)}\n</details>`,
  rule: () => '<hr/>',
  definitions: (block, target) => {
    const items = block.items.map(({ term, definitions }) => {
      const own = term.length > 0 ? [`<dt>${inlineOf(term, target)}</dt>`] : []
      return [...own, ...definitions.map(blocks => `<dd>${itemOf(blocks, target)}</dd>`)].join('\n')
    })
    return `<dl>\n${items.join('\n')}\n</dl>`
  },
  list: (block, target) => {
    const inner = block.isLoose ? htmlOf : itemOf
    const items = block.items.map(item => `<li>${inner(item, target)}</li>`).join('\n')
    if (!block.ordered) return `<ul>\n${items}\n</ul>`
    const type = { lowerLetter: 'a', upperLetter: 'A', lowerRoman: 'i', upperRoman: 'I' }[block.format]
    const start = block.start === 1 ? '' : ` start="${block.start}"`
    return `<ol${type ? ` type="${type}"` : ''}${start}>\n${items}\n</ol>`
  },
  table: tableOf,
}

function tableOf(block: Table, target: HtmlTarget): string {
  const { place, width } = block
  const rows = block.rows.map(row => {
    // Cells that look as they did need no look of heads.
    const tag = row.isHeader && !place ? 'th' : 'td'
    const inner = row.cells.map(cell => {
      const { columns, rows: height, align, blocks } = cell
      const spans = `${columns > 1 ? ` colspan="${columns}"` : ''}${height > 1 ? ` rowspan="${height}"` : ''}`
      const [only, second] = blocks
      // The alignment of its only paragraph is the cell's.
      const own = align ?? (only?.kind === 'paragraph' && !second ? only.align : undefined)
      return `<${tag}${spans}${classes(own)}${cellStyle(block, row, cell)}>${itemOf(blocks, target, own)}</${tag}>`
    })
    return `<tr${rowStyle(row)}>${inner.join('')}</tr>`
  })
  const body = block.rows.findIndex(({ isHeader }) => !isHeader)
  // A cell cannot reach from the head into the body.
  const heads = block.rows.slice(0, body)
  if (body > 0 && heads.every(({ cells }, at) => cells.every(cell => at + cell.rows <= body))) {
    rows[0] = `<thead>\n${rows[0]}`
    rows[body] = `</thead>\n<tbody>\n${rows[body]}`
    rows.push('</tbody>')
  }
  const caption = block.caption ? `<caption>${inlineOf(block.caption, target)}</caption>\n` : ''
  const columns = block.widths?.map(share => `<col style="width: ${+(share * 100).toFixed(1)}%"/>`)
  const group = columns ? `<colgroup>${columns.join('')}</colgroup>\n` : ''
  const look = placeStyle(place, { width: width === undefined ? undefined : `${width}pt` })
  return `<table${look && ` cellpadding="2"${look}`}>\n${caption}${group}${rows.join('\n')}\n</table>`
}

/** A single paragraph is written without its tag. */
function itemOf(blocks: readonly Block[], target: HtmlTarget, align?: Align): string {
  const [first, ...rest] = blocks
  const isPlain =
    first?.kind === 'paragraph' &&
    first.role === 'text' &&
    !first.place &&
    (!first.align || first.align === align) &&
    first.rightToLeft === target.rightToLeft
  if (!isPlain || rest.some(block => block.kind !== 'list')) return htmlOf(blocks, target)
  const own = inlineOf(first.content, target)
  return rest.length > 0 ? `${own}\n${htmlOf(rest, target)}` : own
}

export const inlineOf = (content: readonly Inline[], target: HtmlTarget): string =>
  content.map(part => byKind(PARTS, part, target)).join('')

const PARTS: ByKind<Inline, string, [target: HtmlTarget]> = {
  text: part => {
    const text = escapeXml(part.text.replaceAll('\t', ' '))
    const { look, marks } = part
    const [before, core, after] = look ? ['', text, ''] : splitSpaces(text)
    if (core === '') return text
    const marked = tags.reduce(
      (inner, [mark, tag]) => (marks[mark] ? `<${tag}>${inner}</${tag.split(' ', 1)[0]}>` : inner),
      look ? `<span${lookStyle(look, marks)}>${core}</span>` : core,
    )
    return `${before}${marked}${after}`
  },
  break: () => '<br/>',
  link: ({ address, content }, target) => {
    const inner = inlineOf(content, target)
    if (URL.canParse(address)) return `<a href="${escapeXml(new URL(address).href)}">${inner}</a>`
    const isFile = target.linksFiles && address !== '' && !/^[\\/]{2}|^[a-z][a-z\d+.-]*:/i.test(address)
    return isFile ? `<a href="${escapeXml(address)}">${inner}</a>` : inner
  },
  reference: ({ anchor, content }, target) => {
    const address = target.reference(anchor)
    const inner = inlineOf(content, target)
    if (!address) return inner
    // Printed pages show no links within the document.
    const isPrinted = content.some(text => text.kind === 'text' && text.look)
    const shown = isPrinted ? `<span style="text-decoration:none">${inner}</span>` : inner
    return `<a href="${escapeXml(address)}">${shown}</a>`
  },
  anchor: ({ name }, target) => {
    const id = target.anchor(name)
    return id ? `<a id="${id}"></a>` : ''
  },
  note: ({ key }, target) => target.note(key),
  picture: ({ picture }, target) => target.picture(picture),
  equation: ({ tex, formula, display }, target) => {
    const latex = tex ?? latexOf(formula)
    return target.equation(latex, mathmlOf(formula, display, latex))
  },
  ruby: (part, target) => rubyOf(part, inlineOf(part.base, target)),
}

/** Text with its reading, and the document's own brackets for readers that cannot show it above the text. */
export function rubyOf({ reading, brackets }: Ruby, base: string): string {
  if (reading === '') return base
  const [open, close] = brackets ? brackets.map(bracket => `<rp>${escapeXml(bracket)}</rp>`) : ['', '']
  return `<ruby>${base}${open}<rt>${escapeXml(reading)}</rt>${close}</ruby>`
}
