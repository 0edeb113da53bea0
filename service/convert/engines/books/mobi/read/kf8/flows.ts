/** Style sheets and SVG documents, which KF8 stores separately from the text, and addresses of the resources in a book. */

import type { XmlElement } from '../../../../common/xml/element.ts'
import { SVG } from '../../../../common/xml/namespaces.ts'
import { rootIn } from '../../../../common/xml/tree.ts'
import { relativeHref, type Target } from '../../../book/links.ts'
import { writeDocument } from '../../../book/markup/write.ts'
import { fromBase32 } from '../../format/base32.ts'
import type { BookBuilder } from '../book-builder.ts'

const ADDRESS = /^\s*kindle:(embed|flow):([0-9A-V]{4})/i
const ADDRESSES = /kindle:(?:embed|flow):[0-9A-V]{4}(?:\?mime=[\w/.+-]*)?/gi
/** Maximum nesting of imported style sheets. */
const DEPTH_LIMIT = 10

export class Flows {
  readonly #flows: readonly Buffer[]
  readonly #builder: BookBuilder
  readonly #hrefs = new Map<number, string | undefined>()
  #depth = 0

  constructor(flows: readonly Buffer[], builder: BookBuilder) {
    this.#flows = flows
    this.#builder = builder
  }

  /** Resolves an address such as `kindle:embed:0001?mime=image/jpeg`; undefined if its target is not in the book. */
  target(address: string): Target | undefined {
    const [, kind, digits] = ADDRESS.exec(address) ?? []
    if (!kind || !digits) return undefined
    const number = fromBase32(digits)
    const href = kind.toLowerCase() === 'embed' ? this.#builder.resource(number) : this.#flow(number)
    return href === undefined ? undefined : { href, fragment: '' }
  }

  /** CSS with addresses replaced by paths; declarations with missing targets are left out. */
  css(css: string, base: string): string {
    const resolved = css.replace(ADDRESSES, address => {
      const target = this.target(address)
      return target ? relativeHref(base, target) : NOWHERE
    })
    return cleanCss(resolved.replace(DECLARATION_TO_NOWHERE, ''))
  }

  #flow(number: number): string | undefined {
    if (this.#hrefs.has(number)) return this.#hrefs.get(number)
    const bytes = this.#flows[number - 1]
    if (!bytes || this.#depth >= DEPTH_LIMIT) return undefined
    // Registered before it is read, so that self-references end.
    const text = bytes.toString()
    const isSvg = /^\s*(?:<\?xml|<!DOCTYPE|<!--|<svg)/i.test(text.slice(0, 200))
    const name = String(number).padStart(4, '0')
    const href = isSvg ? `images/${name}.svg` : `styles/${name}.css`
    this.#hrefs.set(number, href)
    this.#depth++
    if (isSvg) {
      const vectorGraphic = this.#vectorGraphic(text, href)
      if (vectorGraphic === undefined) this.#hrefs.set(number, undefined)
      else this.#builder.add(href, 'image/svg+xml', vectorGraphic)
    } else this.#builder.add(href, 'text/css', this.css(text, href))
    this.#depth--
    return this.#hrefs.get(number)
  }

  #vectorGraphic(text: string, href: string): string | undefined {
    const root = rootIn(text, SVG)
    if (root?.name !== 'svg') return undefined
    this.resolveIn(root, href)
    return writeDocument(root)
  }

  /** Replaces the addresses in an element and its descendants, and removes Kindle's own counters. */
  resolveIn(
    element: XmlElement,
    base: string,
    place: (address: string) => Target | undefined = () => undefined,
  ): void {
    for (const [name, value] of Object.entries(element.attributes)) {
      if (name === 'aid' || name === 'cid') delete element.attributes[name]
      else if (name === 'style') element.attributes.style = this.css(value, base)
      else if (value.includes('kindle:')) {
        const target = place(value) ?? this.target(value)
        if (target) element.attributes[name] = relativeHref(base, target)
        else delete element.attributes[name]
      }
    }
    const isStyle = element.name === 'style'
    for (const [index, child] of element.children.entries()) {
      if (typeof child === 'object') this.resolveIn(child, base, place)
      else if (isStyle) element.children[index] = this.css(child, base)
    }
  }
}

const NOWHERE = 'about:invalid'
const DECLARATION_TO_NOWHERE = /[\w-]+\s*:[^;{}]*about:invalid[^;{}]*;?|@import[^;]*about:invalid[^;]*;/g

/** Properties that the EPUB specification forbids, since reading systems set them: https://www.w3.org/TR/epub-33/#sec-css */
const FORBIDDEN = /(^|[;{\s])(?:direction|unicode-bidi)\s*:[^;{}]*(?:;|(?=\})|$)/gi

/** Removes declarations that EPUB forbids; everything else is kept, including Kindle's own. */
const cleanCss = (css: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  css.replace(FORBIDDEN, '$1').replace(/[\u0000-\u0008\u000e-\u001f\ufeff]/g, '')
