/** Classifies elements by their names and styles. */
import type { Declarations } from '../../../../books/book/css/cascade.ts'
import { blockElements } from '../../../../common/html-elements.ts'
import type { XmlElement } from '../../../../common/xml/element.ts'

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '))
const silent = names(
  'audio canvas datalist embed head iframe input link meta param rp script select source style template title track video wbr',
)
const media = names('audio video iframe embed canvas')

/** Elements of which nothing is shown, or nothing that Word supports. */
export const isSilent = ({ name }: XmlElement): boolean => silent.has(name)

/** Elements without text that a reader of the book sees or hears. */
export const isMedia = ({ name }: XmlElement): boolean => media.has(name)

export const isHidden = ({ attributes }: XmlElement, css: Declarations): boolean =>
  css.display === 'none' || (attributes.hidden !== undefined && attributes.hidden !== 'until-found')

/** Whether an element starts and ends a paragraph. */
export function isBlock({ name }: XmlElement, { display }: Declarations): boolean {
  if (blockElements.has(name)) return display === undefined || !display.startsWith('inline') || name === 'li'
  return /^(?:block|list-item|flex|grid|table)$/.test(display ?? '') && name !== 'br'
}

/** Whether there is a page break before or after an element. */
export const breaksPage = (css: Declarations, side: 'before' | 'after'): boolean =>
  /^(?:always|page|left|right|recto|verso)$/.test(css[`break-${side}`] ?? css[`page-break-${side}`] ?? '')
