/** Footnotes of a page, as EPUB and pandoc mark them: https://www.w3.org/TR/dpub-aria-1.1/ */
import { decodePercent } from '../../../common/addresses.ts'
import { elementsOf, type XmlElement } from '../../../common/xml/element.ts'

const hasType = ({ attributes }: XmlElement, pattern: RegExp) =>
  pattern.test(`${attributes['epub:type'] ?? ''} ${attributes.role ?? ''}`)

const NOTE = /\b(?:foot|end|rear)note\b/
const NOTES = /\b(?:foot|end|rear)notes\b/

/** The elements that are notes, and the links that refer to them. */
export class NoteElements {
  readonly #keys = new Map<XmlElement, string>()
  readonly #notes = new Map<XmlElement, string>()
  readonly #linksBack = new Set<XmlElement>()
  readonly #rules = new Set<XmlElement>()

  /** @param name makes the key of the note with an `id` */
  constructor(root: XmlElement, name: (id: string) => string) {
    const byId = new Map<string, XmlElement>()
    const references: XmlElement[] = []
    const visit = (element: XmlElement, isInNotes: boolean) => {
      const isNotes =
        isInNotes || hasType(element, NOTES) || /\b(?:foot|end)notes\b/.test(element.attributes.class ?? '')
      let before: XmlElement | undefined
      for (const child of elementsOf(element)) {
        const { id, class: names = '' } = child.attributes
        if (child.name === 'hr' && isNotes) this.#rules.add(child)
        // A line between the text and its notes.
        if (before?.name === 'hr' && (hasType(child, NOTES) || /\b(?:foot|end)notes\b/.test(names)))
          this.#rules.add(before)
        const isNote = hasType(child, NOTE) || (isNotes && child.name === 'li')
        if (id && isNote) byId.set(id, child)
        if (isLinkBack(child)) this.#linksBack.add(child)
        else if (child.name === 'a') references.push(child)
        visit(child, isNotes || isNote)
        before = child
      }
    }
    visit(root, false)
    for (const reference of references) {
      const { href = '' } = reference.attributes
      const id = decodePercent(href.slice(1))
      const note = href.startsWith('#') ? byId.get(id) : undefined
      if (!note) continue
      this.#keys.set(reference, name(id))
      this.#notes.set(note, name(id))
    }
  }

  /** Whether an element is a note, which does not stand in the text, or a link back from one. */
  isLeftOut(element: XmlElement): boolean {
    return this.#notes.has(element) || (this.#notes.size > 0 && this.#linksBack.has(element))
  }

  /** Whether a line only parts the text from its notes. */
  isRuleAbove(element: XmlElement): boolean {
    return this.#rules.has(element)
  }

  /** The key of the note that a link refers to. */
  keyOf(element: XmlElement): string | undefined {
    return this.#keys.get(element)
  }

  /** The notes by key, in the order of their references. */
  *all(): Generator<[string, XmlElement]> {
    for (const [element, key] of this.#notes) yield [key, element]
  }
}

const isLinkBack = (element: XmlElement) =>
  element.name === 'a' &&
  (hasType(element, /\b(?:doc-backlink|backlink)\b/) ||
    /\b(?:footnote-back(?:ref)?|reversefootnote)\b/.test(element.attributes.class ?? ''))
