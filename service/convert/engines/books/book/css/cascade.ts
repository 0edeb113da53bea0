import { Cascade } from '../../../common/css/cascade.ts'
import { type Declaration, type Rule, readSheet } from '../../../common/css/sheet.ts'
import { decodeText } from '../../../common/text.ts'
import type { XmlElement } from '../../../common/xml/element.ts'
import { elementsIn, resolveHref } from '../links.ts'
import type { Book } from '../model.ts'

/** Declarations from style sheets and the element itself, by property. Values are in lower case except for font names. */
export type Declarations = Readonly<Record<string, string | undefined>>
export type StyleOf = (element: XmlElement) => Declarations

/** Whether there is a page break before or after an element. */
export const breaksPage = (css: Declarations, side: 'before' | 'after'): boolean =>
  /^(?:always|page|left|right|recto|verso)$/.test(css[`break-${side}`] ?? css[`page-break-${side}`] ?? '')

/** Maximum characters of CSS that are read per book, and rules per document. */
const MAX_CHARACTERS = 4_000_000
const MAX_RULES = 20_000
/** Maximum nesting of imported style sheets. */
const MAX_IMPORTS = 4

/** Style sheets of a book, each read once. */
export class StyleSheets {
  readonly #book: Pick<Book, 'resources'>
  readonly #properties: ReadonlySet<string>
  readonly #media: ReadonlySet<string>
  readonly #sheets = new Map<string, Rule[]>()
  readonly #styles = new WeakMap<XmlElement, StyleOf>()
  #room = MAX_CHARACTERS
  /** Current nesting of imports. */
  #depth = 0

  /**
   * @param properties longhands to collect
   * @param media media types whose rules apply in addition to those for all media
   */
  constructor(
    book: Pick<Book, 'resources'>,
    properties: ReadonlySet<string>,
    media: readonly string[] = ['screen'],
  ) {
    this.#book = book
    this.#properties = properties
    this.#media = new Set(['', 'all', ...media])
  }

  /** The styles of a document, from the sheets that it links and contains. */
  stylesOf(root: XmlElement, base: string): StyleOf {
    const known = this.#styles.get(root)
    if (known) return known
    const rules: Rule[] = []
    for (const { name, attributes, children } of elementsIn(root)) {
      if (!/^(?:style|link)$/.test(name) || !this.#suits(attributes.media)) continue
      const css = children.filter(child => typeof child === 'string').join('')
      const target = isSheet(attributes) ? resolveHref(base, attributes.href ?? 'data:') : undefined
      const read = name === 'style' ? this.#read(css, base) : target ? this.#sheet(target.href) : []
      for (const rule of read) if (rules.length < MAX_RULES) rules.push(rule)
    }
    const cascade = new Cascade(root, rules)
    const styleOf: StyleOf = element => {
      const { align } = element.attributes
      const result: Record<string, string | undefined> = align ? { 'text-align': align.toLowerCase() } : {}
      for (const declaration of cascade.declarationsOf(element)) {
        for (const [property, value] of longhands(declaration)) {
          if (this.#properties.has(property)) result[property] = value === 'inherit' ? undefined : value
        }
      }
      return result
    }
    this.#styles.set(root, styleOf)
    return styleOf
  }

  #sheet(href: string): Rule[] {
    const known = this.#sheets.get(href)
    if (known) return known
    const resource = this.#book.resources.get(href)
    // Sheets that import each other find the empty list.
    this.#sheets.set(href, [])
    const rules = resource ? this.#read(decodeText(resource.bytes), href) : []
    this.#sheets.set(href, rules)
    return rules
  }

  #read(css: string, base: string): Rule[] {
    if (css.length > this.#room) return []
    this.#room -= css.length
    const { imports, rules } = readSheet(css, media => this.#suits(media))
    const known = rules.filter(({ declarations }) => declarations.some(found => this.#collects(found)))
    return [...imports.flatMap(prelude => this.#import(prelude, base)), ...known]
  }

  #collects(declaration: Declaration): boolean {
    return longhands(declaration).some(([property]) => this.#properties.has(property))
  }

  /** Whether rules for a media query apply; media features are ignored. */
  #suits(media = ''): boolean {
    return media.split(',').some(query =>
      this.#media.has(
        query
          .trim()
          .toLowerCase()
          .replace(/^only\s+/, ''),
      ),
    )
  }

  #import(prelude: string, base: string): Rule[] {
    const [, address] = /^(?:url\()?\s*["']?([^"')]+)/.exec(prelude) ?? []
    const target = address === undefined ? undefined : resolveHref(base, address)
    if (!target || this.#depth >= MAX_IMPORTS) return []
    this.#depth++
    const rules = this.#sheet(target.href)
    this.#depth--
    return rules
  }
}

/** Whether a link of a document is to a style sheet that applies without being chosen. */
export const isSheet = ({ rel = '' }: XmlElement['attributes']): boolean =>
  /(?:^|\s)stylesheet(?:\s|$)/i.test(rel) && !/alternate/i.test(rel)

/** A declaration, with shorthands expanded. */
function longhands({ name, value: declared }: Declaration): [string, string][] {
  const value = name === 'font-family' ? declared : declared.toLowerCase()
  if (name === 'margin' || name === 'padding') {
    const [top = '0', right = top, bottom = top, left = right] = value.split(/\s+/)
    return [
      [`${name}-top`, top],
      [`${name}-right`, right],
      [`${name}-bottom`, bottom],
      [`${name}-left`, left],
    ]
  }
  if (name === 'margin-inline-start') return [['margin-left', value]]
  if (name === 'font') {
    const [, size] = /(?:^|\s)([\d.]+(?:%|[a-z]+))(?:\/|\s)/.exec(value) ?? []
    return [
      ['font-weight', /\b(?:bold|[6-9]00)\b/.test(value) ? 'bold' : 'normal'],
      ['font-style', /\b(?:italic|oblique)\b/.test(value) ? 'italic' : 'normal'],
      ['font-variant', value.includes('small-caps') ? 'small-caps' : 'normal'],
      ['font-family', value],
      ...(size ? ([['font-size', size]] as [string, string][]) : []),
    ]
  }
  return [[name, value]]
}
