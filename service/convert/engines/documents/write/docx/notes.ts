/** Finds footnotes and endnotes, and their references. */
import { elementsIn, joinTarget, splitTarget } from '../../../books/book/links.ts'
import { bodyOf } from '../../../books/book/markup/document.ts'
import { elementsOf, textOf, type XmlElement } from '../../../common/xml/element.ts'
import { type Documents, documentOf, targetOf, typesOf } from './documents.ts'

/** A reference to a possible note. */
export interface Reference {
  /** Place of the note. */
  target: string
  /** Document it stands in. */
  href: string
  /** Places that link back to it. */
  backs: string[]
  /** The printed mark: `1`, `[2]`, `*`. */
  mark: string
  /** Whether the book declares it as a reference to a note. */
  isMarked: boolean
}

export interface Note {
  element: XmlElement
  /** Document it stands in. */
  href: string
  /** Places of its references. */
  backs: Set<string>
  /** What is printed there. */
  marks: Set<string>
}

const NOTE_TYPES = new Set(['footnote', 'endnote', 'rearnote', 'note'])
const BLOCKS = /^(?:aside|li|p|div|section|dd)$/
/** Anything longer is a chapter rather than a note. */
const LONGEST = 20_000

/** Whether a text is a printed mark of a note: `1`, `[2]`, `*`, `iv.`; or nothing, as with a picture of a mark. */
export const isNoteMark = (text: string): boolean =>
  text === '' || /^[[(]?(?:\d{1,4}|[a-z]|[ivxl]{1,6}|[*†‡§¶]{1,4})[\])]?\.?$/i.test(text)

/**
 * Elements that are notes, by their places. A declared reference always leads to one; another link does if it is a
 * superscript mark, and a link leads from there back to it, as in EPUB 2.
 */
export function notesOf(references: readonly Reference[], documents: Documents): Map<string, Note> {
  const notes = new Map<string, Note>()
  for (const [href, list] of Map.groupBy(references, ({ target }) => documentOf(target))) {
    const root = documents.root(href)
    if (!root) continue
    const before = notes.size
    takeNotes(bodyOf(root), href, list, notes)
    // Notes are identified by these element objects.
    if (notes.size > before) documents.keep(href, root)
  }
  return notes
}

function takeNotes(
  body: XmlElement,
  href: string,
  references: readonly Reference[],
  notes: Map<string, Note>,
): void {
  const targets = new Set(references.map(({ target }) => splitTarget(target).fragment))
  const blocks = blocksOf(body, targets)
  const owners = new Map<XmlElement, number>()
  for (const block of blocks.values()) owners.set(block, (owners.get(block) ?? 0) + 1)
  for (const [target, block] of blocks) {
    const own = references.filter(reference => reference.target === joinTarget(href, target))
    const backs = new Set(own.flatMap(reference => reference.backs))
    const isNote = typesOf(block).some(type => NOTE_TYPES.has(type))
    const leadsBack = [...elementsIn(block)].some(
      ({ name, attributes }) => name === 'a' && backs.has(targetOf(href, attributes.href) ?? ''),
    )
    const isMeant = own.some(({ isMarked }) => isMarked) || isNote
    // A block with several marks leading to it is a page of notes.
    if (!(isMeant || leadsBack) || owners.get(block)! > 1) continue
    if (textOf(block).length > LONGEST || textOf(block).trim() === '') continue
    const marks = new Set(own.map(({ mark }) => mark.replace(/[[\]().]/g, '')))
    notes.set(joinTarget(href, target), { element: block, href, backs, marks })
  }
}

/** The blocks for ids: for an id on a mark or an anchor, the surrounding block. */
function blocksOf(body: XmlElement, ids: ReadonlySet<string>): Map<string, XmlElement> {
  const found = new Map<string, XmlElement>()
  const visit = (element: XmlElement, block: XmlElement | undefined, isFirst: boolean) => {
    // The first paragraph of an entry represents the whole entry.
    const isWithin = isFirst && block !== undefined && /^(?:aside|li|dd)$/.test(block.name)
    const own = BLOCKS.test(element.name) && !isWithin ? element : block
    for (const id of [element.attributes.id, element.name === 'a' ? element.attributes.name : undefined])
      if (id && ids.has(id) && own && own !== body && !found.has(id)) found.set(id, own)
    for (const [index, child] of elementsOf(element).entries()) visit(child, own, index === 0)
  }
  visit(body, undefined, false)
  return found
}
