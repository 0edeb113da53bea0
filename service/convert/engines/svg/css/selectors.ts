/** Selectors (the parts of Selectors Level 4 that make sense in a picture without interaction). */
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { type Element, elementsOf } from '../tree.ts'
import { find, splitAt, unquoted } from './scan.ts'

type Test = (node: Element) => boolean

interface Compound {
  /** Required tag, class and id, for looking up rules quickly. */
  tag?: string
  classes: string[]
  id?: string
  tests: Test[]
}

export interface Selector {
  /** From right to left: conditions on the element itself, then on what precedes it. */
  steps: { combinator: string; compound: Compound }[]
  specificity: number
}

const CLASS = 1000
const ID = 1_000_000

/** Parses a list of selectors; those with an unknown part match nothing and are left out. */
export const parseSelectors = (text: string): Selector[] =>
  splitAt(text, ',').flatMap(part => parseSelector(part) ?? [])

function parseSelector(text: string): Selector | undefined {
  const steps: Selector['steps'] = []
  let specificity = 0
  let combinator = ''
  for (let at = 0; at < text.length; ) {
    const [gap] = /^\s*[>+~]?\s*/.exec(text.slice(at))!
    if (gap !== '') combinator = gap.trim() || ' '
    at += gap.length
    const stop = find(text, ' \t\n\r\f>+~', at)
    const parsed = parseCompound(text.slice(at, stop))
    if (!parsed) return undefined
    steps.unshift({ combinator, compound: parsed.compound })
    specificity += parsed.specificity
    combinator = ''
    at = stop
  }
  if (steps.length === 0 || combinator !== '') return undefined
  return { steps, specificity }
}

