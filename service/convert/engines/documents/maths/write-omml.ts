/** Writes formulas in Office MathML: ECMA-376 part 1, 22.1. */
import { escapeXml } from '../../common/xml/characters.ts'
import type { Equation, Variant } from './model.ts'

const NARY = /^[∑∏∐∫∬∭∮∯∰⋀⋁⋂⋃⨀⨁⨂⨄⨆]$/
const INTEGRAL = /^[∫∬∭∮∯∰]$/

const styles: Record<Variant, string> = {
  plain: '<m:sty m:val="p"/>',
  bold: '<m:sty m:val="b"/>',
  'double-struck': '<m:scr m:val="double-struck"/><m:sty m:val="p"/>',
  script: '<m:scr m:val="script"/>',
  fraktur: '<m:scr m:val="fraktur"/>',
  sans: '<m:scr m:val="sans-serif"/><m:sty m:val="p"/>',
  mono: '<m:scr m:val="monospace"/><m:sty m:val="p"/>',
}

/** The content of `m:oMath`. */
export const ommlOf = (equation: Equation): string =>
  equation.kind === 'row' ? row(equation.parts) : one(equation)

const run = (text: string, look = '') =>
  text === ''
    ? ''
    : `<m:r>${look && `<m:rPr>${look}</m:rPr>`}<m:t xml:space="preserve">${escapeXml(text)}</m:t></m:r>`
const wrapped = (name: string, content: string) => `<m:${name}>${content}</m:${name}>`
const part = (name: string, equation: Equation | undefined) => wrapped(name, equation ? ommlOf(equation) : '')
const value = (name: string, text: string) => `<m:${name} m:val="${escapeXml(text)}"/>`

function row(parts: readonly Equation[]): string {
  let xml = ''
  for (let at = 0; at < parts.length; at++) {
    const sum = nary(parts[at]!)
    if (!sum) {
      xml += one(parts[at]!)
      continue
    }
    // A large operator takes the following part as its operand.
    const next = parts[at + 1]
    const isOf = next && !(next.kind === 'operator' && /^[=<>≤≥,;)\]}]$/.test(next.text))
    xml += sum(isOf ? ommlOf(next) : '')
    if (isOf) at++
  }
  return xml
}

/** A large operator with its limits. */
function nary(equation: Equation): ((of: string) => string) | undefined {
  if (equation.kind !== 'scripts' && equation.kind !== 'limits') return undefined
  const { base } = equation
  if (base.kind !== 'operator' || !NARY.test(base.text)) return undefined
  const [lower, upper] =
    equation.kind === 'scripts' ? [equation.sub, equation.sup] : [equation.under, equation.over]
  const place = equation.kind === 'limits' && !INTEGRAL.test(base.text) ? 'undOvr' : 'subSup'
  const hidden = `${lower ? '' : value('subHide', '1')}${upper ? '' : value('supHide', '1')}`
  const look = wrapped('naryPr', value('chr', base.text) + value('limLoc', place) + hidden)
  return of => wrapped('nary', look + part('sub', lower) + part('sup', upper) + wrapped('e', of))
}

function one(equation: Equation): string {
  switch (equation.kind) {
    case 'row':
      return row(equation.parts)
    case 'identifier':
    case 'number':
    case 'operator':
      return run(equation.text, equation.variant && styles[equation.variant])
    case 'words':
      return run(equation.text, '<m:nor/>')
    case 'space':
      return run(' ')
    case 'fraction': {
      const type = equation.bar ? (equation.sloped ? 'skw' : '') : 'noBar'
      const look = type && wrapped('fPr', value('type', type))
      return wrapped('f', look + part('num', equation.over) + part('den', equation.under))
    }
    case 'scripts': {
      const { base, sub, sup } = equation
      const both = sub && sup ? 'sSubSup' : sub ? 'sSub' : 'sSup'
      const scripts = (sub ? part('sub', sub) : '') + (sup || !sub ? part('sup', sup) : '')
      return nary(equation)?.('') ?? wrapped(both, part('e', base) + scripts)
    }
    case 'limits': {
      const { base, under, over } = equation
      const low = under ? wrapped('limLow', part('e', base) + part('lim', under)) : ommlOf(base)
      return nary(equation)?.('') ?? (over ? wrapped('limUpp', wrapped('e', low) + part('lim', over)) : low)
    }
    case 'prescripts':
      return wrapped('sPre', part('sub', equation.sub) + part('sup', equation.sup) + part('e', equation.base))
    case 'root':
      return equation.degree
        ? wrapped('rad', part('deg', equation.degree) + part('e', equation.body))
        : wrapped('rad', `<m:radPr>${value('degHide', '1')}</m:radPr><m:deg/>${part('e', equation.body)}`)
    case 'fence': {
      const separator = equation.separator && value('sepChr', equation.separator)
      const look = wrapped(
        'dPr',
        value('begChr', equation.open) + separator + value('endChr', equation.close),
      )
      return wrapped('d', look + equation.parts.map(each => part('e', each)).join(''))
    }
    case 'matrix':
      return wrapped(
        'm',
        equation.rows.map(cells => wrapped('mr', cells.map(cell => part('e', cell)).join(''))).join(''),
      )
    case 'lines':
      return wrapped('eqArr', equation.rows.map(line => part('e', line)).join(''))
    case 'accent':
      return accent(equation)
    case 'box':
      return wrapped('borderBox', part('e', equation.body))
    case 'phantom':
      return wrapped('phant', wrapped('phantPr', value('show', '0')) + part('e', equation.body))
  }
}

function accent({ mark, body, below }: Extract<Equation, { kind: 'accent' }>): string {
  const place = value('pos', below ? 'bot' : 'top')
  if (mark === '¯') return wrapped('bar', wrapped('barPr', place) + part('e', body))
  const isCombining = /^\p{M}$/u.test(mark)
  if (!isCombining || below)
    return wrapped('groupChr', wrapped('groupChrPr', value('chr', mark) + place) + part('e', body))
  return wrapped('acc', wrapped('accPr', value('chr', mark)) + part('e', body))
}
