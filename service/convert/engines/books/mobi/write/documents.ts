import type { XmlElement } from '../../../common/xml/element.ts'
import { readingOrder } from '../../book/links.ts'
import { readXhtml } from '../../book/markup/document.ts'
import { isDocument } from '../../book/media-types.ts'
import type { Book } from '../../book/model.ts'

/** The documents of a book in reading order. */
export class Documents {
  readonly hrefs: readonly string[]
  /** Paths of what the spine names and nothing shows. */
  readonly lost: readonly string[]
  readonly #resources: Book['resources']

  constructor(book: Book) {
    this.#resources = book.resources
    const order = [...new Set(readingOrder(book))]
    this.hrefs = order.filter(href => this.has(href))
    this.lost = order.filter(href => !this.has(href))
  }

  /** Whether it is a document, and not a picture, say. */
  has(href: string): boolean {
    return isDocument(this.#resources.get(href)?.mediaType ?? '')
  }

  read(href: string): XmlElement {
    return readXhtml(this.#resources.get(href)!.bytes).root
  }
}
