import { blockElements, voidElements } from '../../../../common/html-elements.ts'
import { escapeXml } from '../../../../common/xml/characters.ts'
import { childOf, elementsOf, findIn, type XmlElement } from '../../../../common/xml/element.ts'
import { EPUB, XHTML } from '../../../../common/xml/namespaces.ts'
import { isSheet } from '../../../book/css/cascade.ts'
import { elementsIn, isRemote, joinTarget, resolveHref } from '../../../book/links.ts'
import { bodyOf } from '../../../book/markup/document.ts'
import { attributeText } from '../../../book/markup/write.ts'
import { toBase32 } from '../../format/base32.ts'
import type { Anchors } from '../anchors.ts'
import type { Documents } from '../documents.ts'
import type { Resources } from '../resources.ts'
import type { Utf8Writer } from '../utf8-writer.ts'
import type { Flows } from './flows.ts'
import { type Fragment, FragmentCutter } from './fragments.ts'

/** A document as written to the text: its skeleton, followed by the body that belongs between the skeleton's halves. */
export interface WrittenDocument {
  /** Start of its skeleton in the text. */
  from: number
  /** Bytes of the skeleton before the body. */
  headLength: number
  skeletonLength: number
  fragments: Fragment[]
}

/** State shared by all documents while they are written. */
export interface Kf8Writing {
  text: Utf8Writer
  resources: Resources
  flows: Flows
  documents: Documents
  anchors: Anchors
  /** Positions in the text of addresses to fill in, with their target. */
  links: { at: number; target: string }[]
  /** Number of the next element. */
  nextAid: number
}

/** Elements that get a number (`aid`) as in kindlegen, by which fragments and reading positions refer to them. */
const numbered: ReadonlySet<string> = new Set([
  ...blockElements,
  ...'a abbr b bdo cite code dfn em i img ins kbd q ruby samp small span strong sub sup u var'.split(' '),
])

/** Elements that are removed with their content. */
const dropped = new Set('script base source track template param'.split(' '))

/** Elements that are removed while their content is kept. */
const unwrapped = new Set('picture noscript iframe embed canvas'.split(' '))

const TAIL = '</body></html>'
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
/** Addresses have a fixed width, so that they can be filled in once all positions are known. */
const PLACEHOLDER = 'kindle:pos:fid:0000:off:0000000000'
/** Length of text without elements from which it is split between words. */
const LONG_TEXT = 16_384

export class DocumentWriter {
  readonly #href: string
  readonly #writing: Kf8Writing
  #bodyFrom = 0
  #cutter: FragmentCutter | undefined
  /** Whether SVG is being written, whose styles are its own. */
  #isInVectorGraphic = false
  /** `aid` of the innermost open element that has one. */
  #within = ''

  /** @param href path of the document within the book */
  constructor(href: string, writing: Kf8Writing) {
    this.#href = href
    this.#writing = writing
  }

  write(root: XmlElement): WrittenDocument {
    const { text } = this.#writing
    const from = text.length
    this.#writing.anchors.begin(this.#href, from)
    const body = bodyOf(root)
    text.write(DECLARATION)
    const attributes: Record<string, string> = { xmlns: XHTML, 'xmlns:epub': EPUB }
    this.#startTag('html', { ...(body === root ? {} : root.attributes), ...attributes }, false)
    const head = childOf(root, 'head')
    text.write('<head>')
    if (head) this.#children(head)
    text.write('</head>')
    this.#startTag('body', body === root ? {} : body.attributes, true)
    const headLength = text.length - from
    text.write(TAIL)
    this.#bodyFrom = text.length
    for (const { id } of [root.attributes, body.attributes]) if (id) this.#anchor(id)
    this.#cutter = new FragmentCutter(this.#within)
    for (const child of body.children) if (child !== head) this.#node(child)
    this.#cutter.end(this.#at, this.#within)
    return {
      from,
      headLength,
      skeletonLength: this.#bodyFrom - from,
      fragments: this.#cutter.fragments,
    }
  }

