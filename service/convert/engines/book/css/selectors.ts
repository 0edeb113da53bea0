import { type AnPlusB, type CssNode, type Identifier, ident, string } from 'css-tree'
import type { XmlElement } from '../../formats/xml.ts'

/** A compound selector: the conditions for a single element. */
interface Compound {
  name: string | undefined
  id: string | undefined
  classes: string[]
  attributes: { name: string; operator: string; value: string }[]
  isRoot: boolean
  isLink: boolean
  positions: Position[]
  /** `:is` and `:not`. */
  choices: { isNot: boolean; selectors: Selector[] }[]
}

/** `:nth-child(an + b)` and its relatives. */
interface Position {
  a: number
  b: number
  counted: Counted
}

/** What of an element's siblings is counted, and from where. */
export type Counted = 'child' | 'of-type' | 'last-child' | 'last-of-type'

/** A selector, with its last compound first; each other compound has the combinator that follows it. */
export interface Selector {
  subject: Compound
  before: { combinator: string; compound: Compound }[]
  specificity: number
}

/** The position of elements in their document. */
export interface Placement {
  parentOf(element: XmlElement): XmlElement | undefined
  /** The previous sibling element. */
  previousOf(element: XmlElement): XmlElement | undefined
  /** The number of an element among its siblings, from 1. */
  numberOf(element: XmlElement, counted: Counted): number
}

/** Pseudo-classes that are positions with a fixed number. */
const fixedPositions = new Map<string, Counted[]>([
  ['first-child', ['child']],
  ['last-child', ['last-child']],
  ['only-child', ['child', 'last-child']],
  ['first-of-type', ['of-type']],
  ['last-of-type', ['last-of-type']],
  ['only-of-type', ['of-type', 'last-of-type']],
])
const [OF_ID, OF_CLASS, OF_TYPE] = [10_000, 100, 1]
const MAX_PARTS = 30

/** The selectors of a rule. Unsupported ones are left out, as readers ignore them too. */
export function readSelectors(prelude: CssNode): Selector[] {
  if (prelude.type !== 'SelectorList') return []
  const selectors: Selector[] = []
  for (const node of prelude.children) {
    const selector = node.type === 'Selector' ? readSelector([...node.children]) : undefined
    if (selector) selectors.push(selector)
  }
  return selectors
}

function readSelector(nodes: CssNode[]): Selector | undefined {
  const compounds: Compound[] = [emptyCompound()]
  const combinators: string[] = []
  let specificity = 0
  for (const node of nodes) {
    if (node.type === 'Combinator') {
      combinators.push(node.name.trim() || ' ')
      compounds.push(emptyCompound())
      if (compounds.length > MAX_PARTS) return undefined
    } else {
      const added = addTo(compounds.at(-1)!, node)
      if (added === undefined) return undefined
      specificity += added
    }
  }
  const [subject, ...before] = compounds.reverse()
  combinators.reverse()
  return {
    subject: subject!,
    before: before.map((compound, index) => ({ combinator: combinators[index]!, compound })),
    specificity,
  }
}

const emptyCompound = (): Compound => ({
  name: undefined,
  id: undefined,
  classes: [],
  attributes: [],
  isRoot: false,
  isLink: false,
  positions: [],
  choices: [],
})

/** @returns what it adds to the specificity; undefined if the part is not supported */
function addTo(compound: Compound, node: CssNode): number | undefined {
  switch (node.type) {
    case 'TypeSelector': {
      const name = ident.decode(node.name).replace(/^.*\|/, '').toLowerCase()
      if (name === '*') return 0
      compound.name = name
      return OF_TYPE
    }
    case 'IdSelector':
      compound.id = ident.decode(node.name)
      return OF_ID
    case 'ClassSelector':
      compound.classes.push(ident.decode(node.name))
      return OF_CLASS
    case 'AttributeSelector': {
      const value = node.value === null ? '' : decoded(node.value)
      const name = ident.decode(node.name.name).replace('|', ':')
      compound.attributes.push({ name, operator: node.matcher ?? '', value })
      return OF_CLASS
    }
    case 'PseudoClassSelector':
      return addPseudo(compound, node)
    default:
      return undefined
  }
}

const decoded = (value: CssNode) =>
  value.type === 'String'
    ? string.decode(string.encode(value.value))
    : value.type === 'Identifier'
      ? ident.decode(value.name)
      : ''

