/** Reads presentation MathML: https://www.w3.org/TR/MathML3/chapter3.html */
import { ownValue } from '../../common/own-value.ts'
import { elementsOf, findIn, textOf, type XmlElement } from '../../common/xml/element.ts'
import type { Equation, Variant } from './model.ts'

const VARIANTS: Record<string, Variant | undefined> = {
  normal: 'plain',
  bold: 'bold',
  'bold-italic': 'bold',
  'double-struck': 'double-struck',
  script: 'script',
  fraktur: 'fraktur',
  'sans-serif': 'sans',
  monospace: 'mono',
}

const FENCES: Record<string, string> = {
  ...{ '(': ')', '[': ']', '{': '}', '⟨': '⟩', '〈': '〉' },
  ...{ '⌈': '⌉', '⌊': '⌋', '‖': '‖', '|': '|' },
}

/** Signs over or under a base that belong to it, rather than being limits. */
const BARS = new Set(['\u00af', '\u203e', '_', '\u2015', '\u0332', '\u0305'])
const MARKS = new Set([
  ...'→⏞⏟︷︸⎴⎵',
  ...'\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030c\u20d1\u20d6\u20d7',
])
/** Accents by the signs that MathML has for them. */
const ACCENTS: Record<string, string> = {
  ...{ '^': '\u0302', ˆ: '\u0302', '~': '\u0303', '˜': '\u0303', '˙': '\u0307', '.': '\u0307' },
  ...{ '¨': '\u0308', ˇ: '\u030c', '´': '\u0301', '`': '\u0300', '˘': '\u0306' },
  ...{ '→': '\u20d7', '⇀': '\u20d1', '←': '\u20d6' },
}

/** Maximum nesting; deeper parts are left out. */
const MAX_DEPTH = 60

/** @returns undefined if it is not presentation MathML */
export function readMathml(math: XmlElement): Equation | undefined {
  try {
    const equation = row(elementsOf(math), 0)
    return equation.kind === 'row' && equation.parts.length === 0 ? undefined : equation
  } catch (error) {
    if (error instanceof UnknownElement) return undefined
    throw error
  }
}

/** The TeX that a formula was made from, if it says so. */
export function texIn(math: XmlElement): string | undefined {
  const note = findIn(math, 'annotation')
  const [, wrapped] = /^\{\\(?:display|text)style (.*)\}$/s.exec(note ? textOf(note).trim() : '') ?? []
  return note?.attributes.encoding === 'application/x-tex' ? (wrapped ?? textOf(note).trim()) : undefined
}

/** A length in em. */
function widthOf(length: string): number {
  const [, number = '0', unit = ''] = /^([\d.]+)(em|ex|px|pt|in|cm|mm)?$/.exec(length.trim()) ?? []
  const units: Record<string, number> = { ex: 0.5, px: 1 / 16, pt: 1 / 12, in: 6, cm: 2.4, mm: 0.24 }
  return Number(number) * (units[unit] ?? 1)
}

class UnknownElement extends Error {}

const words = (element: XmlElement) => textOf(element).replace(/\s+/g, ' ').trim()

function row(elements: readonly XmlElement[], depth: number): Equation {
  if (depth > MAX_DEPTH) return { kind: 'row', parts: [] }
  const parts = elements.flatMap(element => one(element, depth + 1) ?? [])
  return parts.length === 1 ? parts[0]! : { kind: 'row', parts }
}

function letters(kind: 'identifier' | 'number' | 'operator', element: XmlElement): Equation | undefined {
  const text = words(element).replace(/[\u2061-\u2064]/g, '')
  const usual = kind === 'identifier' && [...text].length > 1 ? 'normal' : ''
  const variant = ownValue(VARIANTS, element.attributes.mathvariant ?? usual)
  return text === '' ? undefined : { kind, text, ...(variant && { variant }) }
}

/** An element, its children, and what reads them. */
interface Reading {
  element: XmlElement
  children: readonly XmlElement[]
  /** The child with an index. */
  child(index: number): Equation
  /** All children. */
  all(): Equation
  depth: number
}

function one(element: XmlElement, depth: number): Equation | undefined {
  const { name } = element
  if (SILENT.has(name)) return undefined
  const children = elementsOf(element)
  const all = () => row(children, depth)
  if (HOLDERS.has(name)) return all()
  const read = ownValue(READERS, name)
  if (!read) throw new UnknownElement(name)
  return read({ element, children, child: index => row(children.slice(index, index + 1), depth), all, depth })
}

/** Elements that show nothing, and those that only hold others. */
const SILENT = new Set(['none', 'mprescripts', 'annotation', 'annotation-xml', 'maligngroup', 'malignmark'])
const HOLDERS = new Set(['math', 'mstyle', 'mpadded', 'merror', 'mtd'])

