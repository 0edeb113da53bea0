/**
 * Converts obsolete HTML elements and attributes to CSS, with the rendering of browsers:
 * https://html.spec.whatwg.org/multipage/rendering.html
 */
import type { XmlElement } from '../../../../common/xml/element.ts'

/** The replacement of an element, and its style; any other becomes a `span`. */
const OBSOLETE: Readonly<Record<string, { name: string; style?: string }>> = {
  acronym: { name: 'abbr' },
  big: { name: 'span', style: 'font-size: larger' },
  center: { name: 'div', style: 'text-align: center' },
  dir: { name: 'ul' },
  menu: { name: 'ul' },
  nobr: { name: 'span', style: 'white-space: nowrap' },
  strike: { name: 's' },
  tt: { name: 'code' },
  xmp: { name: 'pre' },
}

const FONT_SIZES = ['x-small', 'small', 'medium', 'large', 'x-large', 'xx-large', 'xx-large']

const blocks = new Set('p div blockquote h1 h2 h3 h4 h5 h6 li ul ol dl dt dd pre section center'.split(' '))
const boxes = new Set('table td th hr col colgroup tr thead tbody tfoot'.split(' '))

type Rule = (value: string, element: XmlElement) => string | undefined

/** A CSS length; a number without a unit is in pixels. */
function cssLength(value: string): string | undefined {
  const [, number, unit] =
    /^\s*([-+]?\d{0,6}(?:\.\d{0,6})?)\s*(px|pt|em|ex|rem|%|in|cm|mm|pc)?\s*$/i.exec(value) ?? []
  if (number === undefined || !/\d/.test(number)) return undefined
  const amount = Number(number)
  return amount === 0 ? '0' : `${amount}${unit?.toLowerCase() ?? 'px'}`
}

function cssColour(value: string): string | undefined {
  const colour = value.trim().toLowerCase()
  if (/^#?[\da-f]{6}$|^#[\da-f]{3}$/.test(colour)) return colour.startsWith('#') ? colour : `#${colour}`
  return /^[a-z]{3,24}$/.test(colour) ? colour : undefined
}

const declare = (property: string, value: string | undefined) =>
  value === undefined ? undefined : `${property}: ${value}`

const colour =
  (property: string): Rule =>
  value =>
    declare(property, cssColour(value))

const align: Rule = (value, { name }) => {
  const side = value.trim().toLowerCase()
  if (name === 'img' || name === 'object' || name === 'video') {
    if (side === 'left' || side === 'right') return `float: ${side}`
    return /^(top|middle|bottom)$/.test(side) ? `vertical-align: ${side}` : undefined
  }
  if (name === 'table' || name === 'hr') {
    if (side === 'center') return 'margin-left: auto; margin-right: auto'
    return name === 'table' && (side === 'left' || side === 'right') ? `float: ${side}` : undefined
  }
  if (side === 'middle') return 'text-align: center'
  return /^(left|right|center|justify)$/.test(side) ? `text-align: ${side}` : undefined
}

const fontSize: Rule = (value, { name }) => {
  if (name === 'hr') return declare('height', cssLength(value))
  const [, sign, digits] = /^\s*([-+]?)(\d{1,2})\s*$/.exec(value) ?? []
  if (digits === undefined) return undefined
  const relative = sign === '+' ? 3 + Number(digits) : sign === '-' ? 3 - Number(digits) : Number(digits)
  return `font-size: ${FONT_SIZES[Math.min(7, Math.max(1, relative)) - 1]}`
}

/** Mobipocket uses the width of a block as the indent of its first line, and its height as the space above. */
const size =
  (ofBox: 'width' | 'height', ofBlock: string): Rule =>
  (value, { name }) => {
    if (blocks.has(name)) return declare(ofBlock, cssLength(value))
    const isBox = boxes.has(name) || name === 'img'
    return isBox ? declare(ofBox, cssLength(value)?.replace(/^-.*/, '0')) : undefined
  }

const border: Rule = (value, { name }) => {
  const amount = cssLength(value === '' || value === 'border' ? '1' : value)
  if (amount === undefined || name === 'body') return undefined
  return amount === '0' ? 'border: none' : `border: ${amount} solid`
}

const listStyle: Rule = value => {
  const type = value.trim().toLowerCase()
  return /^(disc|circle|square)$/.test(type) ? `list-style-type: ${type}` : undefined
}

const RULES: Readonly<Record<string, Rule>> = {
  align,
  bgcolor: colour('background-color'),
  border,
  color: colour('color'),
  face: value => (/^[\w ,'-]{1,100}$/.test(value) ? `font-family: ${families(value)}` : undefined),
  height: size('height', 'margin-top'),
  size: fontSize,
  type: listStyle,
  valign: value => (/^(top|middle|bottom|baseline)$/i.test(value) ? `vertical-align: ${value}` : undefined),
  width: size('width', 'text-indent'),
}

const families = (value: string) =>
  value
    .split(',')
    .map(name => name.replace(/['"]/g, '').trim())
    .filter(Boolean)
    .map(name => (/^[a-z-]+$/i.test(name) ? name : `"${name}"`))
    .join(', ')

/** Elements for which an attribute is still valid in HTML. */
const CURRENT: Readonly<Record<string, RegExp>> = {
  height: /^(?:img|video|canvas|object|iframe|svg|embed|source)$/,
  width: /^(?:img|video|canvas|object|iframe|svg|embed|source)$/,
  size: /^(?:input|select)$/,
  type: /^(?!(?:ul|li|dir|menu)$)/,
  color: /^link$/,
}

/** Renames an obsolete element, and moves presentational attributes into its `style`. */
export function modernise(element: XmlElement): void {
  const styles: string[] = []
  const obsolete = OBSOLETE[element.name]
  for (const [name, value] of Object.entries(element.attributes)) {
    const rule = RULES[name]
    if (!rule || (CURRENT[name]?.test(element.name) && (element.name !== 'img' || /^\d{1,6}$/.test(value))))
      continue
    delete element.attributes[name]
    const style = rule(value, element)
    if (style) styles.push(style)
  }
  if (obsolete) {
    element.name = obsolete.name
    if (obsolete.style) styles.unshift(obsolete.style)
  }
  addStyle(element, styles.join('; '))
}

/** Adds declarations before an element's own, which have precedence. */
export function addStyle(element: XmlElement, declarations: string): void {
  if (declarations === '') return
  const own = element.attributes.style?.trim().replace(/;$/, '')
  element.attributes.style = [declarations, own].filter(Boolean).join('; ')
}
