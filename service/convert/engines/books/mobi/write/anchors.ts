import { splitTarget } from '../../book/links.ts'

/** Positions in the text of documents and of their elements with ids. */
export class Anchors {
  readonly #documents = new Map<string, { start: number; ids: Map<string, number> }>()

  /** Begins a document. */
  begin(href: string, start: number): void {
    this.#documents.set(href, { start, ids: new Map() })
  }

  /** Adds an element of a document that has started; of several with the same id the first counts. */
  add(href: string, id: string, position: number): void {
    const ids = this.#documents.get(href)?.ids
    if (ids && !ids.has(id)) ids.set(id, position)
  }

  /** Position of a target, or of its document if that has no such element. */
  find(target: string): number | undefined {
    const { href, fragment } = splitTarget(target)
    const document = this.#documents.get(href)
    return document?.ids.get(fragment) ?? document?.start
  }
}
