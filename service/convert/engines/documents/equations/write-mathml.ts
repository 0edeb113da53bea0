import { type ByKind, byKind } from '../../common/by-kind.ts'
import { escapeXml } from '../../common/xml/characters.ts'
import type { Equation, Variant } from './model.ts'

const variants = {
  plain: 'normal',
  bold: 'bold',
  script: 'script',
  fraktur: 'fraktur',
  'double-struck': 'double-struck',
  sans: 'sans-serif',
  mono: 'monospace',
} as const

/** A formula in presentation MathML 3 (https://www.w3.org/TR/MathML3/), with its LaTeX for readers that cannot show it. */
export function mathmlOf(equation: Equation, display: boolean, latex: string): string {
  return `<math xmlns="http://www.w3.org/1998/Math/MathML" display="${display ? 'block' : 'inline'}" alttext="${escapeXml(latex)}">${row(equation)}</math>`
}

/** Content as exactly one element. */
function row(equation: Equation): string {
  return equation.kind === 'row' ? `<mrow>${equation.parts.map(element).join('')}</mrow>` : element(equation)
}

const element = (equation: Equation): string => byKind(ELEMENTS, equation)

const ELEMENTS: ByKind<Equation, string> = {
  row,
  identifier: ({ text, variant }) => `<mi${look(variant)}>${escapeXml(text)}</mi>`,
  number: ({ text, variant }) => `<mn${look(variant)}>${escapeXml(text)}</mn>`,
  operator: ({ text }) => `<mo>${escapeXml(text)}</mo>`,
  words: ({ text }) => `<mtext>${escapeXml(text.replace(/^ | $/g, '\u00a0'))}</mtext>`,
  fraction: ({ over, under, bar, sloped }) => {
    const look = bar ? (sloped ? ' bevelled="true"' : '') : ' linethickness="0"'
    return `<mfrac${look}>${row(over)}${row(under)}</mfrac>`
  },
  scripts: ({ base, sub, sup }) => positioned('msub', 'msup', 'msubsup', base, sub, sup),
  limits: ({ base, under, over }) => positioned('munder', 'mover', 'munderover', base, under, over),
  prescripts: ({ base, sub, sup }) =>
    `<mmultiscripts>${row(base)}<mprescripts/>${row(sub)}${row(sup)}</mmultiscripts>`,
  root: ({ body, degree }) =>
    degree ? `<mroot>${row(body)}${row(degree)}</mroot>` : `<msqrt>${row(body)}</msqrt>`,
  fence: ({ open, close, separator, parts }) => {
    const sign = (text: string, form: string) =>
      text ? `<mo fence="true" form="${form}">${escapeXml(text)}</mo>` : ''
    const between = separator ? `<mo separator="true">${escapeXml(separator)}</mo>` : ''
    return `<mrow>${sign(open, 'prefix')}${parts.map(row).join(between)}${sign(close, 'postfix')}</mrow>`
  },
  matrix: ({ rows, columns }) =>
    `<mtable${columns ? ` columnalign="${columns.join(' ')}"` : ''}>${rows.map(cells => `<mtr>${cells.map(cell => `<mtd>${row(cell)}</mtd>`).join('')}</mtr>`).join('')}</mtable>`,
  lines: ({ rows }) =>
    `<mtable columnalign="left">${rows.map(line => `<mtr><mtd>${row(withoutAligning(line))}</mtd></mtr>`).join('')}</mtable>`,
  accent: ({ mark, body, below }) => {
    const sign = `<mo stretchy="${/[¯⏞⏟→]/.test(mark)}">${escapeXml(mark)}</mo>`
    const name = below ? 'munder' : 'mover'
    return `<${name} accent${below ? 'under' : ''}="true">${row(body)}${sign}</${name}>`
  },
  box: ({ body }) => `<menclose notation="box">${row(body)}</menclose>`,
  space: ({ width }) => `<mspace width="${width}em"/>`,
  phantom: ({ body }) => `<mphantom>${row(body)}</mphantom>`,
}

const look = (variant: Variant | undefined) => (variant ? ` mathvariant="${variants[variant]}"` : '')

function positioned(
  low: string,
  high: string,
  both: string,
  base: Equation,
  lower?: Equation,
  upper?: Equation,
): string {
  if (lower && upper) return `<${both}>${row(base)}${row(lower)}${row(upper)}</${both}>`
  if (lower) return `<${low}>${row(base)}${row(lower)}</${low}>`
  return upper ? `<${high}>${row(base)}${row(upper)}</${high}>` : row(base)
}

/** Removes the & with which Word marks alignment points in lines. */
const withoutAligning = (equation: Equation): Equation =>
  equation.kind === 'row'
    ? { kind: 'row', parts: equation.parts.filter(part => !(part.kind === 'operator' && part.text === '&')) }
    : equation
