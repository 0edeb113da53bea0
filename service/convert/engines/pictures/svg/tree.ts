/** An SVG document as a tree that can be read and modified. */
import { escapeXml } from '../../common/xml/characters.ts'

export interface Element {
  /** Local name; the tree only has elements of the SVG namespace. */
  name: string
  attributes: Map<string, string>
  children: Node[]
  parent: Element | null
}

export type Node = Element | string

export const element = (
  name: string,
  attributes: Record<string, string | number> = {},
  children: Node[] = [],
): Element => {
  const made: Element = {
    name,
    attributes: new Map(Object.entries(attributes).map(([key, value]) => [key, String(value)])),
    children,
    parent: null,
  }
  for (const child of children) if (typeof child !== 'string') child.parent = made
  return made
}

export const elementsOf = ({ children }: Element): Element[] =>
  children.filter(child => typeof child !== 'string')

/** An element and everything below it, in document order. */
export function* walk(root: Element): Generator<Element> {
  const stack = [root]
  for (let next = stack.pop(); next; next = stack.pop()) {
    yield next
    for (let i = next.children.length - 1; i >= 0; i--) {
      const child = next.children[i]!
      if (typeof child !== 'string') stack.push(child)
    }
  }
}

/** Elements that are only drawn where others refer to them, or never. */
const DEFINITION =
  /^(defs|symbol|clipPath|mask|marker|pattern|linearGradient|radialGradient|filter|style|title|desc|metadata|script)$/

export const isDefinition = ({ name }: Element): boolean => DEFINITION.test(name)

/** Value of an attribute of an element, or of the nearest one around it that has it. */
export function inherited(node: Element, name: string): string | undefined {
  for (let at: Element | null = node; at; at = at.parent) {
    const value = at.attributes.get(name)
    if (value !== undefined) return value
  }
  return undefined
}

/** Text of an element and everything below it. */
export const textOf = (root: Element): string =>
  root.children.map(child => (typeof child === 'string' ? child : textOf(child))).join('')

export function remove(node: Element): void {
  if (node.parent) node.parent.children = node.parent.children.filter(child => child !== node)
  node.parent = null
}

export function append(parent: Element, ...children: Element[]): void {
  for (const child of children) {
    child.parent = parent
    parent.children.push(child)
  }
}

export function copy(node: Element): Element {
  const made: Element = { name: node.name, attributes: new Map(node.attributes), children: [], parent: null }
  for (const child of node.children) {
    if (typeof child === 'string') made.children.push(child)
    else append(made, copy(child))
  }
  return made
}

/** Every element by its id; the first of several counts. */
export function idsOf(root: Element): Map<string, Element> {
  const ids = new Map<string, Element>()
  for (const node of walk(root)) {
    const id = node.attributes.get('id')
    if (id !== undefined && !ids.has(id)) ids.set(id, node)
  }
  return ids
}

/** Returns ids that no element of the document has. */
export function freshIds(root: Element): (prefix: string) => string {
  const taken = new Set(idsOf(root).keys())
  let count = 0
  return prefix => {
    for (;;) {
      const id = `${prefix}-${++count}`
      if (!taken.has(id)) return id
    }
  }
}

/** The id in `url(#id)`, with or without quotation marks. */
export const urlId = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : /^\s*url\(\s*["']?\s*#([^"')]+?)\s*["']?\s*\)/.exec(value)?.[1]

/** The id that a link refers to within the document. */
export const hrefId = ({ attributes }: Element): string | undefined => {
  const href = attributes.get('href')?.trim()
  return href?.startsWith('#') ? href.slice(1) : undefined
}

const escapeAttribute = (text: string) =>
  escapeXml(text).replace(/[\n\t\r]/g, char => `&#${char.charCodeAt(0)};`)

const NAMESPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'

/** Properties that name the markers of a line. */
export const MARKERS = ['marker-start', 'marker-mid', 'marker-end'] as const

/** Properties that the renderer only reads from a style. */
export const STYLED = ['mix-blend-mode', 'isolation']

/** Serialises the document to text. */
export function serialize(root: Element): string {
  const parts: string[] = []
  const write = (node: Element) => {
    parts.push('<', node.name)
    if (!node.parent) parts.push(' ', NAMESPACES)
    const styles = STYLED.flatMap(name =>
      node.attributes.has(name) ? [`${name}:${node.attributes.get(name)}`] : [],
    )
    if (styles.length > 0) parts.push(' style="', escapeAttribute(styles.join(';')), '"')
    for (const [name, value] of node.attributes) {
      if (STYLED.includes(name)) continue
      parts.push(' ', name === 'href' ? 'xlink:href' : name, '="', escapeAttribute(value), '"')
    }
    if (node.children.length === 0) {
      parts.push('/>')
      return
    }
    parts.push('>')
    for (const child of node.children) {
      if (typeof child === 'string') parts.push(escapeXml(child))
      else write(child)
    }
    parts.push('</', node.name, '>')
  }
  write(root)
  return parts.join('')
}
