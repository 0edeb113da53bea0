import { textOf, type XmlElement } from '../../common/xml/element.ts'
import { elementsIn, joinTarget } from './links.ts'
import type { NavigationEntry } from './model.ts'

const MAX_ENTRIES = 2000
const MAX_TITLE = 200

/**
 * Table of contents for a book that has none: an entry for each document with a heading, with nested entries for its other
 * headings that can be linked.
 */
export function contentsFromHeadings(
  hrefs: readonly string[],
  rootOf: (href: string) => XmlElement,
): NavigationEntry[] {
  const entries: NavigationEntry[] = []
  let count = 0
  for (const href of hrefs) {
    let entry: NavigationEntry | undefined
    for (const element of elementsIn(rootOf(href))) {
      if (!/^h[1-3]$/.test(element.name)) continue
      const title = textOf(element).replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE)
      const { id } = element.attributes
      if (title === '' || (entry && !id)) continue
      if (++count > MAX_ENTRIES) return entries
      if (entry) entry.children.push({ title, href: joinTarget(href, id), children: [] })
      else {
        entry = { title, href: joinTarget(href), children: [] }
        entries.push(entry)
      }
    }
  }
  return entries
}
