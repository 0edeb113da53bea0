import { styleLength } from '../../../../common/css/length.ts'
import { blockElements } from '../../../../common/html-elements.ts'
import { ownValue } from '../../../../common/own-value.ts'
import { breaksPage, type Declarations } from '../../../book/css/cascade.ts'
import { fontSize, TEXT_PIXELS } from '../../../book/css/font-sizes.ts'

/** Properties that MOBI 6 can express; all others are dropped. */
export const properties: ReadonlySet<string> = new Set(
  (
    'break-after break-before display font-family font-size font-style font-variant font-variant-caps font-weight ' +
    'list-style list-style-type margin-bottom margin-left margin-top padding-left page-break-after page-break-before ' +
    'text-align text-decoration text-decoration-line text-indent text-transform vertical-align white-space'
  ).split(' '),
)
/** Media types whose rules apply to old Kindle readers, which do not support media queries. */
export const MEDIA = ['screen', 'amzn-mobi']

/** Text style, as far as MOBI 6 can express it; inherited by child elements. */
export interface TextStyle {
  isBold: boolean
  isItalic: boolean
  isUnderlined: boolean
  isStruck: boolean
  isFixed: boolean
  isSmallCaps: boolean
  transform: 'none' | 'uppercase' | 'lowercase' | 'capitalize'
  position: 'sub' | 'sup' | undefined
  /** As a multiple of the body's size. */
  size: number
  keepsSpaces: boolean
  align: 'left' | 'right' | 'center' | 'justify' | undefined
  /** Indent of the first line, in em. */
  indent: number
}

/** Layout of an element; not inherited. */
export interface BoxStyle {
  display: 'none' | 'block' | 'inline' | 'table'
  /** In em. */
  marginTop: number
  marginBottom: number
  /** Margin and padding together, in em. */
  left: number
  breaksBefore: boolean
  breaksAfter: boolean
  hasMarker: boolean
}

export const plainText: TextStyle = {
  isBold: false,
  isItalic: false,
  isUnderlined: false,
  isStruck: false,
  isFixed: false,
  isSmallCaps: false,
  transform: 'none',
  position: undefined,
  size: 1,
  keepsSpaces: false,
  align: undefined,
  indent: 0,
}

/** Default sizes of headings and other elements, as multiples of the surrounding size. */
export const usualSizes: Readonly<Record<string, number>> = {
  h1: 2,
  h2: 1.5,
  h3: 1.17,
  h4: 1,
  h5: 0.83,
  h6: 0.67,
  small: 0.83,
  big: 1.2,
}

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '))
const bold = names('b strong h1 h2 h3 h4 h5 h6 th dt')
const italic = names('i em cite dfn var address')
const underlined = names('u ins')
const struck = names('s strike del')
const fixed = names('code kbd samp tt pre')
const tableElements = names('table caption thead tbody tfoot tr td th col colgroup')
/** Default space above and below, in em. */
const usualMargins: Readonly<Record<string, number>> = {
  p: 1,
  h1: 0.67,
  h2: 0.83,
  h3: 1,
  h4: 1.33,
  h5: 1.67,
  h6: 2.33,
  ul: 1,
  ol: 1,
  dl: 1,
  pre: 1,
  blockquote: 1,
  figure: 1,
}

