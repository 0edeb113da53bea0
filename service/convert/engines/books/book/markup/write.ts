import { voidElements } from '../../../common/html-elements.ts'
import { escapeXml } from '../../../common/xml/characters.ts'
import type { XmlElement } from '../../../common/xml/element.ts'
import { MATHML, namespaceOf, SVG, XHTML } from '../../../common/xml/namespaces.ts'

const roots = new Map([
  ['html', XHTML],
  ['svg', SVG],
  ['math', MATHML],
])

/** Writes a complete XHTML or SVG file. */
export function writeDocument(root: XmlElement): string {
  const doctype = root.name === 'html' ? '<!DOCTYPE html>\n' : ''
  return `<?xml version="1.0" encoding="UTF-8"?>\n${doctype}${writeElement(root)}\n`
}

/** Writes an element as XML; prefixes of EPUB, XLink and SSML are declared where they are first used. */
export function writeElement(element: XmlElement): string {
  const parts: string[] = []
  write(element, new Set(['xml', 'xmlns']), true, parts)
  return parts.join('')
}

function write(element: XmlElement, known: ReadonlySet<string>, isXhtml: boolean, parts: string[]): void {
  const { name, attributes, children } = element
  let declared = known
  let isInXhtml = isXhtml
  parts.push('<', name)
  const namespace = attributes.xmlns ?? roots.get(name)
  if (namespace !== undefined) {
    isInXhtml = namespace === XHTML
    if (attributes.xmlns === undefined) parts.push(' xmlns="', namespace, '"')
  }
  for (const key in attributes) {
    parts.push(' ', key, '="', attributeText(attributes[key]!), '"')
    const colon = key.indexOf(':')
    if (colon < 0) continue
    const isDeclaration = key.startsWith('xmlns:')
    const prefix = isDeclaration ? key.slice(6) : key.slice(0, colon)
    if (declared.has(prefix)) continue
    declared = new Set(declared).add(prefix)
    const usual = namespaceOf.get(prefix)
    if (!isDeclaration && usual && attributes[`xmlns:${prefix}`] === undefined) {
      parts.push(' xmlns:', prefix, '="', usual, '"')
    }
  }
  // Others get an end tag, so that HTML parsers see the same.
  if (children.length === 0 && (!isInXhtml || voidElements.has(name))) {
    parts.push('/>')
    return
  }
  parts.push('>')
  for (const child of children) {
    if (typeof child === 'string') parts.push(escapeXml(child))
    else write(child, declared, isInXhtml, parts)
  }
  parts.push('</', name, '>')
}

/** The value of an attribute, whose line ends and tabs would be read as spaces. */
export const attributeText = (value: string): string =>
  escapeXml(value).replace(/[\n\t\r]/g, sign => `&#${sign.charCodeAt(0)};`)
