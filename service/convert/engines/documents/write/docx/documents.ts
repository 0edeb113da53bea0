import { joinTarget, resolveHref, splitTarget } from '../../../books/book/links.ts'
import { bodyOf, readXhtml } from '../../../books/book/markup/document.ts'
import { isDocument } from '../../../books/book/media-types.ts'
import type { Book } from '../../../books/book/model.ts'
import { onlyPicture, wordsIn } from '../../../books/book/vector-graphics.ts'
import { textOf, type XmlElement } from '../../../common/xml/element.ts'

/** Size of the documents whose trees are cached; those of larger books are parsed again when needed. */
const KEPT_BYTES = 2_000_000

/** The documents of a book as trees. */
export class Documents {
  readonly #book: Book
  readonly #kept = new Map<string, XmlElement>()
  #room = KEPT_BYTES

  constructor(book: Book) {
    this.#book = book
  }

  /** The root of a document; undefined if it is not one. */
  root(href: string): XmlElement | undefined {
    const known = this.#kept.get(href)
    if (known) return known
    const resource = this.#book.resources.get(href)
    if (!resource || !isDocument(resource.mediaType)) return undefined
    const { root } = readXhtml(resource.bytes)
    if (resource.bytes.length < this.#room) {
      this.#room -= resource.bytes.length
      this.#kept.set(href, root)
    }
    return root
  }

  /** Caches a tree, whatever its size. */
  keep(href: string, root: XmlElement): void {
    if (!this.#kept.has(href)) this.#kept.set(href, root)
  }

  body(href: string): XmlElement | undefined {
    const root = this.root(href)
    return root && bodyOf(root)
  }
}

/** The target of a link within the book, as joined by `joinTarget`; undefined for an external one. */
export function targetOf(base: string, reference: string | undefined): string | undefined {
  const target = reference === undefined ? undefined : resolveHref(base, reference)
  return target && joinTarget(target.href, target.fragment)
}

export const documentOf = (target: string): string => splitTarget(target).href

/** The types that an element declares: `epub:type`, and ARIA roles without their `doc-`. */
export const typesOf = ({ attributes }: XmlElement): string[] =>
  `${attributes['epub:type'] ?? ''} ${(attributes.role ?? '').replaceAll('doc-', '')}`
    .split(/\s+/)
    .filter(Boolean)

interface PictureElement {
  /** The reference as written; absent for inline SVG. */
  address?: string
  alternative: string
}

/** The picture that an element shows; undefined if it is not a picture. */
export function pictureOf(element: XmlElement): PictureElement | undefined {
  const { name, attributes } = element
  if (name === 'img') return { address: attributes.src ?? '', alternative: attributes.alt ?? '' }
  if (name === 'object' && /^image\//.test(attributes.type ?? ''))
    return { address: attributes.data ?? '', alternative: textOf(element).trim() }
  if (name !== 'svg') return undefined
  const alternative = attributes['aria-label'] ?? wordsIn(element)
  const address = onlyPicture(element)
  return address === undefined ? { alternative } : { address, alternative }
}
