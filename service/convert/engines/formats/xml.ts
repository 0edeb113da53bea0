/** A small XML reader (https://www.w3.org/TR/xml/) for what office programs write: no document types, no custom entities. */

export interface XmlElement {
  /** With the prefix that the reader uses for its namespace. */
  name: string
  attributes: Record<string, string>
  children: (XmlElement | string)[]
}

/** XML that cannot be read. */
export class XmlError extends Error {}

/** Maximum nesting of elements. */
const MAX_DEPTH = 400

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decode = (text: string) =>
  text.includes('&')
    ? text.replace(
        /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(amp|lt|gt|quot|apos));/g,
        (whole, decimal, hex, name) => {
          if (name) return entities[name as string] ?? whole
          const code = Number.parseInt(decimal ?? hex, decimal ? 10 : 16)
          return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
        },
      )
    : text

const markup =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<!DOCTYPE[^>[]*(?:\[[\s\S]*?\]\s*)?>|<\/([^\s>]+)\s*>|<([^\s/>!?]+)((?:[^>"']|"[^"]*"|'[^']*')*?)(\/?)>/g

/**
 * Parses a document and returns its root element.
 * @param prefixes the prefix to use for each namespace; elements of others keep their own
 * @throws XmlError
 */
export function readXml(text: string, prefixes: ReadonlyMap<string, string> = new Map()): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [] }
  const open: XmlElement[] = [root]
  const scopes: Map<string, string>[] = [new Map()]
  let at = 0
  const addText = (raw: string) => {
    if (raw !== '' && open.length > 1) open.at(-1)!.children.push(decode(raw))
  }
  for (const match of text.matchAll(markup)) {
    addText(text.slice(at, match.index))
    at = match.index + match[0].length
    const [, cdata, closing, opening, rest = '', slash] = match
    if (cdata !== undefined) open.at(-1)?.children.push(cdata)
    else if (closing !== undefined) {
      if (open.length < 2) throw new XmlError('an element ends that did not begin')
      open.pop()
      scopes.pop()
    } else if (opening !== undefined) {
      const { attributes, scope } = readAttributes(rest, scopes.at(-1)!, prefixes)
      const element = { name: renamed(opening, scope), attributes, children: [] }
      open.at(-1)?.children.push(element)
      if (slash) continue
      if (open.length > MAX_DEPTH) throw new XmlError('elements are nested too deeply')
      open.push(element)
      scopes.push(scope)
    }
  }
  const [element] = root.children
  if (open.length > 1 || typeof element !== 'object') throw new XmlError('the document breaks off')
  return element
}

function readAttributes(text: string, outer: Map<string, string>, prefixes: ReadonlyMap<string, string>) {
  const attributes: Record<string, string> = {}
  let scope = outer
  const found = [...text.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)]
  for (const [, name = '', double, single] of found) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue
    const prefix = name === 'xmlns' ? '' : name.slice(6)
    const known = prefixes.get(double ?? single ?? '')
    if (scope === outer) scope = new Map(outer)
    scope.set(prefix, known ?? prefix)
  }
  for (const [, name = '', double, single] of found) {
    if (name.startsWith('xmlns')) continue
    const key = name.includes(':') ? renamed(name, scope) : name
    attributes[key] = decode(double ?? single ?? '')
  }
  return { attributes, scope }
}

function renamed(name: string, scope: Map<string, string>): string {
  const colon = name.indexOf(':')
  const prefix = colon < 0 ? '' : name.slice(0, colon)
  const known = scope.get(prefix)
  if (known === undefined || known === prefix) return name
  const local = name.slice(colon + 1)
  return known === '' ? local : `${known}:${local}`
}

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
