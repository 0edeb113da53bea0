/** Which declarations apply to the elements of a document: https://www.w3.org/TR/css-cascade-4/ */
import { type CssPosition, placeOf, placesIn, type TreeElement } from './places.ts'
import { type Budget, matches } from './selectors.ts'
import { type Declaration, type Rule, readDeclarations } from './sheet.ts'

/** Maximum comparisons of elements with parts of selectors for one document; a real one needs thousands. */
const STEP_LIMIT = 10_000_000
const MAX_INLINE_STYLES = 5000

export class Cascade {
  readonly #rules: readonly Rule[]
  readonly #places: Map<TreeElement, CssPosition>
  /** Indices of rules by what their subject requires, so that each element is compared with only a few. */
  readonly #byKey: ReadonlyMap<string, number[]>
  readonly #inlineStyles = new Map<string, Declaration[]>()
  readonly #budget: Budget

  /**
   * @param root a document that stays as it is while its elements are matched
   * @param exceeded called when matching takes too long; without an error, no further rule applies
   */
  constructor(root: TreeElement, rules: readonly Rule[], exceeded: () => false = () => false) {
    this.#rules = rules
    this.#places = rules.length > 0 ? placesIn(root) : new Map()
    this.#budget = { left: STEP_LIMIT, exceeded }
    this.#byKey = Map.groupBy(rules.keys(), index => {
      const { id, classes, name } = rules[index]!.selector.subject
      return id !== undefined ? `#${id}` : classes[0] !== undefined ? `.${classes[0]}` : (name ?? '*')
    })
  }

  /** The declarations for an element, from the weakest to the strongest. */
  declarationsOf(element: TreeElement): Declaration[] {
    const rules = this.#rules
    const place = this.#places.get(element) ?? placeOf(element)
    const keys = ['*', place.name, `#${place.attribute('id')}`, ...place.classes.map(name => `.${name}`)]
    const found = (rules.length > 0 ? [...new Set(keys)] : [])
      .flatMap(key => this.#byKey.get(key) ?? [])
      .filter(index => matches(rules[index]!.selector, place, this.#budget))
      .sort((a, b) => rules[a]!.selector.specificity - rules[b]!.selector.specificity || a - b)
      .flatMap(index => rules[index]!.declarations)
    const style = place.attribute('style')
    if (style !== undefined) found.push(...this.#inline(style))
    return found.some(({ important }) => important)
      ? [...found.filter(({ important }) => !important), ...found.filter(({ important }) => important)]
      : found
  }

  #inline(style: string): Declaration[] {
    const declarations = this.#inlineStyles.get(style) ?? readDeclarations(style)
    if (this.#inlineStyles.size < MAX_INLINE_STYLES) this.#inlineStyles.set(style, declarations)
    return declarations
  }
}
