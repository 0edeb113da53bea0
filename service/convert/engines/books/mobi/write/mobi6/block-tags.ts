/** Tags and attributes of blocks in the markup for old Mobipocket readers. */

import { blockElements } from '../../../../common/html-elements.ts'
import { ownValue } from '../../../../common/own-value.ts'
import { escapeXml } from '../../../../common/xml/characters.ts'
import type { XmlElement } from '../../../../common/xml/element.ts'
import type { Implied } from './inline.ts'
import { type TextStyle, usualSizes } from './style.ts'

/** Tags of blocks; all others become `div`. */
const blockTags: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'p h1 h2 h3 h4 h5 h6 blockquote ul ol li pre table thead tbody tfoot tr td th caption'
      .split(' ')
      .map(name => [name, name]),
  ),
  dd: 'blockquote',
  dt: 'p',
  figcaption: 'p',
  legend: 'p',
  summary: 'p',
}

/** Whether an element is a list whose entries have markers or numbers. */
export const isList = (name: string): boolean => name === 'ul' || name === 'ol'

/** Attributes that a tag keeps unchanged. */
const kept: Readonly<Record<string, readonly string[]>> = {
  td: ['colspan', 'rowspan', 'valign', 'width', 'height'],
  th: ['colspan', 'rowspan', 'valign', 'width', 'height'],
  tr: ['align', 'valign'],
  table: ['border', 'width', 'cellpadding', 'cellspacing', 'align'],
  ol: ['start', 'type'],
  ul: ['type'],
  li: ['value'],
}

/**
 * The tag of a block.
 * @param hasMarkers whether the list that it is, or is in, has markers
 */
export function tagFor(name: string, hasMarkers: boolean): string {
  if (!hasMarkers && (name === 'li' || isList(name))) return 'div'
  return ownValue(blockTags, name) ?? 'div'
}

/** Whether a block has no space of its own. */
export const isOpen = (tag: string): boolean => tag === 'div' || tag === 'li'

/** Whether a block contains text rather than other blocks. */
export const isLeaf = (tag: string, element: XmlElement): boolean =>
  /^(?:p|h\d)$/.test(tag) || (tag === 'div' && !holdsBlocks(element))

const holdsBlocks = ({ children }: XmlElement): boolean =>
  children.some(child => typeof child === 'object' && (blockElements.has(child.name) || holdsBlocks(child)))

/** Whether a block can be put into quotations, with which old readers indent. */
export const isQuotable = (tag: string): boolean => /^(?:p|h\d|div|pre|table)$/.test(tag)

/** Default text style of a block in readers. */
export const impliedBy = (tag: string): Implied => ({
  isBold: /^h\d$|^th$/.test(tag),
  isFixed: tag === 'pre',
  size: /^h\d$/.test(tag) ? usualSizes[tag]! : 1,
})

const em = (value: number) => `${Math.round(value * 100) / 100}em`

/**
 * Attributes of a block, each preceded by a space.
 * @param above space in em above a block with text; undefined for others, which have none
 */
export function blockAttributes(
  element: XmlElement,
  tag: string,
  style: TextStyle,
  above: number | undefined,
): string {
  const { attributes } = element
  const parts: string[] = []
  const set = (key: string, value: string | undefined) => {
    if (value !== undefined) parts.push(` ${key}="${escapeXml(value)}"`)
  }
  if (above !== undefined) {
    set('height', em(Math.max(0, above)))
    set('width', em(style.indent))
    set('align', style.align)
  } else if (tag === 'div' || tag === 'td' || tag === 'th' || tag === 'li' || tag === 'caption') {
    set('align', style.align)
  }
  if (/^(?:rtl|ltr)$/.test(attributes.dir ?? '')) set('dir', attributes.dir)
  for (const key of kept[tag] ?? []) {
    if (/^[\w%#-]{1,12}$/.test(attributes[key] ?? '')) set(key, attributes[key])
  }
  return parts.join('')
}
