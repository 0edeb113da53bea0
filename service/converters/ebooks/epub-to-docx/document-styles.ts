import type { StyleOf, StyleSheets } from '../../../engines/book/css/cascade.ts'
import type { XmlElement } from '../../../engines/formats/xml.ts'

/** Documents whose styles are kept. */
const MOST_KEPT = 50

/** The styles of the documents of a book, found once while they are kept. */
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

  /** Forgets what is kept, if it has become too much. */
  trim(): void {
    if (this.#kept.size > MOST_KEPT) this.#kept.clear()
  }
}
