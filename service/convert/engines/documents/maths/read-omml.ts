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

function partOf(element: XmlElement, depth: number): Equation | Equation[] | undefined {
  const part = (name: string) => rowOf(childOf(element, name), depth)
  const some = (name: string) => {
    const equation = part(name)
    return isEmpty(equation) ? undefined : equation
  }
  switch (element.name) {
    case 'm:r':
      return runOf(element)
    case 'm:f': {
      const type = settingOf(childOf(element, 'm:fPr'), 'm:type')
      const sloped = type === 'lin' || type === 'skw'
      return { kind: 'fraction', over: part('m:num'), under: part('m:den'), bar: type !== 'noBar', sloped }
    }
    case 'm:sSup':
      return { kind: 'scripts', base: part('m:e'), sup: part('m:sup') }
    case 'm:sSub':
      return { kind: 'scripts', base: part('m:e'), sub: part('m:sub') }
    case 'm:sSubSup':
      return { kind: 'scripts', base: part('m:e'), sub: part('m:sub'), sup: part('m:sup') }
    case 'm:sPre':
      return { kind: 'prescripts', base: part('m:e'), sub: part('m:sub'), sup: part('m:sup') }
    case 'm:rad':
      return { kind: 'root', body: part('m:e'), degree: some('m:deg') }
    case 'm:nary': {
      const properties = childOf(element, 'm:naryPr')
      const base: Equation = { kind: 'operator', text: settingOf(properties, 'm:chr') ?? '∫' }
      const isBeside = (settingOf(properties, 'm:limLoc') ?? 'subSup') === 'subSup'
      const [sub, sup] = [some('m:sub'), some('m:sup')]
      const sign: Equation = isBeside
        ? { kind: 'scripts', base, sub, sup }
        : { kind: 'limits', base, under: sub, over: sup }
      return [sub || sup ? sign : base, part('m:e')]
    }
    case 'm:d': {
      const properties = childOf(element, 'm:dPr')
      return {
        kind: 'fence',
        open: settingOf(properties, 'm:begChr') ?? '(',
        close: settingOf(properties, 'm:endChr') ?? ')',
        separator: settingOf(properties, 'm:sepChr') ?? '|',
        parts: childrenOf(element, 'm:e').map(child => rowOf(child, depth)),
      }
    }
    case 'm:m':
      return {
        kind: 'matrix',
        rows: childrenOf(element, 'm:mr').map(row => childrenOf(row, 'm:e').map(cell => rowOf(cell, depth))),
      }
    case 'm:eqArr':
      return { kind: 'lines', rows: childrenOf(element, 'm:e').map(row => rowOf(row, depth)) }
    case 'm:func':
      return [part('m:fName'), part('m:e')]
    case 'm:acc':
      return {
        kind: 'accent',
        mark: settingOf(childOf(element, 'm:accPr'), 'm:chr') ?? '\u0302',
        body: part('m:e'),
        below: false,
      }
    case 'm:bar': {
      const below = (settingOf(childOf(element, 'm:barPr'), 'm:pos') ?? 'bot') === 'bot'
      return { kind: 'accent', mark: '¯', body: part('m:e'), below }
    }
    case 'm:groupChr': {
      const properties = childOf(element, 'm:groupChrPr')
      const below = (settingOf(properties, 'm:pos') ?? 'bot') === 'bot'
      return { kind: 'accent', mark: settingOf(properties, 'm:chr') ?? '⏟', body: part('m:e'), below }
    }
    case 'm:limLow':
      return { kind: 'limits', base: part('m:e'), under: part('m:lim') }
    case 'm:limUpp':
      return { kind: 'limits', base: part('m:e'), over: part('m:lim') }
    case 'm:borderBox':
      return { kind: 'box', body: part('m:e') }
    case 'm:phant':
      return isOn(childOf(element, 'm:phantPr'), 'm:show') ||
        !childOf(childOf(element, 'm:phantPr'), 'm:show')
        ? part('m:e')
        : undefined
    case 'm:box':
    case 'm:e':
      return element.name === 'm:box' ? part('m:e') : rowOf(element, depth)
    case 'm:oMath':
    case 'w:ins':
    case 'w:smartTag':
    case 'w:hyperlink':
      return rowOf(element, depth)
    case 'w:r': {
      const text = textOf(childOf(element, 'w:t'))
      return text ? { kind: 'words', text } : undefined
    }
    default:
      return undefined
  }
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
