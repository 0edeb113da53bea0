/** Wraps content in complete documents. */

import { childOf, elementsOf, elementWith, textOf, type XmlElement } from '../../../common/xml/element.ts'
import { EPUB, XHTML } from '../../../common/xml/namespaces.ts'
import { bodyOf } from '../../book/markup/document.ts'
import type { BookBuilder } from './book-builder.ts'

const KEPT_IN_HEAD = new Set(['link', 'style'])

/** A complete document with the body, style sheets and language of the original, and the book's title if it has none. */
export function documentOf(
  root: XmlElement,
  builder: BookBuilder,
  styleSheets: readonly string[] = [],
): XmlElement {
  const head = childOf(root, 'head')
  const body = bodyOf(root)
  const title = textOf(childOf(head, 'title')).trim() || builder.facts.title || '—'
  const language = root.attributes['xml:lang'] || root.attributes.lang || builder.facts.language
  const { dir, class: className } = root.attributes
  const links = styleSheets.map(href =>
    elementWith('link', [], { rel: 'stylesheet', type: 'text/css', href }),
  )
  const kept = elementsOf(head).filter(
    ({ name, attributes }) =>
      KEPT_IN_HEAD.has(name) && (name !== 'link' || (attributes.href && isStyle(attributes))),
  )
  return elementWith(
    'html',
    [
      elementWith('head', [elementWith('title', [title]), ...viewport(head, builder), ...links, ...kept]),
      elementWith('body', body.children, body === root ? {} : body.attributes),
    ],
    {
      ...{ xmlns: XHTML, 'xmlns:epub': EPUB, lang: language, 'xml:lang': language },
      ...(dir && { dir }),
      ...(className && { class: className }),
    },
  )
}

const isStyle = ({ rel = '' }: Record<string, string>) => /\bstylesheet\b/i.test(rel)

/** The `meta` with the page size, which fixed-layout documents declare. */
function viewport(head: XmlElement | undefined, { facts: { viewport: size } }: BookBuilder): XmlElement[] {
  const own = elementsOf(head).find(
    ({ name, attributes }) => name === 'meta' && attributes.name?.toLowerCase() === 'viewport',
  )?.attributes.content
  const content =
    own && /width\s*=\s*\d+.*height\s*=\s*\d+/.test(own)
      ? own
      : size && `width=${size.width}, height=${size.height}`
  return content ? [elementWith('meta', [], { name: 'viewport', content })] : []
}
