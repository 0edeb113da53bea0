import { escapeXml } from '../../common/xml/characters.ts'
import type { Maths } from './model.ts'

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
export function mathmlOf(maths: Maths, display: boolean, latex: string): string {
  return `<math xmlns="http://www.w3.org/1998/Math/MathML" display="${display ? 'block' : 'inline'}" alttext="${escapeXml(latex)}">${row(maths)}</math>`
}

/** Content as exactly one element. */
const row = (maths: Maths): string =>
  maths.kind === 'row' ? `<mrow>${maths.parts.map(element).join('')}</mrow>` : element(maths)

function element(maths: Maths): string {
  switch (maths.kind) {
    case 'row':
      return row(maths)
    case 'identifier':
      return `<mi${maths.variant ? ` mathvariant="${variants[maths.variant]}"` : ''}>${escapeXml(maths.text)}</mi>`
    case 'number':
      return `<mn${maths.variant ? ` mathvariant="${variants[maths.variant]}"` : ''}>${escapeXml(maths.text)}</mn>`
    case 'operator':
      return `<mo>${escapeXml(maths.text)}</mo>`
    case 'words':
      return `<mtext>${escapeXml(maths.text.replace(/^ | $/g, '\u00a0'))}</mtext>`
    case 'fraction': {
      const look = maths.bar ? (maths.sloped ? ' bevelled="true"' : '') : ' linethickness="0"'
      return `<mfrac${look}>${row(maths.over)}${row(maths.under)}</mfrac>`
    }
    case 'scripts':
      return placed('msub', 'msup', 'msubsup', maths.base, maths.sub, maths.sup)
    case 'limits':
      return placed('munder', 'mover', 'munderover', maths.base, maths.under, maths.over)
    case 'prescripts':
      return `<mmultiscripts>${row(maths.base)}<mprescripts/>${row(maths.sub)}${row(maths.sup)}</mmultiscripts>`
    case 'root':
      return maths.degree
        ? `<mroot>${row(maths.body)}${row(maths.degree)}</mroot>`
        : `<msqrt>${row(maths.body)}</msqrt>`
    case 'fence': {
      const sign = (text: string, form: string) =>
        text ? `<mo fence="true" form="${form}">${escapeXml(text)}</mo>` : ''
      const between = maths.separator ? `<mo separator="true">${escapeXml(maths.separator)}</mo>` : ''
      return `<mrow>${sign(maths.open, 'prefix')}${maths.parts.map(row).join(between)}${sign(maths.close, 'postfix')}</mrow>`
    }
    case 'matrix':
      return `<mtable${maths.columns ? ` columnalign="${maths.columns.join(' ')}"` : ''}>${maths.rows.map(cells => `<mtr>${cells.map(cell => `<mtd>${row(cell)}</mtd>`).join('')}</mtr>`).join('')}</mtable>`
    case 'lines':
      return `<mtable columnalign="left">${maths.rows.map(line => `<mtr><mtd>${row(withoutAligning(line))}</mtd></mtr>`).join('')}</mtable>`
    case 'accent': {
      const mark = `<mo stretchy="${/[¯⏞⏟→]/.test(maths.mark)}">${escapeXml(maths.mark)}</mo>`
      const name = maths.below ? 'munder' : 'mover'
      return `<${name} accent${maths.below ? 'under' : ''}="true">${row(maths.body)}${mark}</${name}>`
    }
    case 'box':
      return `<menclose notation="box">${row(maths.body)}</menclose>`
    case 'space':
      return `<mspace width="${maths.width}em"/>`
    case 'phantom':
      return `<mphantom>${row(maths.body)}</mphantom>`
  }
}

function placed(low: string, high: string, both: string, base: Maths, lower?: Maths, upper?: Maths): string {
  if (lower && upper) return `<${both}>${row(base)}${row(lower)}${row(upper)}</${both}>`
  if (lower) return `<${low}>${row(base)}${row(lower)}</${low}>`
  return upper ? `<${high}>${row(base)}${row(upper)}</${high}>` : row(base)
}

/** Removes the & with which Word marks alignment points in lines. */
const withoutAligning = (maths: Maths): Maths =>
  maths.kind === 'row'
    ? { kind: 'row', parts: maths.parts.filter(part => !(part.kind === 'operator' && part.text === '&')) }
    : maths