  get #at(): number {
    return this.#writing.text.length - this.#bodyFrom
  }

  #anchor(id: string): void {
    const { anchors, text } = this.#writing
    anchors.add(this.#href, id, text.length)
  }

  #node(node: XmlElement | string): void {
    if (typeof node === 'string') this.#text(node)
    else this.#element(node)
  }

  #children({ children }: XmlElement): void {
    for (const child of children) this.#node(child)
  }

  #text(text: string): void {
    const escaped = escapeXml(text)
    const { text: writer } = this.#writing
    if (escaped.length < LONG_TEXT || !this.#cutter) {
      writer.write(escaped)
      return
    }
    for (const piece of escaped.match(/[\s\S]{1,4000}(?:\s|$)|[\s\S]{1,4000}/gu) ?? []) {
      this.#cutter.border(this.#at, this.#within, false)
      writer.write(piece)
    }
  }

  #element(element: XmlElement): void {
    const { name } = element
    if (dropped.has(name)) return
    if (unwrapped.has(name)) {
      this.#children(element)
      return
    }
    if (name === 'style' && !this.#isInVectorGraphic) this.#style(element)
    else if (name === 'link') this.#link(element)
    else if (name === 'svg') this.#vectorGraphic(element)
    else if (name === 'img') this.#picture(element)
    else if (name === 'object') this.#object(element)
    else if (name === 'audio' || name === 'video') this.#media(element)
    else this.#plain(element)
  }

  #plain(element: XmlElement): void {
    const { name, attributes } = element
    const isBlock = blockElements.has(name)
    this.#cutter?.border(this.#at, this.#within, isBlock)
    for (const id of [attributes.id, name === 'a' ? attributes.name : undefined]) if (id) this.#anchor(id)
    const outer = this.#within
    const isForeign = attributes.xmlns !== undefined && attributes.xmlns !== XHTML
    this.#startTag(name, attributes, true)
    if (voidElements.has(name) && !isForeign) {
      this.#within = outer
      return
    }
    this.#children(element)
    this.#within = outer
    this.#writing.text.write(`</${name}>`)
    this.#cutter?.border(this.#at, this.#within, isBlock)
  }

  #startTag(name: string, attributes: Record<string, string>, isNumbered: boolean): void {
    const { text } = this.#writing
    let tag = `<${name}`
    let link: string | undefined
    for (const key in attributes) {
      let value = attributes[key]!
      if (key === 'aid' || !isKept(key)) continue
      const isHref = key === 'href' || key === 'xlink:href'
      if (isHref && (name === 'a' || name === 'area')) {
        if (isRemote(value)) tag += ` href="${attributeText(value)}"`
        else link ??= this.#linkTarget(value)
        continue
      }
      if (embedding.has(key) || (isHref && !value.startsWith('#'))) {
        const address = this.#address(value)
        if (address === undefined) continue
        value = address
      } else if (key === 'style') value = this.#writing.flows.css(value, this.#href)
      tag += ` ${key}="${attributeText(value)}"`
    }
    if (isNumbered && numbered.has(name)) {
      this.#within = toBase32(this.#writing.nextAid++, 1)
      tag += ` aid="${this.#within}"`
    }
    if (link !== undefined) {
      text.write(`${tag} href="`)
      this.#writing.links.push({ at: text.length, target: link })
      tag = `${PLACEHOLDER}"`
    }
    text.write(voidElements.has(name) ? `${tag}/>` : `${tag}>`)
  }

  /** The target of a link if it is in a document of the book. */
  #linkTarget(value: string): string | undefined {
    const target = resolveHref(this.#href, value)
    if (!target || !this.#writing.documents.has(target.href)) return undefined
    return joinTarget(target.href, target.fragment)
  }

  #address(value: string): string | undefined {
    const { resources, flows } = this.#writing
    const target = resolveHref(this.#href, value)
    return target && (flows.vectorGraphic(target.href) ?? resources.address(target.href))
  }

  #style({ children }: XmlElement): void {
    const css = children.filter(child => typeof child === 'string').join('')
    if (css.trim() === '') return
    this.#sheet(this.#writing.flows.inlineSheet(css, this.#href))
  }

  #link({ attributes }: XmlElement): void {
    const target = isSheet(attributes) ? resolveHref(this.#href, attributes.href ?? '') : undefined
    const address = target && this.#writing.flows.sheet(target.href)
    if (address) this.#sheet(address)
  }

  #sheet(address: string): void {
    this.#writing.text.write(`<link rel="stylesheet" type="text/css" href="${address}"/>`)
  }

  #picture(element: XmlElement): void {
    const { attributes } = element
    const source = attributes.src
    const address = source === undefined ? undefined : this.#address(source)
    if (address === undefined) {
      const { id, alt } = attributes
      if (id) this.#anchor(id)
      if (alt)
        this.#writing.text.write(
          `<span aid="${toBase32(this.#writing.nextAid++, 1)}">[${escapeXml(alt)}]</span>`,
        )
      return
    }
    const { srcset: _set, sizes: _sizes, ...kept } = attributes
    const outer = this.#within
    const alt = kept.alt ?? ''
    if (kept.id) this.#anchor(kept.id)
    this.#cutter?.border(this.#at, outer, false)
    this.#startTag('img', { ...kept, src: source!, alt }, true)
    this.#within = outer
  }

  /** Writes SVG as a separate flow, unless it contains links. */
  #vectorGraphic(element: XmlElement): void {
    for (const { attributes } of elementsIn(element)) if (attributes.id) this.#anchor(attributes.id)
    if (findIn(element, 'a')) {
      this.#isInVectorGraphic = true
      this.#plain(element)
      this.#isInVectorGraphic = false
      return
    }
    const address = this.#writing.flows.inlineVectorGraphic(element, this.#href)
    const aid = toBase32(this.#writing.nextAid++, 1)
    const rest = lookOf(element).map(([key, value]) => ` ${key}="${attributeText(value)}"`)
    this.#writing.text.write(`<img src="${address}" alt=""${rest.join('')} aid="${aid}"/>`)
  }

  /** Writes a media file with the first of its sources that is in the book and that Kindle supports. */
  #media(element: XmlElement): void {
    const { src: own, ...rest } = element.attributes
    const sources = elementsOf(element).filter(({ name }) => name === 'source')
    const src = [own, ...sources.map(({ attributes }) => attributes.src)].find(
      value => value !== undefined && this.#address(value) !== undefined,
    )
    this.#plain({ ...element, attributes: src === undefined ? rest : { ...rest, src } })
  }

  #object(element: XmlElement): void {
    const { data, id } = element.attributes
    const address = data === undefined ? undefined : this.#address(data)
    if (address === undefined || !/image\//.test(address)) {
      if (id) this.#anchor(id)
      this.#children(element)
      return
    }
    const attributes = { src: data!, ...Object.fromEntries(lookOf(element)) }
    this.#picture({ name: 'img', attributes, children: [] })
  }
}

/** The attributes that a picture keeps of the element in whose place it is. */
const lookOf = ({ attributes }: XmlElement) =>
  Object.entries(attributes).filter(([key]) => key === 'id' || key === 'class' || key === 'style')

/** Attributes that refer to embedded resources. */
const embedding = new Set(['src', 'poster', 'altimg', 'background'])

/** Whether an attribute is kept: Kindle may know it, and other prefixes than these are not declared. */
const isKept = (key: string) =>
  key.includes(':')
    ? /^(?:xml:lang|xml:space|epub:type|xlink:.+|xmlns:xlink|xmlns:epub)$/.test(key)
    : !/^on/.test(key)
