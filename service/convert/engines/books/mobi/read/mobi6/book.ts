/** Splits the text of a Mobipocket book of versions 1 to 7, a single long HTML file, into documents. */

import { lastUpTo } from '../../../../common/search.ts'
import { textOf, type XmlElement } from '../../../../common/xml/element.ts'
import { landmarksOf } from '../../../book/landmarks.ts'
import { elementsIn, joinTarget, relativeHref, type Target } from '../../../book/links.ts'
import { repairHtml } from '../../../book/markup/repair.ts'
import type { NavigationEntry, SpineItem } from '../../../book/model.ts'
import type { BookBuilder } from '../book-builder.ts'
import type { Container } from '../container.ts'
import { documentOf } from '../document.ts'
import { cleanDocument } from '../markup/clean.ts'
import { attributeIn, withInsertions } from '../markup/tag.ts'
import { type Documents, nest, readContents } from '../navigation.ts'
import { findAnchors } from './anchors.ts'
import { cutChapters } from './chapters.ts'
import { isPlain, markUp } from './plain.ts'

/** Replaces the `style` of elements by shared classes, since the same few styles repeat in every paragraph. */
class Styles {
  readonly #classes = new Map<string, string>()

  /** Replaces the styles of an element and its descendants. */
  take(element: XmlElement): void {
    const { style } = element.attributes
    if (style !== undefined) {
      const name = this.#classes.get(style) ?? `look-${this.#classes.size + 1}`
      this.#classes.set(style, name)
      element.attributes.class = [element.attributes.class, name].filter(Boolean).join(' ')
      delete element.attributes.style
    }
    for (const child of element.children) if (typeof child === 'object') this.take(child)
  }

  css(): string {
    const rules = [...this.#classes].map(([style, name]) => `.${name} { ${style} }`)
    return `${BASE}${rules.join('\n')}\n`
  }
}

/** By default, Mobipocket separates paragraphs by an indent and not by space. */
const BASE = 'p { margin: 0; text-indent: 1.5em }\nimg { max-width: 100% }\n'

const STYLE_SHEET = 'styles/book.css'
/** Mobipocket's own tags, which are ignored while their content is kept. */
const OWN_TAGS = /<\/?(?:mbp|idx|dc|o|st1|v|w):[^>]*>/gi
const hrefOf = (chapter: number) => `text/part${String(chapter + 1).padStart(4, '0')}.xhtml`

/** Adds every chapter to the book. */
export function readMobi6(container: Container, builder: BookBuilder): Documents {
  const bytes = container.text.toString('latin1')
  const source = isPlain(bytes) ? markUp(bytes) : bytes
  const decode = (text: string) => container.header.decoder.decode(Buffer.from(text, 'latin1'))
  const body = bodyOf(source)
  const contents = readContents(container)
  const guide = readReferences(source.slice(0, body.start), decode)
  const others = [...contents, ...guide].flatMap(({ position }) => (position === undefined ? [] : [position]))
  const anchors = findAnchors(source, body, others)
  const entries = contents.flatMap(({ position = -1 }) => anchors.byPosition.get(position)?.at ?? [])
  const chapters = cutChapters(
    source,
    body,
    entries.sort((first, second) => first - second),
  )
  const targetOf = (position: number): Target | undefined => {
    const anchor = anchors.byPosition.get(position)
    if (!anchor) return undefined
    const chapter = lastUpTo(chapters, anchor.at, ({ start }) => start)
    return { href: hrefOf(Math.max(0, chapter)), fragment: anchor.id }
  }
  const styles = new Styles()
  const spine: SpineItem[] = []
  const listPosition = guide.find(({ type }) => type.toLowerCase() === 'toc')?.position
  const listed = listPosition === undefined ? undefined : targetOf(listPosition)?.href
  const links: NavigationEntry[] = []
  for (const [index, { start, end, opening }] of chapters.entries()) {
    const href = hrefOf(index)
    const text = opening + withInsertions(source, anchors.insertions, start, end)
    const root = repairHtml(around(decode(text).replace(OWN_TAGS, '')))
    for (const element of elementsIn(root)) resolve(element, href, builder, targetOf)
    const document = documentOf(root, builder, [relativeHref(href, { href: STYLE_SHEET, fragment: '' })])
    if (href === listed) links.push(...linksIn(root, href))
    cleanDocument(document)
    styles.take(document)
    builder.addDocument(href, document)
    spine.push({ href, linear: true, properties: [] })
  }
  builder.add(STYLE_SHEET, 'text/css', styles.css())
  const own = nest(contents, ({ position }) => {
    const target = position === undefined ? undefined : targetOf(position)
    return target && joinTarget(target.href, target.fragment)
  })
  return {
    spine,
    navigation: own.length > 0 ? own : links,
    landmarks: landmarksOf(guide, ({ position }) => targetOf(position)),
  }
}

/** Wraps content in an XHTML document, in which any element may be self-closing. */
const around = (content: string) =>
  `<html xmlns="http://www.w3.org/1999/xhtml"><head></head><body>${content}</body></html>`

function bodyOf(source: string): { start: number; end: number } {
  const open = /<body\b[^>]*>/i.exec(source) ?? /<\/head\s*>/i.exec(source)
  const start = open ? open.index + open[0].length : 0
  const close = source.slice(-200).search(/<\/body\s*>/i)
  const end = close < 0 ? source.length : Math.max(0, source.length - 200) + close
  return { start: Math.min(start, end), end }
}

function readReferences(head: string, decode: (text: string) => string) {
  return [...head.matchAll(/<reference\b[^>]{0,1000}>/gi)].flatMap(([tag]) => {
    const position = Number.parseInt(attributeIn(tag, 'filepos') ?? '', 10)
    const type = attributeIn(tag, 'type')
    if (!type || !Number.isInteger(position)) return []
    return [{ type, title: decode(attributeIn(tag, 'title') ?? ''), position }]
  })
}

/** Resolves pictures by number, and links by byte. */
function resolve(
  { name, attributes }: XmlElement,
  base: string,
  builder: BookBuilder,
  targetOf: (position: number) => Target | undefined,
): void {
  const number = attributes.hirecindex ?? attributes.recindex ?? attributes.lorecindex
  if (number !== undefined) {
    const href = builder.resource(Number.parseInt(number, 10) || 0)
    if (href) attributes.src = relativeHref(base, { href, fragment: '' })
    else delete attributes.src
  } else if (name === 'img') delete attributes.src
  if (attributes.filepos !== undefined && name === 'a') {
    const target = targetOf(Number.parseInt(attributes.filepos, 10))
    if (target) attributes.href = relativeHref(base, target)
    else delete attributes.href
  }
}

/** Links of a contents page. */
function linksIn(root: XmlElement, base: string): NavigationEntry[] {
  const entries: NavigationEntry[] = []
  for (const { name, attributes, children } of elementsIn(root)) {
    const title = name === 'a' && attributes.filepos ? textOf({ name, attributes, children }).trim() : ''
    const { href } = attributes
    if (!title || !href) continue
    const target = href.startsWith('#') ? `${base}${href}` : `text/${href}`
    entries.push({ title: title.replace(/\s+/g, ' '), href: target, children: [] })
  }
  return entries
}