/** Text style within an element, derived from the surrounding style. */
export function textStyle(name: string, declared: Declarations, outer: TextStyle): TextStyle {
  const weight = declared['font-weight']
  const decoration = declared['text-decoration-line'] ?? declared['text-decoration']
  const slant = declared['font-style']
  const caps = declared['font-variant-caps'] ?? declared['font-variant']
  const family = declared['font-family']
  const space = declared['white-space'] ?? declared['white-space-collapse']
  const size =
    fontSize(declared['font-size'] ?? '', outer.size) ?? outer.size * (ownValue(usualSizes, name) ?? 1)
  return {
    isBold: weight === undefined ? outer.isBold || bold.has(name) : isBoldWeight(weight, outer.isBold),
    isItalic: slant === undefined ? outer.isItalic || italic.has(name) : /italic|oblique/.test(slant),
    isUnderlined: outer.isUnderlined || (decoration ? /underline/.test(decoration) : underlined.has(name)),
    isStruck: outer.isStruck || (decoration ? /line-through/.test(decoration) : struck.has(name)),
    isFixed: family === undefined ? outer.isFixed || fixed.has(name) : /monospace/i.test(family),
    isSmallCaps: caps === undefined ? outer.isSmallCaps : /small-caps/.test(caps),
    transform: transformOf(declared['text-transform']) ?? outer.transform,
    position: positionOf(name, declared['vertical-align']) ?? outer.position,
    size,
    keepsSpaces: space === undefined ? outer.keepsSpaces || name === 'pre' : /pre|preserve/.test(space),
    align: alignOf(name, declared['text-align']) ?? outer.align,
    indent: lengthInEm(declared['text-indent'], size) ?? outer.indent,
  }
}

export function boxStyle(name: string, declared: Declarations, size: number): BoxStyle {
  const usual = (ownValue(usualMargins, name) ?? 0) * size
  return {
    display: displayOf(name, declared.display),
    marginTop: lengthInEm(declared['margin-top'], size) ?? usual,
    marginBottom: lengthInEm(declared['margin-bottom'], size) ?? usual,
    left:
      (lengthInEm(declared['margin-left'], size) ?? 0) + (lengthInEm(declared['padding-left'], size) ?? 0),
    breaksBefore: breaksPage(declared, 'before'),
    breaksAfter: breaksPage(declared, 'after'),
    hasMarker: !/^none\b|\bnone$/.test(declared['list-style-type'] ?? declared['list-style'] ?? ''),
  }
}

/** A CSS length in em. @param size font size, as a multiple of the body's */
export function lengthInEm(value: string | undefined, size: number): number | undefined {
  // Percentages refer to the width of the page, which is about 30 em.
  const measures = { whole: 30 * TEXT_PIXELS, fontSize: size * TEXT_PIXELS, rootFontSize: TEXT_PIXELS }
  const length = styleLength(value, measures)
  return length === undefined ? undefined : Math.max(-20, Math.min(20, length / TEXT_PIXELS))
}

const isBoldWeight = (weight: string, outer: boolean) =>
  weight === 'inherit' ? outer : /^bold/.test(weight) || Number(weight) >= 600

const transformOf = (value: string | undefined): TextStyle['transform'] | undefined =>
  value === 'none' || value === 'uppercase' || value === 'lowercase' || value === 'capitalize'
    ? value
    : undefined

function positionOf(name: string, align: string | undefined): TextStyle['position'] {
  if (align === 'super' || align === 'text-top') return 'sup'
  if (align === 'sub' || align === 'text-bottom') return 'sub'
  return align === undefined && (name === 'sup' || name === 'sub') ? name : undefined
}

function alignOf(name: string, value: string | undefined): TextStyle['align'] {
  if (value === 'left' || value === 'right' || value === 'center' || value === 'justify') return value
  if (value === 'start' || value === '-webkit-auto') return 'left'
  if (value === 'end') return 'right'
  return value === undefined && name === 'center' ? 'center' : undefined
}

const hidden = names('head script style template datalist title source track param col colgroup rp')

function displayOf(name: string, display: string | undefined): BoxStyle['display'] {
  if (display === 'none' || hidden.has(name)) return 'none'
  if (tableElements.has(name)) return 'table'
  if (display === 'inline' || display === 'inline-block' || display === 'contents' || display === 'ruby') {
    return 'inline'
  }
  if (
    display !== undefined &&
    /^(?:block|flex|grid|list-item|flow-root|table|table-caption)$/.test(display)
  ) {
    return 'block'
  }
  return blockElements.has(name) ? 'block' : 'inline'
}