const READERS: Record<string, (reading: Reading) => Equation | undefined> = {
  mi: ({ element }) => letters('identifier', element),
  mn: ({ element }) => letters('number', element),
  mo: ({ element }) => letters('operator', element),
  mtext: ({ element }) => wordsOf(textOf(element)),
  ms: ({ element }) => wordsOf(textOf(element) && `"${textOf(element)}"`),
  mspace: ({ element }) => {
    const width = widthOf(element.attributes.width ?? '')
    return width > 0 ? { kind: 'space', width } : undefined
  },
  mrow: ({ children, all, depth }) => fenced(children, depth) ?? all(),
  menclose: ({ element, all }) =>
    /\bbox\b/.test(element.attributes.notation ?? '') ? { kind: 'box', body: all() } : all(),
  semantics: ({ child }) => child(0),
  maction: ({ child }) => child(0),
  mphantom: ({ all }) => ({ kind: 'phantom', body: all() }),
  mfrac: ({ element: { attributes }, child }) => {
    const [bar, sloped] = [!/^0/.test(attributes.linethickness ?? ''), attributes.bevelled === 'true']
    return { kind: 'fraction', over: child(0), under: child(1), bar, sloped }
  },
  msqrt: ({ all }) => ({ kind: 'root', body: all() }),
  mroot: ({ child }) => ({ kind: 'root', body: child(0), degree: child(1) }),
  msub: ({ child }) => ({ kind: 'scripts', base: child(0), sub: child(1) }),
  msup: ({ child }) => ({ kind: 'scripts', base: child(0), sup: child(1) }),
  msubsup: ({ child }) => ({ kind: 'scripts', base: child(0), sub: child(1), sup: child(2) }),
  munder: ({ children, child, depth }) => marked(true, child(0), children[1], depth),
  mover: ({ children, child, depth }) => marked(false, child(0), children[1], depth),
  munderover: ({ child }) => ({ kind: 'limits', base: child(0), under: child(1), over: child(2) }),
  mmultiscripts: ({ children, depth }) => withScripts(children, depth),
  mfenced: ({ element, children, child }) => {
    const { open = '(', close = ')', separators = ',' } = element.attributes
    const parts = children.map((_, index) => child(index))
    return { kind: 'fence', open, close, separator: separators.trim().slice(0, 1), parts }
  },
  mtable: ({ element, children, depth }) => {
    const rows = children.map(line => {
      const cells = elementsOf(line).map(cell => row([cell], depth))
      // The number of an equation stands before its cells.
      return line.name === 'mlabeledtr' ? cells.slice(1) : cells
    })
    const aligned = (element.attributes.columnalign ?? '')
      .split(/\s+/)
      .filter(name => /^(?:left|right|center)$/.test(name))
    const count = Math.max(0, ...rows.map(cells => cells.length))
    if (!aligned.some(name => name !== 'center')) return { kind: 'matrix', rows }
    // The last alignment holds for all further columns.
    const columns = Array.from({ length: count }, (_, at) => aligned[at] ?? aligned.at(-1)!)
    return { kind: 'matrix', rows, columns }
  },
}

const wordsOf = (text: string): Equation | undefined =>
  text === '' ? undefined : { kind: 'words', text: text.replace(/\s+/g, ' ') }

/** A row between matching delimiters. */
function fenced(children: readonly XmlElement[], depth: number): Equation | undefined {
  const [first, last] = [children[0], children.at(-1)]
  if (children.length < 3 || first?.name !== 'mo' || last?.name !== 'mo') return undefined
  const [open, close] = [words(first), words(last)]
  const inner = children.slice(1, -1)
  if (ownValue(FENCES, open) !== close || inner.some(each => words(each) === close)) return undefined
  return { kind: 'fence', open, close, separator: '', parts: [row(inner, depth)] }
}

function marked(below: boolean, base: Equation, sign: XmlElement | undefined, depth: number): Equation {
  const written = sign?.name === 'mo' ? words(sign) : ''
  const mark = below ? written : (ownValue(ACCENTS, written) ?? written)
  if (BARS.has(mark)) return { kind: 'accent', mark: '¯', body: base, below }
  if (MARKS.has(mark)) return { kind: 'accent', mark, body: base, below }
  const limit = row(sign ? [sign] : [], depth)
  return below ? { kind: 'limits', base, under: limit } : { kind: 'limits', base, over: limit }
}

/** A base with scripts after and before it. */
function withScripts([base, ...rest]: readonly XmlElement[], depth: number): Equation {
  const before = rest.findIndex(({ name }) => name === 'mprescripts')
  const pairs = (list: readonly XmlElement[]) =>
    Array.from({ length: Math.ceil(list.length / 2) }, (_, at) =>
      list.slice(2 * at, 2 * at + 2).map(each => row([each], depth)),
    )
  const none: Equation = { kind: 'row', parts: [] }
  let equation = row(base ? [base] : [], depth)
  for (const [sub, sup] of pairs(before < 0 ? rest : rest.slice(0, before)))
    equation = { kind: 'scripts', base: equation, sub, sup }
  for (const [sub = none, sup = none] of before < 0 ? [] : pairs(rest.slice(before + 1)))
    equation = { kind: 'prescripts', base: equation, sub, sup }
  return equation
}
