/** Converts HTML that is embedded in a document (`w:altChunk`) to blocks. */

import { type StyleOf, StyleSheets } from '../../../books/book/css/cascade.ts'
import { bodyOf, readXhtml } from '../../../books/book/markup/document.ts'
import type { Book } from '../../../books/book/model.ts'
import { ownValue } from '../../../common/own-value.ts'
import { elementsOf, textOf, type XmlElement } from '../../../common/xml/element.ts'
import type { Block, Inline, Marks, PictureUse, TableRow } from '../../model.ts'

/** Elements without readable content. */
const SKIPPED = new Set(
  'head script style template noscript title meta link object iframe audio video'.split(' '),
)
const INLINE = new Set(
  'a abbr b bdi bdo big br cite code del dfn em font i image img input ins kbd label mark q s samp small span strike strong sub sup tt u var wbr'.split(
    ' ',
  ),
)
const MARKS: Record<string, Marks> = {
  ...{ b: { bold: true }, strong: { bold: true }, i: { italic: true }, em: { italic: true } },
  ...{ s: { strike: true }, strike: { strike: true }, del: { strike: true }, u: { underline: true } },
  ...{ sup: { superscript: true }, sub: { subscript: true } },
  ...{ code: { code: true }, tt: { code: true }, kbd: { code: true }, samp: { code: true } },
}
const PROPERTIES = new Set(['display', 'text-align', 'font-weight', 'font-style', 'text-decoration'])
/** Largest `colspan` and `rowspan`. */
const MAX_SPAN = 256
const LIST_FORMATS: Record<string, string> = {
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
}

/**
 * Reads HTML as browsers do.
 * @param picture resolves the address of a picture; undefined if it is not available
 */
export function htmlBlocks(
  html: Uint8Array,
  picture: (address: string) => PictureUse['source'] | undefined,
  { link, anchor, styles = { resources: new Map(), href: '' } }: HtmlSurroundings = {},
): Block[] {
  const { root } = readXhtml(html)
  const styleOf = new StyleSheets(styles, PROPERTIES).stylesOf(root, styles.href)
  return new HtmlReader(picture, styleOf, link, anchor).blocks(bodyOf(root))
}

/** What is known of the files around a page. */
export interface HtmlSurroundings {
  /** Where a link that is not to the web leads: an address, or a place in the document. */
  link?: (address: string) => string | { anchor: string } | undefined
  /** The name in the document of the place with an `id`. */
  anchor?: (id: string) => string
  /** Files that may be style sheets of the page, and its path among them. */
  styles?: Pick<Book, 'resources'> & { href: string }
}

class HtmlReader {
  readonly #picture: (address: string) => PictureUse['source'] | undefined
  readonly #styleOf: StyleOf
  readonly #link: HtmlSurroundings['link']
  readonly #anchor: HtmlSurroundings['anchor']

  constructor(
    picture: (address: string) => PictureUse['source'] | undefined,
    styleOf: StyleOf,
    link: HtmlSurroundings['link'],
    anchor: HtmlSurroundings['anchor'],
  ) {
    this.#picture = picture
    this.#styleOf = styleOf
    this.#link = link
    this.#anchor = anchor
  }

