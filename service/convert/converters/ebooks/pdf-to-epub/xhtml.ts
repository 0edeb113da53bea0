/** Writes the blocks of a document as XHTML. */

import { isRightToLeft } from '../../../engines/common/language/script.ts'
import { escapeXml } from '../../../engines/common/xml/characters.ts'
import {
  type Block,
  type List,
  type PictureBlock,
  plainText,
  type Table,
  type TextSpan,
} from '../../documents/pdf/layout/model.ts'

/** What blocks need to know about their book. */
export interface Surroundings {
  rightToLeft: boolean
  /** Attributes of a reference to a footnote; undefined if the footnote is not in the book. */
  note(key: string): string | undefined
  /** Address of a page of the PDF. */
  pageAddress(page: number): string | undefined
  /** File name of a picture. */
  picture(index: number): string
}

/** Points per em; pictures are sized in em to match the text. */
const EM_POINTS = 11

export function blockHtml(block: Block, around: Surroundings, id?: string): string {
  const attributes = id ? ` id="${id}"` : ''
  switch (block.kind) {
    case 'heading':
      return `<h${block.level}${attributes}${direction(block.content, around)}>${inlineHtml(block.content, around)}</h${block.level}>`
    case 'paragraph':
      return `<p${attributes}${direction(block.content, around)}>${inlineHtml(block.content, around)}</p>`
    case 'list':
      return listHtml(block, around, attributes)
    case 'table':
      return tableHtml(block, around, attributes)
    case 'code':
      return `<pre${attributes}><code>${escapeXml(block.text)}</code></pre>`
    case 'picture':
      return `<p class="picture"${attributes}>${pictureHtml(block, around)}</p>`
  }
}

const pictureHtml = ({ picture, width, alternative }: PictureBlock, around: Surroundings) => {
  const ems = Math.max(0.5, Math.round((width / EM_POINTS) * 10) / 10)
  return `<img src="${around.picture(picture)}" alt="${escapeXml(alternative)}" style="width: ${ems}em"/>`
}

/** The `dir` attribute of text whose direction differs from the book's. */
function direction(content: readonly TextSpan[], { rightToLeft }: Surroundings): string {
  const text = plainText(content)
  const own = isRightToLeft(text)
  if (own === rightToLeft || !/\p{L}/u.test(text)) return ''
  return own ? ' dir="rtl"' : ' dir="ltr"'
}

function listHtml({ ordered, start, items }: List, around: Surroundings, attributes: string): string {
  const inner = items
    .map(({ content, blocks }) => {
      const rest = blocks.map(block => blockHtml(block, around)).join('\n')
      return `<li${direction(content, around)}>${inlineHtml(content, around)}${rest && `\n${rest}`}</li>`
    })
    .join('\n')
  if (!ordered) return `<ul${attributes}>\n${inner}\n</ul>`
  return `<ol${attributes}${start === 1 ? '' : ` start="${start}"`}>\n${inner}\n</ol>`
}

function tableHtml({ rows, headerRows }: Table, around: Surroundings, attributes: string): string {
  const width = Math.max(...rows.map(row => row.length))
  const rowHtml = (row: Table['rows'][number], index: number) => {
    const isHeader = index < headerRows
    const tag = isHeader ? 'th' : 'td'
    const lastRow = isHeader ? headerRows : rows.length
    const cells = row.map((cell, column) => {
      if (!cell) return ''
      const across = Math.min(cell.columns, width - column)
      const down = Math.min(cell.rows, lastRow - index)
      const spans = `${across > 1 ? ` colspan="${across}"` : ''}${down > 1 ? ` rowspan="${down}"` : ''}`
      return `<${tag}${spans}${direction(cell.content, around)}>${inlineHtml(cell.content, around)}</${tag}>`
    })
    return `<tr>${cells.join('')}</tr>`
  }
  const all = rows.map(rowHtml)
  const head = all.slice(0, headerRows)
  const body = all.slice(headerRows)
  const group = (tag: string, lines: string[]) =>
    lines.length > 0 ? `<${tag}>\n${lines.join('\n')}\n</${tag}>\n` : ''
  return `<table${attributes}>\n${group('thead', head)}${group('tbody', body)}</table>`
}

const tags: [keyof TextSpan, string][] = [
  ['bold', 'b'],
  ['italic', 'i'],
  ['superscript', 'sup'],
  ['subscript', 'sub'],
  ['code', 'code'],
]

/** Running text; adjacent spans with the same target become one link. */
export function inlineHtml(content: readonly TextSpan[], around: Surroundings): string {
  let html = ''
  for (let index = 0; index < content.length; ) {
    const first = content[index]!
    const address = addressOf(first, around)
    let end = index + 1
    while (address !== undefined && end < content.length && addressOf(content[end]!, around) === address)
      end += 1
    const inner = content
      .slice(index, end)
      .map(span => spanHtml(span, around))
      .join('')
    html += address === undefined ? inner : `<a href="${escapeXml(address)}">${inner}</a>`
    index = end
  }
  return html
}

function addressOf({ link, leadsTo, footnote }: TextSpan, { pageAddress }: Surroundings): string | undefined {
  if (footnote !== undefined) return undefined
  if (leadsTo !== undefined) return pageAddress(leadsTo)
  return link !== undefined && URL.canParse(link) ? new URL(link).href : undefined
}

function spanHtml(span: TextSpan, around: Surroundings): string {
  const text = escapeXml(span.text)
  if (span.footnote !== undefined) {
    const attributes = around.note(span.footnote)
    return attributes === undefined ? `<sup>${text}</sup>` : `<sup><a ${attributes}>${text}</a></sup>`
  }
  const [, before, inner, after] = /^(\s*)(.*?)(\s*)$/s.exec(text)!
  const marked = tags.reduce(
    (content, [mark, tag]) => (span[mark] && content ? `<${tag}>${content}</${tag}>` : content),
    inner!,
  )
  return `${before}${marked}${after}`
}
