/** Turns a tree of Kindle markup into an equivalent XHTML content document. */
import type { XmlElement } from '../../../../common/xml/element.ts'
import { elementsIn } from '../../../book/links.ts'
import { filterAttributes, KNOWN } from './attributes.ts'
import { modernise } from './presentation.ts'
import { repairStructure } from './structure.ts'

/** @param html the document, whose head and body are kept */
export function cleanDocument(html: XmlElement): void {
  repairElements(html)
  repairStructure(html, false)
  uniqueIds(html)
}

/** Repairs the names and attributes of all elements; foreign markup such as SVG is left unchanged. */
function repairElements(element: XmlElement): void {
  modernise(element)
  if (!KNOWN.has(element.name)) element.name = 'span'
  if (element.name === 'a') anchorName(element)
  if (element.name === 'img') element.attributes.alt ??= ''
  filterAttributes(element)
  element.children = element.children.filter(child => typeof child === 'string' || !isEmptyOf(child))
  for (const child of element.children) {
    if (typeof child === 'object' && child.name !== 'svg' && child.name !== 'math') repairElements(child)
  }
}

/** Turns the old `name` of an anchor into an id. */
function anchorName({ attributes }: XmlElement): void {
  const name = attributes.name?.trim()
  if (name && attributes.id === undefined) attributes.id = name.replace(/\s+/g, '_')
}

/** A picture or a media file whose content is not in the book. */
const isEmptyOf = ({ name, attributes, children }: XmlElement) =>
  (name === 'img' && !attributes.src) ||
  ((name === 'audio' || name === 'video') && !attributes.src && children.length === 0) ||
  name === 'script' ||
  name === 'iframe'

function uniqueIds(root: XmlElement): void {
  const seen = new Set<string>()
  for (const { attributes } of elementsIn(root)) {
    if (attributes.id === undefined) continue
    const { id } = attributes
    if (seen.has(id)) delete attributes.id
    seen.add(id)
  }
}
