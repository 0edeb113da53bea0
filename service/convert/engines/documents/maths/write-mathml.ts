import { escapeXml } from '../../common/xml/characters.ts'
import type { Equation } from './model.ts'

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
const row = (equation: Equation): string =>
  equation.kind === 'row' ? `<mrow>${equation.parts.map(element).join('')}</mrow>` : element(equation)

function element(equation: Equation): string {
  switch (equation.kind) {
    case 'row':
      return row(equation)
    case 'identifier':
      return `<mi${equation.variant ? ` mathvariant="${variants[equation.variant]}"` : ''}>${escapeXml(equation.text)}</mi>`
    case 'number':
      return `<mn${equation.variant ? ` mathvariant="${variants[equation.variant]}"` : ''}>${escapeXml(equation.text)}</mn>`
    case 'operator':
      return `<mo>${escapeXml(equation.text)}</mo>`
    case 'words':
      return `<mtext>${escapeXml(equation.text.replace(/^ | $/g, '\u00a0'))}</mtext>`
    case 'fraction': {
      const look = equation.bar ? (equation.sloped ? ' bevelled="true"' : '') : ' linethickness="0"'
      return `<mfrac${look}>${row(equation.over)}${row(equation.under)}</mfrac>`
    }
    case 'scripts':
      return positioned('msub', 'msup', 'msubsup', equation.base, equation.sub, equation.sup)
    case 'limits':
      return positioned('munder', 'mover', 'munderover', equation.base, equation.under, equation.over)
    case 'prescripts':
      return `<mmultiscripts>${row(equation.base)}<mprescripts/>${row(equation.sub)}${row(equation.sup)}</mmultiscripts>`
    case 'root':
      return equation.degree
        ? `<mroot>${row(equation.body)}${row(equation.degree)}</mroot>`
        : `<msqrt>${row(equation.body)}</msqrt>`
    case 'fence': {
      const sign = (text: string, form: string) =>
        text ? `<mo fence="true" form="${form}">${escapeXml(text)}</mo>` : ''
      const between = equation.separator ? `<mo separator="true">${escapeXml(equation.separator)}</mo>` : ''
      return `<mrow>${sign(equation.open, 'prefix')}${equation.parts.map(row).join(between)}${sign(equation.close, 'postfix')}</mrow>`
    }
    case 'matrix':
      return `<mtable${equation.columns ? ` columnalign="${equation.columns.join(' ')}"` : ''}>${equation.rows.map(cells => `<mtr>${cells.map(cell => `<mtd>${row(cell)}</mtd>`).join('')}</mtr>`).join('')}</mtable>`
    case 'lines':
      return `<mtable columnalign="left">${equation.rows.map(line => `<mtr><mtd>${row(withoutAligning(line))}</mtd></mtr>`).join('')}</mtable>`
    case 'accent': {
      const mark = `<mo stretchy="${/[¯⏞⏟→]/.test(equation.mark)}">${escapeXml(equation.mark)}</mo>`
      const name = equation.below ? 'munder' : 'mover'
      return `<${name} accent${equation.below ? 'under' : ''}="true">${row(equation.body)}${mark}</${name}>`
    }
    case 'box':
      return `<menclose notation="box">${row(equation.body)}</menclose>`
    case 'space':
      return `<mspace width="${equation.width}em"/>`
    case 'phantom':
      return `<mphantom>${row(equation.body)}</mphantom>`
  }
}

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
