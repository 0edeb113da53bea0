import { type CssNode, ident, string } from 'css-tree'
import type { XmlElement } from '../../formats/xml.ts'

/** A compound selector: the conditions for a single element. */
interface Compound {
  name: string | undefined
  id: string | undefined
  classes: string[]
  attributes: { name: string; operator: string; value: string }[]
  pseudos: ('first-child' | 'last-child' | 'only-child' | 'root')[]
  nots: Compound[]
}

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
  isLast(element: XmlElement): boolean
}

const pseudoClasses = new Set(['first-child', 'last-child', 'only-child', 'root'])
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
  const counts = [0, 0, 0]
  for (const node of nodes) {
    if (node.type === 'Combinator') {
      combinators.push(node.name.trim() || ' ')
      compounds.push(emptyCompound())
      if (compounds.length > MAX_PARTS) return undefined
    } else if (!addTo(compounds.at(-1)!, node, counts)) return undefined
  }
  const [subject, ...before] = compounds.reverse()
  combinators.reverse()
  return {
    subject: subject!,
    before: before.map((compound, index) => ({ combinator: combinators[index]!, compound })),
    specificity: counts[0]! * 10_000 + counts[1]! * 100 + counts[2]!,
  }
}

const emptyCompound = (): Compound => ({
  name: undefined,
  id: undefined,
  classes: [],
  attributes: [],
  pseudos: [],
  nots: [],
})

/** @returns false if the part is not supported */
function addTo(compound: Compound, node: CssNode, counts: number[]): boolean {
  switch (node.type) {
    case 'TypeSelector': {
      const name = ident.decode(node.name).replace(/^.*\|/, '').toLowerCase()
      if (name === '*') return true
      compound.name = name
      counts[2]!++
      return true
    }
    case 'IdSelector':
      compound.id = ident.decode(node.name)
      counts[0]!++
      return true
    case 'ClassSelector':
      compound.classes.push(ident.decode(node.name))
      counts[1]!++
      return true
    case 'AttributeSelector': {
      const value = node.value === null ? '' : decoded(node.value)
      const name = ident.decode(node.name.name).replace('|', ':')
      compound.attributes.push({ name, operator: node.matcher ?? '', value })
      counts[1]!++
      return true
    }
    case 'PseudoClassSelector':
      return addPseudo(compound, node, counts)
    default:
      return false
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
  counts: number[],
): boolean {
  const name = node.name.toLowerCase()
  if (pseudoClasses.has(name)) {
    compound.pseudos.push(name as Compound['pseudos'][number])
    counts[1]!++
    return true
  }
  const list = node.children?.first
  if (name !== 'not' || list?.type !== 'SelectorList') return false
  for (const selector of list.children) {
    if (selector.type !== 'Selector') return false
    const inner = emptyCompound()
    for (const part of selector.children) {
      if (part.type === 'PseudoClassSelector' || !addTo(inner, part, counts)) return false
    }
    compound.nots.push(inner)
  }
  return true
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
  return matchesCompound(subject, element, placement) && matchesBefore(before, 0, element, placement, budget)
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
      matchesCompound(compound, other, placement) &&
      matchesBefore(before, from + 1, other, placement, budget)
    ) {
      return true
    }
    if (!repeats) return false
  }
  return false
}

function matchesCompound(compound: Compound, element: XmlElement, placement: Placement): boolean {
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
  for (const pseudo of compound.pseudos) {
    if (pseudo === 'root' && placement.parentOf(element)) return false
    if (pseudo !== 'root' && pseudo !== 'last-child' && placement.previousOf(element)) return false
    if ((pseudo === 'last-child' || pseudo === 'only-child') && !placement.isLast(element)) return false
  }
  return !compound.nots.some(not => matchesCompound(not, element, placement))
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
