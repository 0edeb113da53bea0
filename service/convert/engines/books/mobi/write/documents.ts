import { findIn, type XmlElement } from '../../../common/xml/element.ts'
import { fallbacksOf } from '../../book/fallbacks.ts'
import { readingOrder, relativeHref } from '../../book/links.ts'
import { readXhtml } from '../../book/markup/document.ts'
import type { Book, Resource } from '../../book/model.ts'
import { readDrawing } from './drawings.ts'
import { pictureType } from './pictures.ts'
import { isDrawing } from './resources.ts'

/** Unique paths of the documents of a book in reading order, with the fallbacks of other file types. */
export class Documents {
  readonly #book: Book
  readonly #shown = new Map<string, Resource>()
  /** Paths of resources that cannot be shown at all. */
  readonly lost: string[] = []

  constructor(book: Book) {
    this.#book = book
    for (const href of readingOrder(book)) {
      if (this.#shown.has(href)) continue
      const resource = shownFor(href, book)
      if (resource) this.#shown.set(href, resource)
      else this.lost.push(href)
    }
  }

  get hrefs(): readonly string[] {
    return [...this.#shown.keys()]
  }

  has(href: string): boolean {
    return this.#shown.has(href)
  }

  /** A document as a tree; pictures and drawings in the spine are wrapped in a page. */
  read(href: string): XmlElement {
    const resource = this.#shown.get(href)!
    if (isPage(resource)) return readXhtml(resource.bytes).root
    if (isDrawing(resource)) {
      const root = readDrawing(resource)
      if (root && findIn(root, 'a')) return page(this.#book, root)
    }
    const src = relativeHref(href, { href: resource.href, fragment: '' })
    return page(this.#book, { name: 'img', attributes: { src, alt: '' }, children: [] })
  }
}

const isPage = ({ mediaType }: Resource) => /html|oeb1-document/i.test(mediaType)

function shownFor(href: string, { resources }: Book): Resource | undefined {
  for (const resource of fallbacksOf(href, resources)) {
    if (isDrawing(resource) ? readDrawing(resource) : isPage(resource) || pictureType(resource.bytes)) {
      return resource
    }
    if (/^image\/(?!svg)/i.test(resource.mediaType)) return resource
  }
  return undefined
}

function page({ metadata }: Book, content: XmlElement): XmlElement {
  const title = { name: 'title', attributes: {}, children: [metadata.title] }
  return {
    name: 'html',
    attributes: {},
    children: [
      { name: 'head', attributes: {}, children: [title] },
      {
        name: 'body',
        attributes: {},
        children: [{ name: 'div', attributes: { style: 'text-align: center' }, children: [content] }],
      },
    ],
  }
}
