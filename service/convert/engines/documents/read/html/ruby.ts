import { elementsOf, textOf, type XmlElement } from '../../../common/xml/element.ts'
import type { Inline, Ruby } from '../../model.ts'

/**
 * Pairs of text and reading: https://html.spec.whatwg.org/multipage/text-level-semantics.html#the-ruby-element
 * @param read reads text that has a reading
 */
export function readRuby(ruby: XmlElement, read: (children: XmlElement['children']) => Inline[]): Ruby[] {
  const words = (element: XmlElement) => textOf(element).replace(/\s+/g, ' ').trim()
  const [open, close] = elementsOf(ruby).flatMap(child => (child.name === 'rp' ? words(child) : []))
  const brackets = open && close ? { brackets: [open, close] as [string, string] } : {}
  const pairs: Ruby[] = []
  let bases: Inline[][] = []
  let next = 0
  const finish = () => {
    for (const base of bases.slice(next)) pairs.push({ kind: 'ruby', base, reading: '' })
    bases = []
    next = 0
  }
  const addReading = (reading: string) => {
    const base = bases[next++]
    // Readings follow each base, or all of them after all bases.
    if (base) pairs.push({ kind: 'ruby', base, reading, ...brackets })
    else if (pairs.length > 0) pairs.at(-1)!.reading += reading
  }
  for (const child of ruby.children) {
    const name = typeof child === 'object' ? child.name : ''
    if (name === 'rp') continue
    if (name === 'rt') addReading(words(child as XmlElement))
    else if (name === 'rtc') for (const inner of elementsOf(child as XmlElement)) addReading(words(inner))
    else {
      const base = read([child])
      if (base.length === 0) continue
      if (next > 0) finish()
      const last = bases.at(-1)
      // Text and marked text before a reading are one base, elements made for it are one each.
      if (last && name !== 'rb') last.push(...base)
      else bases.push(base)
    }
  }
  finish()
  return pairs
}
