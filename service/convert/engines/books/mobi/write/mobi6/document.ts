import { ownValue } from '../../../../common/own-value.ts'
import { escapeXml } from '../../../../common/xml/characters.ts'
import type { XmlElement } from '../../../../common/xml/element.ts'
import type { StyleOf } from '../../../book/css/cascade.ts'
import { isRemote, joinTarget, resolveHref } from '../../../book/links.ts'
import { bodyOf } from '../../../book/markup/document.ts'
import type { Anchors } from '../anchors.ts'
import type { Documents } from '../documents.ts'
import type { Resources } from '../resources.ts'
import type { Utf8Writer } from '../utf8-writer.ts'
import { blockAttributes, impliedBy, isLeaf, isList, isOpen, isQuotable, tagFor } from './block-tags.ts'
import { type Implied, type InlineContext, InlineWriter, type LinkedText, type LinkTarget } from './inline.ts'
import { type BoxStyle, boxStyle, plainText, type TextStyle, textStyle } from './style.ts'

/** State shared by all documents while they are written. */
export interface OldWriting extends LinkedText {
  anchors: Anchors
  documents: Documents
  resources: Resources
  /** Numbers of the pictures created from SVG. */
  drawn: Map<XmlElement, number>
}

const PAGE_BREAK = '<mbp:pagebreak/>'
/** Width of a level of quotation in em, and maximum number of levels. */
const QUOTE = { em: 2, most: 4 }
const IMPLIED: Implied = { isBold: false, isFixed: false, size: 1 }

interface Context extends InlineContext {
  /** Whether the items of the innermost list have markers. */
  hasMarkers: boolean
}

/** Writes a document in the markup of old Mobipocket readers: HTML of 1997 without style sheets. */
export class OldDocumentWriter {
  readonly #href: string
  readonly #styleOf: StyleOf
  readonly #writing: OldWriting
  readonly #text: Utf8Writer
  readonly #inline: InlineWriter
  /** Space below the last block, in em. */
  #below = 0
  /** Position after the last page break, where another one is not necessary. */
  #page = 0

  constructor(href: string, styleOf: StyleOf, writing: OldWriting) {
    this.#href = href
    this.#styleOf = styleOf
    this.#writing = writing
    this.#text = writing.text
    this.#inline = new InlineWriter(writing)
  }

  write(root: XmlElement, isFirst: boolean): void {
    if (!isFirst) this.#text.write(PAGE_BREAK)
    this.#page = this.#text.length
    this.#writing.anchors.begin(this.#href, this.#text.length)
    const body = bodyOf(root)
    for (const { id } of [root.attributes, body.attributes]) if (id) this.#anchor(id)
    const style = textStyle('html', this.#styleOf(root), plainText)
    const context = {
      style: textStyle('body', body === root ? {} : this.#styleOf(body), style),
      implied: IMPLIED,
      link: undefined,
      hasMarkers: true,
    }
    for (const child of body.children) this.#node(child, context)
    this.#inline.close()
  }

  #anchor(id: string): void {
    this.#writing.anchors.add(this.#href, id, this.#text.length)
  }

  #anchors({ name, attributes }: XmlElement): void {
    if (attributes.id) this.#anchor(attributes.id)
    if (name === 'a' && attributes.name) this.#anchor(attributes.name)
  }

