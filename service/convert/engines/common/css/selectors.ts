/** Selectors (the parts of Selectors Level 4 that make sense without interaction). */
import { type AnPlusB, type CssNode, type Identifier, ident } from 'css-tree'
import type { CssPosition } from './places.ts'

type Test = (place: CssPosition, budget: Budget) => boolean

/** Limits comparisons, so that a style sheet cannot take forever. */
export interface Budget {
  left: number
  /** Called when nothing is left; nothing matches any more unless it throws. */
  exceeded(): false
}

/** The conditions for a single element; name, classes and id are apart for looking up rules quickly. */
interface Compound {
  /** In lower case. */
  name?: string
  id?: string
  classes: string[]
  tests: Test[]
}

export interface Selector {
  subject: Compound
  /** What precedes the subject, from right to left, with the combinator that follows it. */
  before: { combinator: string; compound: Compound }[]
  specificity: number
}

const [OF_ID, OF_CLASS, OF_TYPE] = [1_000_000, 1000, 1]
const MAX_PARTS = 30

/** The selectors of a rule. Those with an unsupported part are left out, as readers ignore them too. */
export function readSelectors(prelude: CssNode): Selector[] {
  if (prelude.type !== 'SelectorList') return []
  return [...prelude.children].flatMap(node =>
    node.type === 'Selector' ? (readSelector([...node.children]) ?? []) : [],
  )
}

function readSelector(nodes: CssNode[]): Selector | undefined {
  let subject: Compound = { classes: [], tests: [] }
  const before: Selector['before'] = []
  let specificity = 0
  for (const node of nodes) {
    if (node.type === 'Combinator') {
      before.unshift({ combinator: node.name.trim() || ' ', compound: subject })
      subject = { classes: [], tests: [] }
      if (before.length > MAX_PARTS) return undefined
    } else {
      const added = addTo(subject, node)
      if (added === undefined) return undefined
      specificity += added
    }
  }
  return { subject, before, specificity }
}

/** @returns what it adds to the specificity; undefined if the part is not supported */
function addTo(compound: Compound, node: CssNode): number | undefined {
  switch (node.type) {
    case 'TypeSelector': {
      // Documents give no two names the same meaning in different namespaces.
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
    case 'AttributeSelector':
      compound.tests.push(attributeTest(node))
      return OF_CLASS
    case 'PseudoClassSelector': {
      const found = pseudoTest(node)
      if (found) compound.tests.push(found.test)
      return found?.specificity
    }
    default:
      return undefined
  }
}

function attributeTest(node: Extract<CssNode, { type: 'AttributeSelector' }>): Test {
  const name = ident
    .decode(node.name.name)
    .replace(/^\*?\|/, '')
    .replace('|', ':')
  const { value, matcher, flags } = node
  const fold = (text: string) => (flags?.toLowerCase() === 'i' ? text.toLowerCase() : text)
  const wanted = fold(value === null ? '' : value.type === 'String' ? value.value : ident.decode(value.name))
  return ({ attribute }) => {
    // The tree of an SVG document has links without a prefix.
    const found = attribute(name) ?? (name === 'xlink:href' ? attribute('href') : undefined)
    return found !== undefined && (matcher === null || compare(fold(found), matcher, wanted))
  }
}

function compare(found: string, matcher: string, wanted: string): boolean {
  switch (matcher) {
    case '=':
      return found === wanted
    case '|=':
      return found === wanted || found.startsWith(`${wanted}-`)
    case '~=':
      return wanted !== '' && found.split(/\s+/).includes(wanted)
    case '^=':
      return wanted !== '' && found.startsWith(wanted)
    case '$=':
      return wanted !== '' && found.endsWith(wanted)
    default:
      return wanted !== '' && found.includes(wanted)
  }
}

const isLink: Test = ({ name, attribute }) => /^(?:a|area)$/.test(name) && attribute('href') !== undefined

const simple = new Map<string, Test>([
  ['root', ({ parent }) => parent === undefined],
  ['empty', ({ isEmpty }) => isEmpty],
  ['link', isLink],
  ['any-link', isLink],
])

/** States of elements that nobody touches. */
const INTERACTION = /^(?:hover|active|visited|target|focus(?:-within|-visible)?)$/

function pseudoTest(
  node: Extract<CssNode, { type: 'PseudoClassSelector' }>,
): { test: Test; specificity: number } | undefined {
  const name = node.name.toLowerCase()
  const argument = node.children?.first
  const plain = (test: Test) => ({ test, specificity: OF_CLASS })
  if (INTERACTION.test(name)) return plain(() => false)
  const known = simple.get(name)
  if (known) return plain(known)
  const [, which, sameType] = /^(nth|nth-last|first|last|only)-(?:child|(of-type))$/.exec(name) ?? []
  if (which) {
    const nth = argument?.type === 'Nth' && !argument.selector ? stepsOf(argument.nth) : undefined
    if (which.startsWith('nth') && !nth) return undefined
    const { a, b } = nth ?? { a: 0, b: 1 }
    return plain(place => {
      const [fromStart, fromEnd] = sameType ? place.ofType : place.ofAll
      if (which === 'only') return fromStart === 1 && fromEnd === 1
      const steps = (which.endsWith('last') ? fromEnd : fromStart) - b
      return a === 0 ? steps === 0 : steps % a === 0 && steps / a >= 0
    })
  }
  if (argument?.type !== 'SelectorList' || !/^(?:is|where|not)$/.test(name)) return undefined
  const selectors = readSelectors(argument)
  const isNot = name === 'not'
  // One unsupported selector makes all of `:not` unsupported; `:is` and `:where` ignore it.
  if (isNot && selectors.length < argument.children.size) return undefined
  return {
    test: (place, budget) => isNot !== selectors.some(selector => matches(selector, place, budget)),
    specificity: name === 'where' ? 0 : Math.max(0, ...selectors.map(({ specificity }) => specificity)),
  }
}

/** The numbers of `an + b`. */
function stepsOf(nth: AnPlusB | Identifier): { a: number; b: number } {
  if (nth.type === 'Identifier') return { a: 2, b: nth.name.toLowerCase() === 'odd' ? 1 : 0 }
  const step = nth.a === '-' || nth.a === '+' ? `${nth.a}1` : nth.a
  return { a: Number(step ?? 0), b: Number(nth.b ?? 0) }
}

/** Whether a selector matches an element. */
export const matches = ({ subject, before }: Selector, place: CssPosition, budget: Budget): boolean =>
  fits(subject, place, budget) && matchesBefore(before, 0, place, budget)

function matchesBefore(
  before: Selector['before'],
  from: number,
  place: CssPosition,
  budget: Budget,
): boolean {
  const step = before[from]
  if (!step) return true
  const { combinator, compound } = step
  const next = combinator === '+' || combinator === '~' ? 'previous' : 'parent'
  const repeats = combinator === ' ' || combinator === '~'
  for (let other = place[next]; other; other = other[next]) {
    if (fits(compound, other, budget) && matchesBefore(before, from + 1, other, budget)) return true
    if (!repeats || budget.left < 0) return false
  }
  return false
}

function fits({ name, id, classes, tests }: Compound, place: CssPosition, budget: Budget): boolean {
  if (--budget.left < 0) return budget.exceeded()
  if (name !== undefined && name !== place.name) return false
  if (id !== undefined && id !== place.attribute('id')) return false
  return classes.every(wanted => place.classes.includes(wanted)) && tests.every(test => test(place, budget))
}