function addPseudo(
  compound: Compound,
  node: Extract<CssNode, { type: 'PseudoClassSelector' }>,
): number | undefined {
  const name = node.name.toLowerCase()
  const argument = node.children?.first
  const fixed = fixedPositions.get(name)
  if (fixed) for (const counted of fixed) compound.positions.push({ a: 0, b: 1, counted })
  else if (name === 'root') compound.isRoot = true
  else if (name === 'link' || name === 'any-link') compound.isLink = true
  else if (argument?.type === 'Nth' && !argument.selector) {
    const counted = name.replace(/^nth-/, '') as Counted
    compound.positions.push({ ...stepsOf(argument.nth), counted })
  } else if (argument?.type === 'SelectorList' && /^(?:is|where|not)$/.test(name)) {
    const selectors = readSelectors(argument)
    const isNot = name === 'not'
    // One unsupported selector makes all of `:not` unsupported; `:is` and `:where` ignore it.
    if (isNot && selectors.length < argument.children.size) return undefined
    compound.choices.push({ isNot, selectors })
    return name === 'where' ? 0 : Math.max(0, ...selectors.map(({ specificity }) => specificity))
  } else return undefined
  return OF_CLASS
}

/** The numbers of `an + b`. */
function stepsOf(nth: AnPlusB | Identifier): Pick<Position, 'a' | 'b'> {
  if (nth.type === 'Identifier') return { a: 2, b: nth.name.toLowerCase() === 'odd' ? 1 : 0 }
  const step = nth.a === '-' || nth.a === '+' ? `${nth.a}1` : nth.a
  return { a: Number(step ?? 0), b: Number(nth.b ?? 0) }
}

/** Limits comparisons, so that a style sheet cannot take forever. */
export interface Budget {
  left: number
}

/** Whether a selector matches an element. */
export function matches(
  { subject, before }: Selector,
  element: XmlElement,
  placement: Placement,
  budget: Budget,
): boolean {
  return (
    matchesCompound(subject, element, placement, budget) &&
    matchesBefore(before, 0, element, placement, budget)
  )
}

function matchesBefore(
  before: Selector['before'],
  from: number,
  element: XmlElement,
  placement: Placement,
  budget: Budget,
): boolean {
  const step = before[from]
  if (!step) return true
  const { combinator, compound } = step
  const next = combinator === '+' || combinator === '~' ? placement.previousOf : placement.parentOf
  const repeats = combinator === ' ' || combinator === '~'
  for (let other = next(element); other && budget.left-- > 0; other = next(other)) {
    if (
      matchesCompound(compound, other, placement, budget) &&
      matchesBefore(before, from + 1, other, placement, budget)
    ) {
      return true
    }
    if (!repeats) return false
  }
  return false
}

function matchesCompound(
  compound: Compound,
  element: XmlElement,
  placement: Placement,
  budget: Budget,
): boolean {
  const { name, attributes } = element
  if (compound.name !== undefined && compound.name !== name.toLowerCase()) return false
  if (compound.id !== undefined && compound.id !== attributes.id) return false
  if (compound.classes.length > 0) {
    const classes = classesOf(element)
    if (!compound.classes.every(wanted => classes.includes(wanted))) return false
  }
  for (const { name, operator, value } of compound.attributes) {
    const found = attributes[name]
    if (found === undefined || !compare(found, operator, value)) return false
  }
  if (compound.isRoot && placement.parentOf(element)) return false
  if (compound.isLink && !(/^(?:a|area)$/i.test(name) && attributes.href !== undefined)) return false
  for (const { a, b, counted } of compound.positions) {
    const steps = placement.numberOf(element, counted) - b
    if (a === 0 ? steps !== 0 : steps % a !== 0 || steps / a < 0) return false
  }
  return compound.choices.every(
    ({ isNot, selectors }) =>
      isNot !==
      selectors.some(selector => budget.left-- > 0 && matches(selector, element, placement, budget)),
  )
}

export const classesOf = ({ attributes }: XmlElement): string[] =>
  attributes.class ? attributes.class.split(/\s+/) : []

function compare(found: string, operator: string, value: string): boolean {
  switch (operator) {
    case '':
      return true
    case '=':
      return found === value
    case '~=':
      return value !== '' && found.split(/\s+/).includes(value)
    case '|=':
      return found === value || found.startsWith(`${value}-`)
    case '^=':
      return value !== '' && found.startsWith(value)
    case '$=':
      return value !== '' && found.endsWith(value)
    case '*=':
      return value !== '' && found.includes(value)
    default:
      return false
  }
}
