/** Formatting that the paragraphs of a block share. */
import type { Declarations } from '../../../books/book/css/cascade.ts'
import { styleLength } from '../../../common/css/length.ts'
import { ownValue } from '../../../common/own-value.ts'
import type { XmlElement } from '../../../common/xml/element.ts'
import { colourOf } from './look.ts'
import { LEVEL_INDENT } from './parts/numbering.ts'
import { elementStyles } from './parts/styles.ts'

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
  /**
   * Exact height of lines in twentieths of a point, or 0 for lines as high as what is in them, of a block that stands where it stood on a
   * printed page: neither limits nor the indents of lists apply to it.
   */
  pitch?: number | undefined
  /** Colour behind it as six hexadecimal digits, and how far it extends beyond the lines, in points: above, left, below, right. */
  ground?: { colour: string; space: readonly number[] } | undefined
  rule?: boolean | undefined
}

/** A length in twentieths of a point; undefined if it is invalid. */
export function twips(value: string | undefined, width: number, em = EM): number | undefined {
  const measures = { whole: width / PIXEL, fontSize: em / PIXEL, rootFontSize: EM / PIXEL }
  const length = styleLength(value?.replace(/vw$/, '%'), measures)
  return length === undefined ? undefined : Math.round(length * PIXEL)
}

const QUOTE_INDENT = 600

const SIDES = ['top', 'left', 'bottom', 'right'] as const

/** The frame for the content of a block. */
export function frameOf(element: XmlElement, css: Declarations, outer: Frame, scale: number): Frame {
  const { name, attributes } = element
  const isQuote = name === 'blockquote' || name === 'dd'
  const style =
    ownValue(elementStyles, name) ??
    (name === 'blockquote' && outer.style === 'Normal' ? 'Quote' : outer.style)
  const em = EM * scale
  const length = (property: string) => twips(css[property], outer.width, em)
  const usual = isQuote ? QUOTE_INDENT : 0
  // Lists use the indent of their markers.
  const isList = name === 'ul' || name === 'ol' || name === 'li' || name === 'body' || name === 'html'
  const left = isList ? 0 : (length('margin-left') ?? usual) + (length('padding-left') ?? 0)
  const right = isList
    ? 0
    : (length('margin-right') ?? (name === 'blockquote' ? usual : 0)) + (length('padding-right') ?? 0)
  const pitch = css['-refile-pitch'] === undefined ? outer.pitch : Number(css['-refile-pitch']) * 20
  const room = outer.width * 0.6
  const frame: Frame = {
    ...outer,
    style,
    ...(pitch === undefined
      ? {
          left: Math.max(-room / 4, Math.min(room, outer.left + left)),
          right: Math.max(-room / 4, Math.min(room / 2, outer.right + right)),
        }
      : // Text beyond the edge of its page has no edge there.
        { left, right: left + right < outer.width ? right : 0 }),
    before: length('margin-top'),
    after: length('margin-bottom'),
    pitch,
    ground: groundOf(css, property => length(property) ?? 0),
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

/** Only printed pages tell how far the colour behind a paragraph extends. */
function groundOf(css: Declarations, length: (property: string) => number): Frame['ground'] {
  const colour = css['background-color']
  if (css['-refile-pitch'] === undefined || colour === undefined) return undefined
  const space = SIDES.map(side => Math.max(0, Math.min(31, Math.round(length(`padding-${side}`) / 20))))
  return { colour: colourOf(colour) ?? 'auto', space }
}

function alignOf(align: string, rightToLeft: boolean): Frame['align'] {
  if (align === 'center' || align === '-webkit-center') return 'center'
  if (align === 'justify') return 'both'
  if (align === 'left') return rightToLeft ? 'end' : 'start'
  if (align === 'right') return rightToLeft ? 'start' : 'end'
  return align === 'end' ? 'end' : align === 'start' ? 'start' : undefined
}

function groundXml({ colour, space }: NonNullable<Frame['ground']>): string {
  const shade = `<w:shd w:val="clear" w:color="auto" w:fill="${colour}"/>`
  if (colour === 'auto') return shade
  const edges = SIDES.map(
    (side, at) => `<w:${side} w:val="single" w:sz="2" w:space="${space[at]}" w:color="${colour}"/>`,
  )
  return `<w:pBdr>${edges.join('')}</w:pBdr>${shade}`
}

/** Word calls the start of a line left, whatever the text direction. */
const sides = { start: 'left', end: 'right', center: 'center', both: 'both' } as const

/** `w:pPr`, with its elements in the order of the schema. */
export function paragraphXml(frame: Frame, breaksPage: boolean): string {
  const { style, entry, level, rightToLeft, align, before, after, pitch, ground } = frame
  const isMarked = entry !== undefined && !entry.isMarked
  const listIndent = pitch === undefined ? level * LEVEL_INDENT : 0
  const left = frame.left + listIndent
  const indent = isMarked && pitch === undefined ? -LEVEL_INDENT : frame.indent
  const spacing = [
    before === undefined
      ? ''
      : ` w:before="${Math.max(0, Math.min(pitch === undefined ? 2000 : 14_000, before))}"`,
    after === undefined ? '' : ` w:after="${Math.max(0, Math.min(2000, after))}"`,
    pitch === undefined
      ? ''
      : pitch > 0
        ? ` w:line="${Math.max(20, Math.round(pitch))}" w:lineRule="exact"`
        : ' w:line="240" w:lineRule="auto"',
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
    ground ? groundXml(ground) : '',
    rightToLeft ? '<w:bidi/>' : '',
    spacing && `<w:spacing${spacing}/>`,
    indents && `<w:ind${indents}/>`,
    align ? `<w:jc w:val="${sides[align]}"/>` : '',
  ].join('')
  return inner && `<w:pPr>${inner}</w:pPr>`
}
