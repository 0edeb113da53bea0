/** HTML within Markdown, without what could run, load or hide something. */
import { bodyOf, readXhtml } from '../../../engines/books/book/markup/document.ts'
import { escapeXml, writeElement } from '../../../engines/books/book/markup/write.ts'
import type { XmlElement } from '../../../engines/common/xml/element.ts'

/** The elements of Markdown itself, and those that GitHub shows; of others the content is kept. */
const KEPT = new Set(
  'a abbr b blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p picture pre q rp rt ruby s samp section small span strike strong sub summary sup table tbody td tfoot th thead tr tt u ul var'.split(
    ' ',
  ),
)
const GONE = new Set(
  'applet embed frame iframe math noscript object script style svg template title'.split(' '),
)
const ATTRIBUTES = new Set(
  'align alt cellpadding checked class colspan dir disabled height href id lang name open rowspan scope src start title type value width'.split(
    ' ',
  ),
)

/**
 * @param html within `body`
 * @param lost hears of pictures that are not in the file, which are named in their places; without it they stay
 */
export const safeHtml = (html: string, lost?: (address: string) => void): string =>
  safeIn(bodyOf(readXhtml(`<!DOCTYPE html><html><body>${html}</body></html>`).root), lost)
    .map(child => (typeof child === 'string' ? escapeXml(child) : writeElement(child)))
    .join('')
    .trim()

function safeIn(
  { name: parent, children }: XmlElement,
  lost?: (address: string) => void,
): (XmlElement | string)[] {
  return children.flatMap(child => {
    if (typeof child === 'string') return [child]
    const { name, attributes } = child
    if (GONE.has(name) || (name === 'input' && attributes.type !== 'checkbox')) return []
    const { src = '', alt = '' } = attributes
    if (lost && name === 'img' && !/^data:/i.test(src)) {
      lost(src)
      const text = `[${alt || src}]`
      const isLink = parent !== 'a' && /^https?:/i.test(src)
      return [isLink ? { name: 'a', attributes: { href: src }, children: [text] } : text]
    }
    const inner = safeIn(child, lost)
    if (!KEPT.has(name)) return inner
    const kept = Object.entries(attributes).filter(
      ([key, value]) => ATTRIBUTES.has(key) && (!/^(?:href|src)$/.test(key) || isSafe(name, value)),
    )
    return [{ name, attributes: Object.fromEntries(kept), children: inner }]
  })
}

/** Addresses that only lead somewhere or show a picture. */
const isSafe = (element: string, address: string): boolean => {
  // Browsers ignore control characters and spaces in the scheme.
  const [, scheme = ''] = /^([a-z][\w+.-]*):/i.exec(address.replace(/[\0-\x20]/g, '')) ?? []
  if (element === 'img' && /^data:image\//i.test(address)) return true
  return scheme === '' || /^(?:https?|mailto|ftp|tel)$/i.test(scheme)
}
