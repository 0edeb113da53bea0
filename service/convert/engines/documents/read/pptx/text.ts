/** Text and tables of DrawingML (ECMA-376 part 1, 21.1). */

import {
  childOf,
  childrenOf,
  elementsOf,
  findIn,
  textOf,
  type XmlElement,
} from '../../../common/xml/element.ts'
import { readOmml } from '../../equations/read-omml.ts'
import {
  type Align,
  type Block,
  type Inline,
  type Marks,
  paragraphOf,
  run,
  type TableRow,
} from '../../model.ts'
import { assemble, type ReadParagraph } from '../docx/assemble.ts'
import type { Relationships } from '../docx/package.ts'

/** The runs of a paragraph `a:p`. */
export function inlineOf(paragraph: XmlElement, links: Relationships): Inline[] {
  return elementsOf(paragraph).flatMap((part): Inline[] => {
    const { name } = part
    if (name === 'a:br') return [{ kind: 'break' }]
    if (name === 'mc:AlternateContent' || name === 'a14:m') {
      const formula = findIn(part, 'm:oMath')
      return formula ? [{ kind: 'equation', formula: readOmml(formula), display: false }] : []
    }
    const text = textOf(childOf(part, 'a:t'))
    if ((name !== 'a:r' && name !== 'a:fld') || text === '') return []
    const properties = childOf(part, 'a:rPr')
    const shown = run(text.replace(/[\v\t]/g, ' '), marksOf(properties?.attributes ?? {}))
    const target = links.get(childOf(properties, 'a:hlinkClick')?.attributes['r:id'] ?? '')
    return target?.isExternal ? [{ kind: 'link', address: target.target, content: [shown] }] : [shown]
  })
}

const isOn = (value: string | undefined) => value === '1' || value === 'true'

function marksOf({ b, i, strike, baseline = '0' }: Record<string, string>): Marks {
  const raised = Number.parseInt(baseline, 10)
  return {
    ...(isOn(b) && { bold: true }),
    ...(isOn(i) && { italic: true }),
    ...(/^(?:sng|dbl)Strike$/.test(strike ?? '') && { strike: true }),
    ...(raised > 0 && { superscript: true }),
    ...(raised < 0 && { subscript: true }),
  }
}

/** Paragraphs of a text body, with those that have bullets or numbers as lists. */
export function textBlocks(
  body: XmlElement | undefined,
  links: Relationships,
  { isOutline }: { isOutline: boolean },
): Block[] {
  /** The number of the last line of each level. */
  const numbers: number[] = []
  const entries = childrenOf(body, 'a:p').flatMap((paragraph): ReadParagraph[] => {
    const content = inlineOf(paragraph, links)
    if (!content.some(part => part.kind !== 'text' || part.text.trim() !== '')) return []
    const properties = childOf(paragraph, 'a:pPr')
    const { lvl = '0', algn = '', rtl } = properties?.attributes ?? {}
    const align = ({ ctr: 'center', r: 'right' } as Record<string, Align | undefined>)[algn]
    const block = paragraphOf(content, { align, rightToLeft: isOn(rtl) })
    const { format, start } = bulletOf(properties, isOutline)
    if (format === undefined) {
      numbers.length = 0
      return [{ kind: 'block', block, indent: 0 }]
    }
    const level = Number.parseInt(lvl, 10) || 0
    const number = (numbers[level] ?? start - 1) + 1
    numbers.length = level
    numbers[level] = number
    const place = { level, number, info: { ordered: format !== 'bullet', format } }
    return [{ kind: 'item', block, indent: 0, place }]
  })
  return assemble(entries)
}

/** Formats of numbers (20.1.10.61): `arabicPeriod`, `alphaLcParenR` and the like. */
const FORMATS: [start: string, format: string][] = [
  ['alphaLc', 'lowerLetter'],
  ['alphaUc', 'upperLetter'],
  ['romanLc', 'lowerRoman'],
  ['romanUc', 'upperRoman'],
]

function bulletOf(
  properties: XmlElement | undefined,
  isOutline: boolean,
): { format: string | undefined; start: number } {
  const numbered = childOf(properties, 'a:buAutoNum')?.attributes
  if (numbered) {
    const format = FORMATS.find(([start]) => numbered.type?.startsWith(start))?.[1] ?? 'decimal'
    return { format, start: Number.parseInt(numbered.startAt ?? '1', 10) || 1 }
  }
  const hasBullet = childOf(properties, 'a:buChar') ?? childOf(properties, 'a:buBlip')
  const hasNone = childOf(properties, 'a:buNone')
  return { format: hasBullet || (isOutline && !hasNone) ? 'bullet' : undefined, start: 1 }
}

/** A table `a:tbl`, whose first row names the columns if it says so. */
export function slideTable(table: XmlElement, links: Relationships): Block[] {
  const hasHead = isOn(childOf(table, 'a:tblPr')?.attributes.firstRow)
  const rows = childrenOf(table, 'a:tr').map((row, index): TableRow => {
    const cells = childrenOf(row, 'a:tc').flatMap(cell => {
      const { hMerge, vMerge, gridSpan, rowSpan } = cell.attributes
      if (isOn(hMerge) || isOn(vMerge)) return []
      const blocks = textBlocks(childOf(cell, 'a:txBody'), links, { isOutline: false })
      return [{ columns: Number(gridSpan) || 1, rows: Number(rowSpan) || 1, blocks }]
    })
    return { isHeader: hasHead && index === 0, cells }
  })
  return rows.length > 0 ? [{ kind: 'table', rows }] : []
}
