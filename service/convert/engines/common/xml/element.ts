/** The tree of an XML document. */

export interface XmlElement {
  /** With the prefix that the reader uses for its namespace. */
  name: string
  attributes: Record<string, string>
  children: (XmlElement | string)[]
}

export const elementWith = (
  name: string,
  children: XmlElement['children'],
  attributes: XmlElement['attributes'] = {},
): XmlElement => ({ name, attributes, children })

/** XML that cannot be read. */
export class XmlError extends Error {}

export const elementsOf = (element: XmlElement | undefined): XmlElement[] =>
  element ? element.children.filter(child => typeof child === 'object') : []

/** The first child with that name. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  for (const child of element?.children ?? [])
    if (typeof child === 'object' && child.name === name) return child
  return undefined
}

export const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] =>
  elementsOf(element).filter(child => child.name === name)

/** The first element with that name inside an element, in document order. */
export function findIn(element: XmlElement | undefined, name: string): XmlElement | undefined {
  for (const child of elementsOf(element)) {
    const found = child.name === name ? child : findIn(child, name)
    if (found) return found
  }
  return undefined
}

/** All text inside an element. */
export const textOf = (element: XmlElement | undefined): string =>
  element?.children.map(child => (typeof child === 'string' ? child : textOf(child))).join('') ?? ''
