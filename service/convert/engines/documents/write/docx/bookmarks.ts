import { entriesOf, joinTarget } from '../../../books/book/links.ts'
import type { Book } from '../../../books/book/model.ts'
import { escapeXml } from '../../../common/xml/characters.ts'
import { documentOf } from './documents.ts'
import type { Story } from './story.ts'

/** Bookmarks of the Word document: one for each link target of the book. */
export class Bookmarks {
  readonly #places: ReadonlyMap<string, string>
  readonly #numbers: ReadonlyMap<string, number>
  readonly #byDocument: ReadonlyMap<string, readonly string[]>
  readonly #marked = new Set<string>()

  /** @param places targets by link */
  constructor(places: ReadonlyMap<string, string>) {
    const distinct = [...new Set(places.values())]
    this.#places = places
    this.#numbers = new Map(distinct.map((place, index) => [place, index + 1]))
    this.#byDocument = Map.groupBy(distinct, documentOf)
  }

  /** Name of a link's bookmark; undefined if there is none. */
  anchor(target: string): string | undefined {
    const place = this.#places.get(target)
    const number = place === undefined ? undefined : this.#numbers.get(place)
    return number === undefined ? undefined : nameOf(number)
  }

  /** Marks a place if it is a link target and not marked yet. */
  mark(place: string, story: Story): void {
    const number = this.#numbers.get(place)
    if (number === undefined || this.#marked.has(place)) return
    this.#marked.add(place)
    story.place(
      `<w:bookmarkStart w:id="${number}" w:name="${nameOf(number)}"/><w:bookmarkEnd w:id="${number}"/>`,
    )
  }

  /** Marks all places of a document that are not marked yet, such as those in hidden parts. */
  markDocument(href: string, story: Story): void {
    this.mark(joinTarget(href), story)
    for (const place of this.#byDocument.get(href) ?? []) this.mark(place, story)
  }

  /** Marks all places of the book that are not marked yet. */
  markAll(story: Story): void {
    for (const places of this.#byDocument.values()) for (const place of places) this.mark(place, story)
  }
}

const nameOf = (number: number) => `b${number}`

const DEEPEST_ENTRY = 9

/** The book's table of contents, as a field that Word can update from the headings. */
export function contentsXml({ navigation, landmarks }: Book, bookmarks: Bookmarks): string {
  const title = landmarks.find(({ type }) => type === 'toc')?.title || 'Contents'
  const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
  const begin = `${mark('begin')}<w:r><w:instrText xml:space="preserve"> TOC \\o "1-3" \\h \\z \\u </w:instrText></w:r>${mark('separate')}`
  const entries = [...entriesOf(navigation)].map(({ title: name, href, depth }, index, { length }) => {
    const anchor = href === null ? undefined : bookmarks.anchor(href)
    const style = `<w:pPr><w:pStyle w:val="TOC${Math.min(depth + 1, DEEPEST_ENTRY)}"/></w:pPr>`
    return `<w:p>${style}${index === 0 ? begin : ''}${linkXml(anchor, name)}${index === length - 1 ? mark('end') : ''}</w:p>`
  })
  return `<w:p><w:pPr><w:pStyle w:val="Contents"/></w:pPr>${linkXml(undefined, title)}</w:p>${entries.join('')}`
}

/** Text of a link to a place of the document. */
function linkXml(anchor: string | undefined, text: string): string {
  const run = `<w:r><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`
  return anchor === undefined ? run : `<w:hyperlink w:anchor="${anchor}" w:history="1">${run}</w:hyperlink>`
}
