/** Formatting that the paragraphs of a block share. */
import type { Declarations } from '../../../books/book/css/cascade.ts'
import { styleLength } from '../../../common/css/length.ts'
import type { XmlElement } from '../../../common/xml/element.ts'
import { LEVEL_INDENT } from '../../word/numbering.ts'

/** Twentieths of a point in an em of the text. */
const EM = 220
/** Twentieths of a point in a CSS pixel. */
export const PIXEL = 15

export interface Frame {
  /** Paragraph style. */
  style: string
  /** Twentieths of a point. */
  left: number
  right: number
  /** Indent of the first line relative to the others. */
  indent: number
  before?: number | undefined
  after?: number | undefined
  align?: 'start' | 'end' | 'center' | 'both' | undefined
  rightToLeft: boolean
  /** List that contains it, and its depth from 0. */
  level: number
  /** Entry whose first paragraph gets the marker. */
  entry?: { list: number; level: number; isMarked: boolean } | undefined
  /** Room that text has. */
  width: number
  rule?: boolean | undefined
}

/** A length in twentieths of a point; undefined if it is invalid. */
export function twips(value: string | undefined, width: number, em = EM): number | undefined {
  const measures = { whole: width / PIXEL, fontSize: em / PIXEL, rootFontSize: EM / PIXEL }
  const length = styleLength(value?.replace(/vw$/, '%'), measures)
  return length === undefined ? undefined : Math.round(length * PIXEL)
}

const QUOTE_INDENT = 600

const styles: Record<string, string> = { pre: 'Code', figcaption: 'Caption', caption: 'Caption' }
for (const level of [1, 2, 3, 4, 5, 6]) styles[`h${level}`] = `Heading${level}`

/** The frame for the content of a block. */
export function frameOf(element: XmlElement, css: Declarations, outer: Frame, scale: number): Frame {
  const { name, attributes } = element
  const isQuote = name === 'blockquote' || name === 'dd'
  const style = styles[name] ?? (name === 'blockquote' && outer.style === 'Normal' ? 'Quote' : outer.style)
  const em = EM * scale
  const length = (property: string) => twips(css[property], outer.width, em)
  const usual = isQuote ? QUOTE_INDENT : 0
  // Lists use the indent of their markers.
  const isList = name === 'ul' || name === 'ol' || name === 'li' || name === 'body' || name === 'html'
  const left = isList ? 0 : (length('margin-left') ?? usual) + (length('padding-left') ?? 0)
  const right = isList
    ? 0
    : (length('margin-right') ?? (name === 'blockquote' ? usual : 0)) + (length('padding-right') ?? 0)
  const room = outer.width * 0.6
  const frame: Frame = {
    ...outer,
    style,
    left: Math.max(-room / 4, Math.min(room, outer.left + left)),
    right: Math.max(-room / 4, Math.min(room / 2, outer.right + right)),
    before: length('margin-top'),
    after: length('margin-bottom'),
  }
  const indent = length('text-indent')
  if (indent !== undefined) frame.indent = Math.max(-room, Math.min(room, indent))
  else if (/^(?:h[1-6]|table|th|pre)$/.test(name)) frame.indent = 0
  const direction = attributes.dir?.toLowerCase() ?? css.direction
  if (direction === 'rtl' || direction === 'ltr') frame.rightToLeft = direction === 'rtl'
  const align =
    css['text-align'] ??
    attributes.align?.toLowerCase() ??
    (/^(?:center|caption)$/.test(name) ? 'center' : undefined)
  if (align) frame.align = alignOf(align, frame.rightToLeft) ?? outer.align
  return frame
}

function alignOf(align: string, rightToLeft: boolean): Frame['align'] {
  if (align === 'center' || align === '-webkit-center') return 'center'
  if (align === 'justify') return 'both'
  if (align === 'left') return rightToLeft ? 'end' : 'start'
  if (align === 'right') return rightToLeft ? 'start' : 'end'
  return align === 'end' ? 'end' : align === 'start' ? 'start' : undefined
}

/** Word calls the start of a line left, whatever the text direction. */
const sides = { start: 'left', end: 'right', center: 'center', both: 'both' } as const

/** `w:pPr`, with its elements in the order of the schema. */
export function paragraphXml(frame: Frame, breaksPage: boolean): string {
  const { style, entry, level, rightToLeft, align, before, after } = frame
  const isMarked = entry !== undefined && !entry.isMarked
  const listIndent = level * LEVEL_INDENT
  const left = frame.left + listIndent
  const indent = isMarked ? -LEVEL_INDENT : frame.indent
  const spacing = [
    before === undefined ? '' : ` w:before="${Math.max(0, Math.min(2000, before))}"`,
    after === undefined ? '' : ` w:after="${Math.max(0, Math.min(2000, after))}"`,
  ].join('')
  const indents = [
    left === 0 ? '' : ` w:left="${Math.round(left)}"`,
    frame.right === 0 ? '' : ` w:right="${Math.round(frame.right)}"`,
    indent > 0 ? ` w:firstLine="${indent}"` : indent < 0 ? ` w:hanging="${-indent}"` : '',
  ].join('')
  const inner = [
    style === 'Normal' ? '' : `<w:pStyle w:val="${style}"/>`,
    breaksPage ? '<w:pageBreakBefore/>' : '',
    isMarked ? `<w:numPr><w:ilvl w:val="${entry.level}"/><w:numId w:val="${entry.list}"/></w:numPr>` : '',
    frame.rule ? '<w:pBdr><w:bottom w:val="single" w:sz="6" w:space="1" w:color="808080"/></w:pBdr>' : '',
    rightToLeft ? '<w:bidi/>' : '',
    spacing && `<w:spacing${spacing}/>`,
    indents && `<w:ind${indents}/>`,
    align ? `<w:jc w:val="${sides[align]}"/>` : '',
  ].join('')
  return inner && `<w:pPr>${inner}</w:pPr>`
}
