import { type CssNode, generate, parse } from 'css-tree'
import { decodeText } from '../../formats/text.ts'
import type { XmlElement } from '../../formats/xml.ts'
import { resolveHref } from '../links.ts'
import type { Book } from '../model.ts'
import {
  type Budget,
  type Counted,
  classesOf,
  matches,
  type Placement,
  readSelectors,
  type Selector,
} from './selectors.ts'

/** Declarations from style sheets and the element itself, by property. Values are in lower case except for font names. */
export type Declarations = Readonly<Record<string, string | undefined>>
export type StyleOf = (element: XmlElement) => Declarations

/** Maximum characters of CSS that are read per book, and rules per document. */
const MAX_CHARACTERS = 4_000_000
const MAX_RULES = 20_000
/** Maximum comparisons of elements with parts of selectors per document. */
const MAX_STEPS = 8_000_000
/** Maximum nesting of imported style sheets. */
const MAX_IMPORTS = 4

interface Rule {
  selector: Selector
  declarations: Declared[]
}

interface Declared {
  property: string
  value: string
  isImportant: boolean
}

/** Style sheets of a book, each read once. */
export class StyleSheets {
  readonly #book: Book
  readonly #properties: ReadonlySet<string>
  readonly #media: ReadonlySet<string>
  readonly #sheets = new Map<string, Rule[]>()
  readonly #inlineStyles = new Map<string, Declared[]>()
  #room = MAX_CHARACTERS
  /** Current nesting of imports. */
  #depth = 0

  /**
   * @param properties longhands to collect
   * @param media media types whose rules apply in addition to those for all media
   */
  constructor(book: Book, properties: ReadonlySet<string>, media: readonly string[] = ['screen']) {
    this.#book = book
    this.#properties = properties
    this.#media = new Set(['', 'all', ...media])
  }

