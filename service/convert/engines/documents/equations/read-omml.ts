import { ownValue } from '../../common/own-value.ts'
import { childOf, childrenOf, elementsOf, textOf, type XmlElement } from '../../common/xml/element.ts'

import type { Equation, Variant } from './model.ts'

/** Maximum nesting; deeper parts are left out. */
const MAX_DEPTH = 60

/** Reads a Word formula: an `m:oMath` element (ECMA-376 part 1, 22.1). */
export const readOmml = (formula: XmlElement): Equation => rowOf(formula, 0)

function rowOf(element: XmlElement | undefined, depth: number): Equation {
  if (depth > MAX_DEPTH) return { kind: 'row', parts: [] }
  const parts = elementsOf(element).flatMap(child => partOf(child, depth + 1) ?? [])
  return parts.length === 1 ? parts[0]! : { kind: 'row', parts }
}

const settingOf = (element: XmlElement | undefined, name: string): string | undefined =>
  childOf(element, name)?.attributes['m:val']

const isOn = (element: XmlElement | undefined, name: string) => {
  const found = childOf(element, name)
  return found !== undefined && !/^(?:0|off|false)$/.test(found.attributes['m:val'] ?? '')
}

const isEmpty = (equation: Equation) => equation.kind === 'row' && equation.parts.length === 0

/** An element, and what reads those in it. */
interface Reading {
  element: XmlElement
  part(name: string): Equation
  /** Undefined if it is empty. */
  some(name: string): Equation | undefined
  /** Each of that name, of the element or of one in it. */
  each(name: string, outer?: XmlElement): Equation[]
}

function partOf(element: XmlElement, depth: number): Equation | Equation[] | undefined {
  const part = (name: string) => rowOf(childOf(element, name), depth)
  const some = (name: string) => {
    const equation = part(name)
    return isEmpty(equation) ? undefined : equation
  }
  const each = (name: string, outer = element) => childrenOf(outer, name).map(child => rowOf(child, depth))
  if (HOLDERS.has(element.name)) return rowOf(element, depth)
  return ownValue(PARTS, element.name)?.({ element, part, some, each })
}

/** Elements that only hold others. */
const HOLDERS = new Set(['m:e', 'm:oMath', 'w:ins', 'w:smartTag', 'w:hyperlink'])

const PARTS: Record<string, (reading: Reading) => Equation | Equation[] | undefined> = {
  'm:r': ({ element }) => runOf(element),
  'm:f': ({ element, part }) => {
    const type = settingOf(childOf(element, 'm:fPr'), 'm:type')
    const sloped = type === 'lin' || type === 'skw'
    return { kind: 'fraction', over: part('m:num'), under: part('m:den'), bar: type !== 'noBar', sloped }
  },
  'm:sSup': ({ part }) => ({ kind: 'scripts', base: part('m:e'), sup: part('m:sup') }),
  'm:sSub': ({ part }) => ({ kind: 'scripts', base: part('m:e'), sub: part('m:sub') }),
  'm:sSubSup': ({ part }) => ({ kind: 'scripts', base: part('m:e'), sub: part('m:sub'), sup: part('m:sup') }),
  'm:sPre': ({ part }) => ({ kind: 'prescripts', base: part('m:e'), sub: part('m:sub'), sup: part('m:sup') }),
  'm:rad': ({ part, some }) => ({ kind: 'root', body: part('m:e'), degree: some('m:deg') }),
  'm:nary': ({ element, part, some }) => {
    const properties = childOf(element, 'm:naryPr')
    const base: Equation = { kind: 'operator', text: settingOf(properties, 'm:chr') ?? '∫' }
    const isBeside = (settingOf(properties, 'm:limLoc') ?? 'subSup') === 'subSup'
    const [sub, sup] = [some('m:sub'), some('m:sup')]
    const sign: Equation = isBeside
      ? { kind: 'scripts', base, sub, sup }
      : { kind: 'limits', base, under: sub, over: sup }
    return [sub || sup ? sign : base, part('m:e')]
  },
  'm:d': ({ element, each }) => {
    const setting = (name: string) => settingOf(childOf(element, 'm:dPr'), name)
    const [open, close] = [setting('m:begChr') ?? '(', setting('m:endChr') ?? ')']
    return { kind: 'fence', open, close, separator: setting('m:sepChr') ?? '|', parts: each('m:e') }
  },
  'm:m': ({ element, each }) => ({
    kind: 'matrix',
    rows: childrenOf(element, 'm:mr').map(row => each('m:e', row)),
  }),
  'm:eqArr': ({ each }) => ({ kind: 'lines', rows: each('m:e') }),
  'm:func': ({ part }) => [part('m:fName'), part('m:e')],
  'm:acc': ({ element, part }) => {
    const mark = settingOf(childOf(element, 'm:accPr'), 'm:chr') ?? '\u0302'
    return { kind: 'accent', mark, body: part('m:e'), below: false }
  },
  'm:bar': ({ element, part }) => {
    const below = (settingOf(childOf(element, 'm:barPr'), 'm:pos') ?? 'bot') === 'bot'
    return { kind: 'accent', mark: '¯', body: part('m:e'), below }
  },
  'm:groupChr': ({ element, part }) => {
    const properties = childOf(element, 'm:groupChrPr')
    const below = (settingOf(properties, 'm:pos') ?? 'bot') === 'bot'
    return { kind: 'accent', mark: settingOf(properties, 'm:chr') ?? '⏟', body: part('m:e'), below }
  },
  'm:limLow': ({ part }) => ({ kind: 'limits', base: part('m:e'), under: part('m:lim') }),
  'm:limUpp': ({ part }) => ({ kind: 'limits', base: part('m:e'), over: part('m:lim') }),
  'm:borderBox': ({ part }) => ({ kind: 'box', body: part('m:e') }),
  'm:phant': ({ element, part }) => {
    const properties = childOf(element, 'm:phantPr')
    return isOn(properties, 'm:show') || !childOf(properties, 'm:show') ? part('m:e') : undefined
  },
  'm:box': ({ part }) => part('m:e'),
  'w:r': ({ element }) => {
    const text = textOf(childOf(element, 'w:t'))
    return text ? { kind: 'words', text } : undefined
  },
}

const scripts: Record<string, Variant> = {
  script: 'script',
  fraktur: 'fraktur',
  'double-struck': 'double-struck',
  'sans-serif': 'sans',
  monospace: 'mono',
}

function runOf(run: XmlElement): Equation[] {
  const properties = childOf(run, 'm:rPr')
  const text = childrenOf(run, 'm:t').map(textOf).join('')
  if (isOn(properties, 'm:nor')) return text === '' ? [] : [{ kind: 'words', text }]
  const style = settingOf(properties, 'm:sty')
  const variant =
    ownValue(scripts, settingOf(properties, 'm:scr') ?? '') ??
    (style === 'p' ? 'plain' : style === 'b' || style === 'bi' ? 'bold' : undefined)
  // Function names are kept whole; any other letter is an identifier by itself.
  const pattern =
    variant === 'plain' ? /\d+(?:[.,]\d+)*|\p{L}\p{M}*(?:[a-zA-Z]*)|\S/gu : /\d+(?:[.,]\d+)*|\p{L}\p{M}*|\S/gu
  return [...text.normalize('NFC').matchAll(pattern)].map(([part]) => {
    if (/^\d/.test(part))
      return { kind: 'number', text: part, variant: variant === 'plain' ? undefined : variant }
    return { kind: /^\p{L}/u.test(part) ? 'identifier' : 'operator', text: part, variant }
  })
}
