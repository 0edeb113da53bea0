import { joinTarget } from '../../../books/book/links.ts'
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
