/** Footnotes of a page, as EPUB and pandoc mark them: https://www.w3.org/TR/dpub-aria-1.1/ */
import { elementsIn } from '../../../books/book/links.ts'
import { decodePercent } from '../../../common/addresses.ts'
import type { XmlElement } from '../../../common/xml/element.ts'

const hasType = ({ attributes }: XmlElement, pattern: RegExp) =>
  pattern.test(`${attributes['epub:type'] ?? ''} ${attributes.role ?? ''}`)

const isReference = (element: XmlElement) =>
  element.name === 'a' &&
  (hasType(element, /\bnoteref\b/) || /\bfootnote-ref\b/.test(element.attributes.class ?? ''))
const NOTE = /\b(?:foot|end|rear)note\b/
const NOTES = /\b(?:foot|end|rear)notes\b/

/** The elements that are notes, and the links that refer to them. */
export class NoteElements {
  readonly #keys = new Map<XmlElement, string>()
  readonly #notes = new Map<XmlElement, string>()
  readonly #rules = new Set<XmlElement>()

  /** @param name makes the key of the note with an `id` */
  constructor(root: XmlElement, name: (id: string) => string) {
    const references = [...elementsIn(root)].filter(isReference)
    if (references.length === 0) return
    const byId = new Map<string, XmlElement>()
    const collect = (element: XmlElement, isInNotes: boolean) => {
      const isNotes =
        isInNotes || hasType(element, NOTES) || /\bfootnotes\b/.test(element.attributes.class ?? '')
      for (const child of element.children) {
        if (typeof child === 'string') continue
        const { id } = child.attributes
        if (isNotes && child.name === 'hr') this.#rules.add(child)
        if (id && (hasType(child, NOTE) || (isNotes && child.name === 'li'))) byId.set(id, child)
        collect(child, isNotes)
      }
    }
    collect(root, false)
    for (const reference of references) {
      const { href = '' } = reference.attributes
      const id = decodePercent(href.slice(1))
      const note = href.startsWith('#') ? byId.get(id) : undefined
      if (!note) continue
      this.#keys.set(reference, name(id))
      this.#notes.set(note, name(id))
    }
  }

  /** Whether an element is a note, which does not stand in the text. */
  isNote(element: XmlElement): boolean {
    return this.#notes.has(element)
  }

  /** Whether a line only parts the text from its notes. */
  isRuleAbove(element: XmlElement): boolean {
    return this.#rules.has(element)
  }

  /** The key of the note that a link refers to. */
  keyOf(element: XmlElement): string | undefined {
    return this.#keys.get(element)
  }

  /** The notes by key, without the links back from them, in the order of their references. */
  *all(): Generator<[string, XmlElement]> {
    for (const [element, key] of this.#notes) yield [key, withoutLinksBack(element)]
  }
}

const isLinkBack = (element: XmlElement) =>
  element.name === 'a' &&
  (hasType(element, /\b(?:doc-backlink|backlink)\b/) ||
    /\bfootnote-back(?:ref)?\b/.test(element.attributes.class ?? ''))

const withoutLinksBack = (element: XmlElement): XmlElement => ({
  ...element,
  children: element.children.flatMap((child): XmlElement['children'] =>
    typeof child === 'string' ? [child] : isLinkBack(child) ? [] : [withoutLinksBack(child)],
  ),
})