const PART =
  /^(?:\*|([\w\u0080-\uffff-]+|(?:\\.)+)|#((?:[\w\u0080-\uffff-]|\\.)+)|\.((?:[\w\u0080-\uffff-]|\\.)+)|\[([\s\S]*?)\]|::?([\w-]+))/

function parseCompound(text: string): { compound: Compound; specificity: number } | undefined {
  // A namespace before the name is irrelevant: there is only one.
  let rest = text.replace(/^[\w*]*\|(?=[\w*])/, '')
  if (rest === '') return undefined
  const compound: Compound = { classes: [], tests: [] }
  let specificity = 0
  while (rest !== '') {
    const match = PART.exec(rest)
    if (!match) return undefined
    rest = rest.slice(match[0].length)
    const [whole, tag, id, name, attribute, pseudo] = match
    if (tag !== undefined) {
      compound.tag = tag
      specificity += 1
    } else if (id !== undefined) {
      compound.id = unquoted(id)
      specificity += ID
    } else if (name !== undefined) {
      compound.classes.push(unquoted(name))
      specificity += CLASS
    } else if (attribute !== undefined) {
      compound.tests.push(attributeTest(attribute))
      specificity += CLASS
    } else if (pseudo !== undefined) {
      let argument: string | undefined
      if (rest.startsWith('(')) {
        const close = find(rest, ')', 1)
        argument = rest.slice(1, close)
        rest = rest.slice(close + 1)
      }
      if (whole.startsWith('::')) return undefined
      const found = pseudoTest(pseudo.toLowerCase(), argument)
      if (!found) return undefined
      compound.tests.push(found.test)
      specificity += found.specificity
    }
  }
  return { compound, specificity }
}

function attributeTest(text: string): Test {
  const [, rawName = '', operator, rawValue = '', flag] =
    /^\s*(?:[\w*]*\|)?([\w:-]+)\s*(?:([~|^$*]?=)\s*("[^"]*"|'[^']*'|[^\s]+)\s*([iIsS])?)?\s*$/.exec(text) ??
    []
  const name = rawName.replace('xlink:', '')
  const fold = (value: string) => (flag?.toLowerCase() === 'i' ? value.toLowerCase() : value)
  const wanted = fold(unquoted(rawValue))
  const compare: Record<string, (value: string) => boolean> = {
    '=': value => value === wanted,
    '~=': value => wanted !== '' && value.split(/\s+/).includes(wanted),
    '|=': value => value === wanted || value.startsWith(`${wanted}-`),
    '^=': value => wanted !== '' && value.startsWith(wanted),
    '$=': value => wanted !== '' && value.endsWith(wanted),
    '*=': value => wanted !== '' && value.includes(wanted),
  }
  return ({ attributes }) => {
    const value = attributes.get(name)
    return value !== undefined && (operator === undefined || compare[operator]!(fold(value)))
  }
}

/** Siblings of an element with their positions, cached while a document is matched, since every element needs them. */
let siblings = new WeakMap<Element, Map<string, { list: Element[]; places: Map<Element, number> }>>()
let stepsLeft = 0

/** Maximum number of matching steps for one document; a real drawing needs thousands. */
const STEP_LIMIT = 15_000_000

/** Must be called before matching a document, which must not change until it is finished. */
export function beginMatching(): void {
  siblings = new WeakMap()
  stepsLeft = STEP_LIMIT
}

function siblingsOf(node: Element, sameType: boolean) {
  const { parent } = node
  if (!parent) return { list: [node], places: new Map([[node, 0]]) }
  const byType = siblings.get(parent) ?? new Map<string, { list: Element[]; places: Map<Element, number> }>()
  siblings.set(parent, byType)
  const type = sameType ? node.name : ''
  const known = byType.get(type)
  if (known) return known
  const list = elementsOf(parent).filter(({ name }) => !sameType || name === node.name)
  const made = { list, places: new Map(list.map((sibling, place) => [sibling, place])) }
  byType.set(type, made)
  return made
}

/** `an+b`, `odd` and `even` over positions from 1. */
function positions(text: string): ((position: number) => boolean) | undefined {
  const plain = text.trim().toLowerCase().replace(/\s+/g, '')
  const [, a, b] =
    plain === 'odd'
      ? ['', '2', '1']
      : plain === 'even'
        ? ['', '2', '0']
        : (/^(?:([+-]?\d*)n)?([+-]?\d+)?$/.exec(plain) ?? [])
  if (a === undefined && b === undefined) return undefined
  const step = a === undefined ? 0 : a === '' || a === '+' ? 1 : a === '-' ? -1 : Number(a)
  const offset = Number(b ?? 0)
  return position =>
    step === 0 ? position === offset : (position - offset) % step === 0 && (position - offset) / step >= 0
}

function pseudoTest(
  name: string,
  argument: string | undefined,
): { test: Test; specificity: number } | undefined {
  const plain = (test: Test) => ({ test, specificity: CLASS })
  const counted = /^(?:nth|first|last|only)(?:-last)?-(child|of-type)$/.exec(name)
  if (counted) {
    const sameType = counted[1] === 'of-type'
    const isWanted = name.startsWith('nth') ? positions(argument ?? '') : (position: number) => position === 1
    if (!isWanted) return undefined
    const fromEnd = name.startsWith('last') || name.startsWith('nth-last')
    return plain(node => {
      const { list, places } = siblingsOf(node, sameType)
      if (name.startsWith('only')) return list.length === 1
      const place = places.get(node) ?? 0
      return isWanted(fromEnd ? list.length - place : place + 1)
    })
  }
  switch (name) {
    case 'root':
      return plain(node => node.parent === null)
    case 'empty':
      return plain(node => node.children.length === 0)
    case 'link':
    case 'any-link':
      return plain(node => node.name === 'a' && node.attributes.has('href'))
    case 'not':
    case 'is':
    case 'where': {
      const inner = parseSelectors(argument ?? '')
      const specificity = name === 'where' ? 0 : Math.max(0, ...inner.map(selector => selector.specificity))
      const some: Test = node => inner.some(selector => matches(selector, node))
      return { test: name === 'not' ? node => !some(node) : some, specificity }
    }
  }
  return undefined
}

function fits({ tag, id, classes, tests }: Compound, node: Element): boolean {
  if (tag !== undefined && tag !== node.name) return false
  if (id !== undefined && id !== node.attributes.get('id')) return false
  if (classes.length > 0) {
    const own = node.attributes.get('class')?.split(/\s+/) ?? []
    if (!classes.every(name => own.includes(name))) return false
  }
  return tests.every(test => test(node))
}

export const matches = ({ steps }: Selector, node: Element): boolean => matchesFrom(steps, 0, node)

function matchesFrom(steps: Selector['steps'], index: number, node: Element): boolean {
  if (--stepsLeft < 0) throw new JobFailure('jobs.too_large', message('svg.too_complex'))
  const { combinator, compound } = steps[index]!
  if (!fits(compound, node)) return false
  if (index === steps.length - 1) return true
  if (combinator === '>') return node.parent !== null && matchesFrom(steps, index + 1, node.parent)
  if (combinator === ' ') {
    for (let outer = node.parent; outer; outer = outer.parent) {
      if (matchesFrom(steps, index + 1, outer)) return true
    }
    return false
  }
  const { list, places } = siblingsOf(node, false)
  const place = places.get(node) ?? 0
  for (let before = place - 1; before >= (combinator === '+' ? Math.max(0, place - 1) : 0); before--) {
    if (matchesFrom(steps, index + 1, list[before]!)) return true
  }
  return false
}