  #node(node: XmlElement | string, context: Context): void {
    if (typeof node === 'string') this.#inline.write(node, context)
    else this.#element(node, context)
  }

  #children({ children }: XmlElement, context: Context): void {
    for (const child of children) this.#node(child, context)
  }

  #element(element: XmlElement, context: Context): void {
    const { name } = element
    const styles = this.#styleOf(element)
    const declared = isNote(element) && styles.display === 'none' ? { ...styles, display: undefined } : styles
    const style = textStyle(name, declared, context.style)
    const box = boxStyle(name, declared, style.size)
    if (box.display === 'none') {
      this.#hidden(element)
      return
    }
    if (name === 'hr' || box.display === 'block' || box.display === 'table') {
      this.#block(element, box, style, context)
    } else this.#inlineElement(element, style, context)
  }

  /** Writes only the anchors of hidden elements, which can still be link targets. */
  #hidden(element: XmlElement): void {
    this.#anchors(element)
    for (const child of element.children) if (typeof child === 'object') this.#hidden(child)
  }

  #inlineElement(element: XmlElement, style: TextStyle, context: Context): void {
    const { name } = element
    const link = name === 'a' ? (this.#linkOf(element) ?? context.link) : context.link
    const inner = { ...context, style, link }
    this.#anchors(element)
    const write = ownValue(this.#writers, name)
    if (write) write(element, inner)
    else this.#children(element, inner)
  }

  readonly #writers: Record<string, (element: XmlElement, context: Context) => void> = {
    br: (_, context) => this.#inline.raw('<br/>', context),
    img: (element, context) => this.#picture(element, context),
    svg: (element, context) => {
      this.#showPicture(this.#writing.drawn.get(element), '', {}, context)
      this.#hidden(element)
    },
    annotation: () => {},
    'annotation-xml': () => {},
    msup: (element, context) => this.#scripted(element, 'sup', context),
    msub: (element, context) => this.#scripted(element, 'sub', context),
    rt: (element, context) => {
      this.#inline.write('(', context)
      this.#children(element, context)
      this.#inline.write(')', context)
    },
  }

  /** A formula's base with its superscript or subscript. */
  #scripted({ children }: XmlElement, position: 'sup' | 'sub', context: Context): void {
    const [base, script] = children.filter(child => typeof child === 'object')
    if (base) this.#element(base, context)
    if (script) this.#element(script, { ...context, style: { ...context.style, position } })
  }

  #linkOf({ attributes }: XmlElement): LinkTarget | undefined {
    const value = attributes.href ?? attributes['xlink:href']
    if (value === undefined) return undefined
    if (isRemote(value)) return { address: value.trim() }
    const target = resolveHref(this.#href, value)
    if (!target || !this.#writing.documents.has(target.href)) return undefined
    return { target: joinTarget(target.href, target.fragment) }
  }

  #picture({ attributes }: XmlElement, context: Context): void {
    const target = resolveHref(this.#href, attributes.src ?? 'data:')
    const number = target && this.#writing.resources.number(target.href)
    this.#showPicture(number, attributes.alt ?? '', attributes, context)
  }

  #showPicture(
    number: number | undefined,
    alt: string,
    attributes: Record<string, string>,
    context: Context,
  ): void {
    if (number === undefined) {
      if (alt) this.#inline.write(`[${alt}]`, context)
      return
    }
    const size = ['width', 'height']
      .map(key => (/^\d{1,5}%?$/.test(attributes[key] ?? '') ? ` ${key}="${attributes[key]}"` : ''))
      .join('')
    const markup = `<img recindex="${String(number).padStart(5, '0')}" alt="${escapeXml(alt)}"${size}/>`
    this.#inline.raw(markup, context)
  }

  #block(element: XmlElement, box: BoxStyle, style: TextStyle, context: Context): void {
    const { name } = element
    this.#inline.close()
    if (box.breaksBefore) this.#breakPage()
    const above = Math.max(this.#below, box.marginTop)
    const hasMarkers = isList(name) ? box.hasMarker : context.hasMarkers
    const tag = tagFor(name, hasMarkers)
    const quotes = isQuotable(tag) ? Math.min(QUOTE.most, Math.floor(box.left / QUOTE.em + 0.25)) : 0
    if (quotes > 0) this.#text.write('<blockquote>'.repeat(quotes))
    this.#anchors(element)
    if (name === 'hr') {
      this.#text.write('<hr/>')
      this.#below = 0
      return
    }
    // Space above a block that only contains other blocks is moved to the first of them.
    const ownAbove = isLeaf(tag, element) ? above : undefined
    this.#text.write(`<${tag}${blockAttributes(element, tag, style, ownAbove)}>`)
    this.#below = ownAbove === undefined && isOpen(tag) ? above : 0
    this.#children(element, {
      ...context,
      style,
      implied: impliedBy(tag),
      hasMarkers,
    })
    this.#inline.close()
    this.#text.write(`</${tag}>`)
    if (quotes > 0) this.#text.write('</blockquote>'.repeat(quotes))
    this.#below = Math.max(this.#below, box.marginBottom)
    if (box.breaksAfter) this.#breakPage()
  }

  #breakPage(): void {
    if (this.#text.length === this.#page) return
    this.#text.write(PAGE_BREAK)
    this.#page = this.#text.length
    this.#below = 0
  }
}

/** Whether an element is a note. Notes are mostly hidden, since newer readers show them in a popup. */
const isNote = ({ attributes }: XmlElement) =>
  /\b(?:foot|end|rear)notes?\b/.test(attributes['epub:type'] ?? '') ||
  /\bdoc-(?:foot|end)notes?\b/.test(attributes.role ?? '')
