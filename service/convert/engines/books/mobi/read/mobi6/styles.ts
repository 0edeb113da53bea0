/** Replaces the `style` of elements by shared classes, since the same few styles repeat in every paragraph. */
import type { XmlElement } from '../../../../common/xml/element.ts'

export class Styles {
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