  #isHidden(element: XmlElement): boolean {
    return SKIPPED.has(element.name) || this.#styleOf(element).display === 'none'
  }

  #marks(element: XmlElement): Marks {
    const {
      'font-weight': weight,
      'font-style': style,
      'text-decoration': line = '',
    } = this.#styleOf(element)
    return {
      ...ownValue(MARKS, element.name),
      ...(weight && { bold: /^(?:bold|[6-9]00)/.test(weight) }),
      ...(style && { italic: /^(?:italic|oblique)/.test(style) }),
      ...(line.includes('underline') && { underline: true }),
      ...(line.includes('line-through') && { strike: true }),
    }
  }

  blocks(container: XmlElement): Block[] {
    const out: Block[] = []
    let open: Inline[] = []
    const close = () => {
      const content = trimmed(open)
      if (content.length > 0) out.push(paragraph(content, container, this.#styleOf(container)['text-align']))
      open = []
    }
    for (const child of container.children) {
      if (typeof child === 'string') addText(open, child, {})
      else if (this.#isHidden(child)) continue
      else if (INLINE.has(child.name) && !holdsBlocks(child)) this.#inline(child, {}, open)
      else {
        close()
        out.push(...this.#anchored(child, this.#block(child)))
      }
    }
    close()
    return out
  }

  /** The blocks of an element with its `id`, in the first of them that is text. */
  #anchored({ attributes: { id } }: XmlElement, blocks: Block[]): Block[] {
    const text = blocks.find(block => block.kind === 'heading' || block.kind === 'paragraph')
    if (id && this.#anchor && text) text.content.unshift({ kind: 'anchor', name: this.#anchor(id) })
    return blocks
  }

  #block(element: XmlElement): Block[] {
    const { name, attributes } = element
    const level = /^h([1-6])$/.exec(name)?.[1]
    if (level) {
      const content = trimmed(this.#content(element))
      return content.length > 0 ? [{ kind: 'heading', level: Number(level), content }] : []
    }
    switch (name) {
      case 'pre':
        return [{ kind: 'code', text: textOf(element).replace(/^\n+|\s+$/g, '') }]
      case 'blockquote':
        return [{ kind: 'quote', blocks: this.blocks(element) }]
      case 'ul':
      case 'ol': {
        const items = elementsOf(element)
          .filter(child => !SKIPPED.has(child.name))
          .map(child => this.#anchored(child, this.blocks(child)))
          .filter(item => item.length > 0)
        const start = Number.parseInt(attributes.start ?? '1', 10)
        const format = ownValue(LIST_FORMATS, attributes.type ?? '') ?? 'decimal'
        return items.length > 0
          ? [{ kind: 'list', ordered: name === 'ol', start: start >= 0 ? start : 1, format, items }]
          : []
      }
      case 'table': {
        const rows = this.#rows(element)
        return rows.length > 0 ? [{ kind: 'table', rows }] : []
      }
      case 'hr':
        return []
      default:
        return this.blocks(element)
    }
  }

  #rows(table: XmlElement): TableRow[] {
    return elementsOf(table).flatMap(child => {
      if (/^(?:thead|tbody|tfoot)$/.test(child.name)) return this.#rows(child)
      if (child.name !== 'tr') return []
      const cells = elementsOf(child).filter(({ name }) => name === 'td' || name === 'th')
      const read = cells.map(cell => ({
        columns: span(cell.attributes.colspan),
        rows: span(cell.attributes.rowspan),
        blocks: this.blocks(cell),
      }))
      const isHeader = cells.length > 0 && cells.every(({ name }) => name === 'th')
      return read.length > 0 ? [{ isHeader, cells: read }] : []
    })
  }

  #content(element: XmlElement, marks: Marks = {}): Inline[] {
    const out: Inline[] = []
    for (const child of element.children) {
      if (typeof child === 'string') addText(out, child, marks)
      else if (!this.#isHidden(child)) this.#inline(child, marks, out)
    }
    return out
  }

  #inline(element: XmlElement, outer: Marks, out: Inline[]): void {
    const { name, attributes } = element
    if (name === 'br') {
      out.push({ kind: 'break' })
      return
    }
    if (name === 'input') {
      if (attributes.type === 'checkbox') addText(out, attributes.checked === undefined ? '☐' : '☒', outer)
      return
    }
    if (attributes.id && this.#anchor) out.push({ kind: 'anchor', name: this.#anchor(attributes.id) })
    // SVG shows pictures with an element of its own.
    if (name === 'img' || name === 'image') {
      const source = this.#picture(attributes.src ?? attributes['xlink:href'] ?? attributes.href ?? '')
      const description = (attributes.alt ?? '').replace(/\s+/g, ' ').trim()
      if (source) out.push({ kind: 'picture', picture: { source, description, width: 0, height: 0 } })
      return
    }
    const content = this.#content(element, { ...outer, ...this.#marks(element) })
    const address = name === 'a' ? (attributes.href ?? '') : ''
    const target = /^(?:https?|ftp|mailto|tel):/i.test(address) ? address : address && this.#link?.(address)
    if (target && content.length > 0)
      out.push(
        typeof target === 'string'
          ? { kind: 'link', address: target, content }
          : { kind: 'reference', anchor: target.anchor, content },
      )
    else
      for (const part of content)
        if (part.kind === 'text') addText(out, part.text, part.marks)
        else out.push(part)
  }
}

const holdsBlocks = (element: XmlElement): boolean =>
  elementsOf(element).some(
    child => (!INLINE.has(child.name) && !SKIPPED.has(child.name)) || holdsBlocks(child),
  )

const span = (value: string | undefined) =>
  Math.min(MAX_SPAN, Math.max(1, Number.parseInt(value ?? '1', 10) || 1))

function paragraph(content: Inline[], { attributes }: XmlElement, align: string | undefined): Block {
  return {
    kind: 'paragraph',
    role: 'text',
    align: align === 'center' || align === 'right' ? align : undefined,
    rightToLeft: attributes.dir === 'rtl',
    content,
  }
}

/** Adds text with its white space collapsed. */
function addText(out: Inline[], text: string, marks: Marks): void {
  const last = out.at(-1)
  const endsInSpace =
    last === undefined || last.kind === 'break' || (last.kind === 'text' && last.text.endsWith(' '))
  const flat = text.replace(/[ \t\r\n\f]+/g, ' ')
  const added = endsInSpace ? flat.replace(/^ /, '') : flat
  if (added !== '') out.push({ kind: 'text', text: added, marks })
}

function trimmed(content: Inline[]): Inline[] {
  const last = content.at(-1)
  if (last?.kind === 'break') return trimmed(content.slice(0, -1))
  if (last?.kind !== 'text') return content
  const text = last.text.trimEnd()
  return text === '' ? trimmed(content.slice(0, -1)) : [...content.slice(0, -1), { ...last, text }]
}
