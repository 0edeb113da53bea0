/** Writes formulas in Office MathML: ECMA-376 part 1, 22.1. */
import { type ByKind, byKind } from '../../common/by-kind.ts'
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

const one = (equation: Equation): string => byKind(ELEMENTS, equation)

const letters = ({ text, variant }: { text: string; variant?: Variant | undefined }) =>
  run(text, variant && styles[variant])

const ELEMENTS: ByKind<Equation, string> = {
  row: ({ parts }) => row(parts),
  identifier: letters,
  number: letters,
  operator: letters,
  words: ({ text }) => run(text, '<m:nor/>'),
  space: () => run(' '),
  fraction: ({ over, under, bar, sloped }) => {
    const type = bar ? (sloped ? 'skw' : '') : 'noBar'
    const look = type && wrapped('fPr', value('type', type))
    return wrapped('f', look + part('num', over) + part('den', under))
  },
  scripts: equation => {
    const { base, sub, sup } = equation
    const both = sub && sup ? 'sSubSup' : sub ? 'sSub' : 'sSup'
    const scripts = (sub ? part('sub', sub) : '') + (sup || !sub ? part('sup', sup) : '')
    return nary(equation)?.('') ?? wrapped(both, part('e', base) + scripts)
  },
  limits: equation => {
    const { base, under, over } = equation
    const low = under ? wrapped('limLow', part('e', base) + part('lim', under)) : ommlOf(base)
    return nary(equation)?.('') ?? (over ? wrapped('limUpp', wrapped('e', low) + part('lim', over)) : low)
  },
  prescripts: ({ base, sub, sup }) => wrapped('sPre', part('sub', sub) + part('sup', sup) + part('e', base)),
  root: ({ body, degree }) =>
    degree
      ? wrapped('rad', part('deg', degree) + part('e', body))
      : wrapped('rad', `<m:radPr>${value('degHide', '1')}</m:radPr><m:deg/>${part('e', body)}`),
  fence: ({ open, close, separator, parts }) => {
    const between = separator && value('sepChr', separator)
    const look = wrapped('dPr', value('begChr', open) + between + value('endChr', close))
    return wrapped('d', look + parts.map(each => part('e', each)).join(''))
  },
  matrix: ({ rows }) =>
    wrapped('m', rows.map(cells => wrapped('mr', cells.map(cell => part('e', cell)).join(''))).join('')),
  lines: ({ rows }) => wrapped('eqArr', rows.map(line => part('e', line)).join('')),
  accent,
  box: ({ body }) => wrapped('borderBox', part('e', body)),
  phantom: ({ body }) => wrapped('phant', wrapped('phantPr', value('show', '0')) + part('e', body)),
}

function accent({ mark, body, below }: Extract<Equation, { kind: 'accent' }>): string {
  const place = value('pos', below ? 'bot' : 'top')
  if (mark === '¯') return wrapped('bar', wrapped('barPr', place) + part('e', body))
  const isCombining = /^\p{M}$/u.test(mark)
  if (!isCombining || below)
    return wrapped('groupChr', wrapped('groupChrPr', value('chr', mark) + place) + part('e', body))
  return wrapped('acc', wrapped('accPr', value('chr', mark)) + part('e', body))
}
