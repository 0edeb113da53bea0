import type { XmlElement } from '../../../common/xml/element.ts'
import { EPUB, XHTML } from '../../../common/xml/namespaces.ts'

const named = (name: string, list: string): [string, string][] => list.split(' ').map(each => [each, name])

/** Elements of XHTML by those of DTBook that have another name. */
const names: ReadonlyMap<string, string> = new Map([
  ['dtbook', 'html'],
  ['book', 'body'],
  ['doctitle', 'h1'],
  ['imggroup', 'figure'],
  ...named('section', 'frontmatter bodymatter rearmatter level level1 level2 level3 level4 level5 level6'),
  ...named('div', 'linegroup poem prodnote'),
  ...named('aside', 'annotation note sidebar'),
  ...named('blockquote', 'epigraph'),
  ...named('p', 'author bridgehead byline covertitle dateline docauthor hd line'),
  ...named('span', 'lic linenum pagenum sent w'),
  ...named('a', 'annoref noteref'),
])

/** Attributes that mean the same in both. */
const KEPT =
  /^(?:id|class|title|dir|xml:lang|style|src|alt|width|height|href|colspan|rowspan|span|scope|cite|start)$/

/**
 * A document of DAISY's talking books (DTBook, ANSI/NISO Z39.86), which EPUB 2 allows, as XHTML.
 * @param root its `dtbook` element
 */
export function htmlOfDtbook(root: XmlElement): XmlElement {
  const html = converted(root, '')
  html.attributes = { ...html.attributes, xmlns: XHTML, 'xmlns:epub': EPUB }
  return html
}

function converted({ name, attributes, children }: XmlElement, parent: string): XmlElement {
  const kept = Object.fromEntries(Object.entries(attributes).filter(([key]) => KEPT.test(key)))
  const reference = attributes.idref ?? ''
  if (/^(?:anno|note)ref$/.test(name)) kept.href = reference.includes('#') ? reference : `#${reference}`
  if (name === 'noteref') kept['epub:type'] = 'noteref'
  if (name === 'note') kept['epub:type'] = 'footnote'
  if (name === 'meta') Object.assign(kept, { name: attributes.name ?? '', content: attributes.content ?? '' })
  if (name === 'link') Object.assign(kept, { rel: attributes.rel ?? '', type: attributes.type ?? '' })
  return {
    name: nameOf(name, attributes, parent),
    attributes: kept,
    children: children.map(child => (typeof child === 'string' ? child : converted(child, name))),
  }
}

function nameOf(name: string, { type }: XmlElement['attributes'], parent: string): string {
  if (name === 'list') return type === 'ol' ? 'ol' : 'ul'
  if (name === 'caption' && parent !== 'table') return 'figcaption'
  return names.get(name) ?? name
}
