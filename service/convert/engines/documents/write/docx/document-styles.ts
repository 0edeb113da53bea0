import type { StyleOf, StyleSheets } from '../../../books/book/css/cascade.ts'
import type { XmlElement } from '../../../common/xml/element.ts'

/** Number of documents whose styles are cached. */
const MAX_KEPT = 50

/** The styles of a book's documents, cached. */
export class DocumentStyles {
  readonly #sheets: StyleSheets
  readonly #kept = new Map<XmlElement, StyleOf>()

  constructor(sheets: StyleSheets) {
    this.#sheets = sheets
  }

  /** @param href of the document whose root it is */
  of(root: XmlElement, href: string): StyleOf {
    const known = this.#kept.get(root)
    if (known) return known
    const styleOf = this.#sheets.stylesOf(root, href)
    this.#kept.set(root, styleOf)
    return styleOf
  }

  /** Clears the cache if it has become too large. */
  trim(): void {
    if (this.#kept.size > MAX_KEPT) this.#kept.clear()
  }
}