  /** The styles of a document, from the sheets that it links and contains. */
  stylesOf(root: XmlElement, base: string): StyleOf {
    const rules: Rule[] = []
    const placement = placementIn(root, element => {
      if (rules.length > MAX_RULES) return
      const { name, attributes } = element
      if (name === 'style' && this.#suits(attributes.media)) {
        const css = element.children.filter(child => typeof child === 'string').join('')
        for (const rule of this.#read(css, base)) rules.push(rule)
      } else if (name === 'link' && isSheet(attributes) && this.#suits(attributes.media)) {
        const target = resolveHref(base, attributes.href ?? 'data:')
        if (target) for (const rule of this.#sheet(target.href)) rules.push(rule)
      }
    })
    return cascade(rules.slice(0, MAX_RULES), placement, style => this.#inline(style))
  }

  #sheet(href: string): Rule[] {
    const known = this.#sheets.get(href)
    if (known) return known
    const resource = this.#book.resources.get(href)
    const rules: Rule[] = []
    // Sheets that import each other find the empty list.
    this.#sheets.set(href, rules)
    if (resource) for (const rule of this.#read(decodeText(resource.bytes), href)) rules.push(rule)
    return rules
  }

  #read(css: string, base: string): Rule[] {
    if (css.length > this.#room) return []
    this.#room -= css.length
    const rules: Rule[] = []
    try {
      const sheet = parse(css, { parseValue: false, parseAtrulePrelude: false })
      this.#collect(sheet, base, rules)
    } catch {
      // It is nested deeper than the parser goes.
    }
    return rules
  }

  #collect(sheet: CssNode, base: string, rules: Rule[]): void {
    if (sheet.type !== 'StyleSheet' && sheet.type !== 'Block') return
    for (const node of sheet.children) {
      if (rules.length > MAX_RULES) return
      if (node.type === 'Rule') {
        const declarations = declarationsOf(node.block, this.#properties)
        if (declarations.length === 0) continue
        for (const selector of readSelectors(node.prelude)) rules.push({ selector, declarations })
      } else if (node.type === 'Atrule') {
        const prelude = node.prelude ? generate(node.prelude) : ''
        const name = node.name.toLowerCase()
        if (name === 'media' && node.block && this.#suits(prelude)) this.#collect(node.block, base, rules)
        else if (name === 'import') for (const rule of this.#import(prelude, base)) rules.push(rule)
      }
    }
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

  #inline(style: string): Declared[] {
    const known = this.#inlineStyles.get(style)
    if (known) return known
    let declared: Declared[] = []
    try {
      const block = parse(style, { context: 'declarationList', parseValue: false })
      declared = declarationsOf(block, this.#properties)
    } catch {
      // It is nested deeper than the parser goes.
    }
    if (this.#inlineStyles.size > MAX_INLINE_STYLES) this.#inlineStyles.clear()
    this.#inlineStyles.set(style, declared)
    return declared
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

const isSheet = (attributes: Record<string, string>) =>
  /(?:^|\s)stylesheet(?:\s|$)/i.test(attributes.rel ?? '') && !/alternate/i.test(attributes.rel ?? '')

function declarationsOf(block: CssNode, properties: ReadonlySet<string>): Declared[] {
  const declared: Declared[] = []
  if (block.type !== 'Block' && block.type !== 'DeclarationList') return declared
  for (const node of block.children) {
    if (node.type !== 'Declaration') continue
    const name = node.property.toLowerCase()
    const said = generate(node.value).trim()
    const value = name === 'font-family' ? said : said.toLowerCase()
    for (const [property, part] of longhands(name, value)) {
      if (properties.has(property)) {
        declared.push({ property, value: part, isImportant: node.important !== false })
      }
    }
  }
  return declared
}

/** A declaration, with shorthands expanded. */
function longhands(property: string, value: string): [string, string][] {
  if (property === 'margin' || property === 'padding') {
    const [top = '0', right = top, bottom = top, left = right] = value.split(/\s+/)
    return [
      [`${property}-top`, top],
      [`${property}-right`, right],
      [`${property}-bottom`, bottom],
      [`${property}-left`, left],
    ]
  }
  if (property === 'margin-inline-start') return [['margin-left', value]]
  if (property === 'font') {
    const [, size] = /(?:^|\s)([\d.]+(?:%|[a-z]+))(?:\/|\s)/.exec(value) ?? []
    return [
      ['font-weight', /\b(?:bold|[6-9]00)\b/.test(value) ? 'bold' : 'normal'],
      ['font-style', /\b(?:italic|oblique)\b/.test(value) ? 'italic' : 'normal'],
      ['font-variant', value.includes('small-caps') ? 'small-caps' : 'normal'],
      ['font-family', value],
      ...(size ? ([['font-size', size]] as [string, string][]) : []),
    ]
  }
  return [[property, value]]
}

/** Finds the declarations of elements; rules are indexed by their subject. */
function cascade(
  rules: readonly Rule[],
  placement: Placement,
  inline: (style: string) => readonly Declared[],
): StyleOf {
  const buckets = new Map<string, number[]>()
  for (const [index, { selector }] of rules.entries()) {
    const { id, classes, name } = selector.subject
    const key = id !== undefined ? `#${id}` : classes[0] !== undefined ? `.${classes[0]}` : (name ?? '*')
    const bucket = buckets.get(key)
    if (bucket) bucket.push(index)
    else buckets.set(key, [index])
  }
  const budget: Budget = { left: MAX_STEPS }
  return element => {
    const { name, attributes } = element
    const keys = ['*', name.toLowerCase(), ...classesOf(element).map(word => `.${word}`)]
    if (attributes.id) keys.push(`#${attributes.id}`)
    const found: { weight: number; declared: Declared }[] = []
    for (const key of new Set(keys)) {
      for (const index of buckets.get(key) ?? []) {
        if (budget.left-- <= 0) break
        const { selector, declarations } = rules[index]!
        if (!matches(selector, element, placement, budget)) continue
        for (const declared of declarations) {
          found.push({ weight: selector.specificity * MAX_RULES + index, declared })
        }
      }
    }
    const own = attributes.style ? inline(attributes.style) : []
    if (found.length === 0 && own.length === 0) return presentational(element)
    found.sort((a, b) => a.weight - b.weight)
    const ordered = [...found.map(({ declared }) => declared), ...own]
    const result: Record<string, string | undefined> = { ...presentational(element) }
    for (const important of [false, true]) {
      for (const { property, value, isImportant } of ordered) {
        if (isImportant === important) result[property] = value === 'inherit' ? undefined : value
      }
    }
    return result
  }
}

const NOTHING: Declarations = {}

/** Declarations from presentational HTML attributes. */
function presentational({ attributes }: XmlElement): Declarations {
  return attributes.align ? { 'text-align': attributes.align.toLowerCase() } : NOTHING
}

const MAX_INLINE_STYLES = 5000

/** Records the place of each element. @param visit called for each element in order */
function placementIn(root: XmlElement, visit: (element: XmlElement) => void): Placement {
  const parents = new Map<XmlElement, XmlElement>()
  const previous = new Map<XmlElement, XmlElement>()
  const numbers = new Map<XmlElement, Record<Counted, number>>()
  const enter = (element: XmlElement) => {
    visit(element)
    const children = element.children.filter(child => typeof child === 'object')
    const ofType = new Map<string, number>()
    for (const [index, child] of children.entries()) {
      const number = (ofType.get(child.name) ?? 0) + 1
      ofType.set(child.name, number)
      const fromEnd = children.length - index
      numbers.set(child, { child: index + 1, 'of-type': number, 'last-child': fromEnd, 'last-of-type': 0 })
      parents.set(child, element)
      if (index > 0) previous.set(child, children[index - 1]!)
    }
    for (const child of children) {
      const own = numbers.get(child)!
      own['last-of-type'] = ofType.get(child.name)! - own['of-type'] + 1
      enter(child)
    }
  }
  enter(root)
  return {
    parentOf: element => parents.get(element),
    previousOf: element => previous.get(element),
    numberOf: (element, counted) => numbers.get(element)?.[counted] ?? 1,
  }
}
