import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { voidElements } from '../../../common/html-elements.ts'
import type { XmlElement } from '../../../common/xml/element.ts'
import { EPUB, MATHML, SVG, XHTML } from '../../../common/xml/namespaces.ts'
import { MAX_DEPTH } from '../../../common/xml/tree.ts'

/** Self-closing tags such as `<a id="x"/>`, which XHTML allows for all elements and HTML only for those above. */
const openEmpty = /<([A-Za-z][\w:-]*)((?:\s+[^<>"'=\s/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]*))?)*)\s*\/>/g

/**
 * Reads tag soup as browsers do (https://html.spec.whatwg.org/multipage/parsing.html) into a tree like that of `readTree`.
 */
export function repairHtml(text: string): XmlElement {
  const isXhtml = /<\?xml|xmlns\s*=/.test(text.slice(0, 2000))
  const source = isXhtml
    ? text
        .replace(/^\s*<\?xml[^>]*\?>/, '')
        .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, inner: string) => inner.replace(/[<&]/g, escaped))
        .replace(openEmpty, (whole, name: string, attributes: string) =>
          voidElements.has(name.toLowerCase()) || isForeign(name)
            ? whole
            : `<${name}${attributes}></${name}>`,
        )
    : text
  const document = parse(source)
  const html = document.childNodes.find((node): node is Element => 'tagName' in node)
  if (!html) return { name: 'html', attributes: { xmlns: XHTML, 'xmlns:epub': EPUB }, children: [] }
  return convert(html)
}

type Element = DefaultTreeAdapterTypes.Element

const escaped = (sign: string) => (sign === '<' ? '&lt;' : '&amp;')

/** Elements of SVG and MathML that stay self-closing, which HTML allows there. */
const foreign = new Set(
  'circle ellipse line path polygon polyline rect stop use image mspace mprescripts none g defs text tspan'.split(
    ' ',
  ),
)
const isForeign = (name: string) => foreign.has(name)

function convert(root: Element): XmlElement {
  const result = elementOf(root, '')
  result.attributes['xmlns:epub'] = EPUB
  const waiting: { node: Element; element: XmlElement; depth: number }[] = [
    { node: root, element: result, depth: 1 },
  ]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, element, depth } = next
    for (const child of node.childNodes) {
      if ('value' in child) element.children.push(child.value)
      else if ('tagName' in child) {
        const made = elementOf(child, node.namespaceURI)
        // Elements below the maximum depth become siblings instead of children.
        element.children.push(made)
        waiting.push({ node: child, element: depth < MAX_DEPTH ? made : element, depth: depth + 1 })
      }
    }
  }
  return result
}

function elementOf({ tagName, attrs, namespaceURI }: Element, outer: string): XmlElement {
  const attributes: Record<string, string> = {}
  if (namespaceURI !== outer) attributes.xmlns = nameOf(namespaceURI)
  for (const { name, value, prefix } of attrs) {
    const key = prefix && prefix !== 'xmlns' ? `${prefix}:${name}` : name
    if (
      key.startsWith('xmlns') ||
      prefix === 'xmlns' ||
      !/^[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?$/.test(key)
    )
      continue
    if (key.includes(':') && !/^(?:epub|xlink|xml|ssml):/.test(key)) continue
    attributes[key] = value
  }
  const name = /^[A-Za-z_][\w.-]*$/.test(tagName) ? tagName : 'span'
  return { name, attributes, children: [] }
}

const nameOf = (namespace: string) => (namespace === SVG ? SVG : namespace === MATHML ? MATHML : XHTML)
