/** Collects the files of a book while its text is read. */

import type { XmlElement } from '../../../common/xml/element.ts'
import { elementsIn, isRemote, linksOf, relativeHref, resolveHref } from '../../book/links.ts'
import { readXhtml } from '../../book/markup/document.ts'
import { writeDocument } from '../../book/markup/write.ts'
import { suffixOf } from '../../book/media-types.ts'
import type { Resource } from '../../book/model.ts'
import type { Resources } from './resources.ts'

/** What its documents say of a book. */
interface BookFacts {
  title: string
  language: string
  viewport: { width: number; height: number } | undefined
}

export class BookBuilder {
  readonly resources = new Map<string, Resource>()
  readonly facts: BookFacts
  /** Numbers of resources that the text refers to but that are missing or cannot be read. */
  readonly missing = new Set<number>()
  readonly #container: Resources
  readonly #hrefs = new Map<number, string | undefined>()
  /** Ids by document, and links by document, which are checked when all documents have been added. */
  readonly #ids = new Map<string, Set<string>>()
  readonly #linking = new Map<string, { href: string; fragment: string }[]>()

  constructor(container: Resources, facts: BookFacts) {
    this.#container = container
    this.facts = facts
  }

  /** Path of the picture, font or media file with this number, from 1. It is added when first requested. */
  resource(number: number): string | undefined {
    if (this.#hrefs.has(number)) return this.#hrefs.get(number)
    const found = this.#container.read(number)
    const href = found && `${folderOf(found.mime)}/${String(number).padStart(4, '0')}.${suffixOf(found.mime)}`
    if (found && href)
      this.resources.set(href, { href, mediaType: found.mime, bytes: found.bytes, properties: [] })
    else this.missing.add(number)
    this.#hrefs.set(number, href)
    return href
  }

  add(href: string, mediaType: string, text: string): void {
    this.resources.set(href, { href, mediaType, bytes: Buffer.from(text), properties: [] })
  }

  addDocument(href: string, root: XmlElement): void {
    const ids = new Set([...elementsIn(root)].flatMap(({ attributes: { id } }) => id ?? []))
    const targets = []
    for (const { element, attribute, value } of linksOf(root)) {
      const address = validAddress(value, element.name)
      if (address === undefined) delete element.attributes[attribute]
      else element.attributes[attribute] = address
      const target = address === undefined ? undefined : resolveHref(href, address)
      if (target) targets.push(target)
    }
    dropUnlinked(root)
    this.#ids.set(href, ids)
    this.#linking.set(href, targets)
    this.add(href, 'application/xhtml+xml', writeDocument(root))
  }

  /** Whether a target exists in the book; the beginning of an existing document always does. */
  has({ href, fragment }: { href: string; fragment: string }): boolean {
    const ids = this.#ids.get(href)
    return fragment === '' || !ids ? this.resources.has(href) : ids.has(fragment)
  }

  /** Fixes or removes dead links, once all documents have been added. */
  settleLinks(): void {
    const owners = new Map<string, string>()
    for (const [href, ids] of this.#ids) for (const id of ids) if (!owners.has(id)) owners.set(id, href)
    for (const [href, targets] of this.#linking) {
      if (targets.every(target => this.has(target))) continue
      const resource = this.resources.get(href)
      if (!resource) continue
      const { root } = readXhtml(resource.bytes)
      for (const { element, attribute, value } of linksOf(root)) {
        const target = resolveHref(href, value)
        if (!target || this.has(target)) continue
        const owner = owners.get(target.fragment)
        if (this.resources.has(target.href) && target.href !== href)
          element.attributes[attribute] = relativeHref(href, { href: target.href, fragment: '' })
        else if (owner)
          element.attributes[attribute] = relativeHref(href, { href: owner, fragment: target.fragment })
        else delete element.attributes[attribute]
      }
      dropUnlinked(root)
      resource.bytes = Buffer.from(writeDocument(root))
    }
  }
}

/** Attributes that only links have. */
const LINK_ATTRIBUTES = ['target', 'rel', 'type', 'download', 'hreflang']

/** Removes pictures and style sheets without a target, and link attributes of anchors without `href`. */
function dropUnlinked(root: XmlElement): void {
  for (const element of elementsIn(root)) {
    if (element.name === 'a' && element.attributes.href === undefined)
      for (const name of LINK_ATTRIBUTES) delete element.attributes[name]
    element.children = element.children.filter(
      child =>
        typeof child === 'string' ||
        !(
          (child.name === 'img' && !child.attributes.src) ||
          (child.name === 'link' && !child.attributes.href)
        ),
    )
  }
}

function folderOf(mime: string): string {
  const kind = mime.slice(0, mime.indexOf('/'))
  return { image: 'images', font: 'fonts', audio: 'audio', video: 'video' }[kind] ?? 'other'
}

/** A valid reference; undefined for one that no reader can follow. */
function validAddress(value: string, name: string): string | undefined {
  const address = value.trim().replace(/[\s"<>\\^`{|}]/g, sign => encodeURIComponent(sign))
  if (!isRemote(address)) return /^(?:[^:/?#]*:)/.test(address) ? undefined : address
  // Pictures and other resources have to be in the book itself.
  if (name !== 'a' && name !== 'area') return name === 'blockquote' || name === 'q' ? address : undefined
  if (!/^(?:https?|ftp|mailto|tel|sms|urn|geo):/i.test(address)) return undefined
  return URL.canParse(address) ? address : undefined
}
