import { decodeText } from '../../../../common/text.ts'
import type { XmlElement } from '../../../../common/xml/element.ts'
import { SVG } from '../../../../common/xml/namespaces.ts'
import { replaceAddresses } from '../../../book/css/addresses.ts'
import { linksOf, resolveHref } from '../../../book/links.ts'
import { writeElement } from '../../../book/markup/write.ts'
import type { Book } from '../../../book/model.ts'
import { vectorGraphicIn } from '../../../book/vector-graphics.ts'
import { toBase32 } from '../../format/base32.ts'
import { isVectorGraphic, type Resources } from '../resources.ts'

/** Unique style sheets and SVG documents of a book, which follow its documents in the text. */
export class Flows {
  readonly #book: Book
  readonly #resources: Resources
  /** Flow numbers by source: a path, or content within documents. */
  readonly #numbers = new Map<string, number>()
  readonly #contents: Uint8Array[] = []
  /** Pending contents; style sheets get their number before their content, since imports can be circular. */
  readonly #waiting: (() => void)[] = []

  constructor(book: Book, resources: Resources) {
    this.#book = book
    this.#resources = resources
  }

  /** Contents of the flows from number 1 on. */
  contents(): readonly Uint8Array[] {
    for (let fill = this.#waiting.pop(); fill; fill = this.#waiting.pop()) fill()
    return this.#contents
  }

  /** Address of a style sheet of the book. */
  sheet(href: string): string | undefined {
    const resource = this.#book.resources.get(href)
    if (!resource || !/css/i.test(resource.mediaType || href)) return undefined
    return this.#address(`sheet:${href}`, 'text/css', () => this.css(decodeText(resource.bytes), href))
  }

  /** Address of a style sheet within a document. */
  inlineSheet(css: string, base: string): string {
    const replaced = this.css(css, base)
    return this.#address(`css:${replaced}`, 'text/css', () => replaced)
  }

  /** Address of an SVG file of the book. */
  vectorGraphic(href: string): string | undefined {
    const resource = this.#book.resources.get(href)
    const root = resource && isVectorGraphic(resource) ? vectorGraphicIn(resource.bytes) : undefined
    return root && this.#address(`image:${href}`, 'image/svg+xml', () => this.#vectorGraphicText(root, href))
  }

  /** Address of SVG within a document. */
  inlineVectorGraphic(root: XmlElement, base: string): string {
    const text = this.#vectorGraphicText(root, base)
    return this.#address(`svg:${text}`, 'image/svg+xml', () => text)
  }

  /** CSS with KF8 addresses. */
  css(css: string, base: string): string {
    const target = (address: string) => resolveHref(base, address)?.href
    return replaceAddresses(css, {
      sheet: address => {
        const href = target(address)
        return (href && this.sheet(href)) ?? null
      },
      resource: address => {
        const href = /^\s*#/.test(address) ? undefined : target(address)
        if (href === undefined) return undefined
        return this.#resources.address(href) ?? this.vectorGraphic(href)
      },
    })
  }

  #vectorGraphicText(root: XmlElement, base: string): string {
    const copy = structuredClone(root)
    for (const { element, attribute, value } of linksOf(copy)) {
      if (value.startsWith('#')) continue
      const target = resolveHref(base, value)
      if (!target) continue
      const address = this.#resources.address(target.href) ?? this.vectorGraphic(target.href)
      if (address) element.attributes[attribute] = address
      else if (this.#book.resources.has(target.href)) delete element.attributes[attribute]
    }
    copy.attributes.xmlns = SVG
    return writeElement(copy)
  }

  #address(key: string, mime: string, content: () => string): string {
    let number = this.#numbers.get(key)
    if (number === undefined) {
      const index = this.#contents.push(new Uint8Array()) - 1
      number = index + 1
      this.#numbers.set(key, number)
      this.#waiting.push(() => {
        this.#contents[index] = Buffer.from(content())
      })
    }
    return `kindle:flow:${toBase32(number, 4)}?mime=${mime}`
  }
}
