/** What LaTeX counts, and what references to it say. */
import { escapeXml } from '../../../common/xml/characters.ts'
import { link } from '../by-html.ts'

export const SECTIONS = [
  'part',
  'chapter',
  'section',
  'subsection',
  'subsubsection',
  'paragraph',
  'subparagraph',
]

export class TexNumbers {
  /** By the places that references name. */
  readonly #numbers = new Map<string, string>()
  readonly #counts: Record<string, number> = {}
  /** Of the next place. */
  current = ''

  count(kind: string): void {
    const count = (this.#counts[kind] ?? 0) + 1
    this.#counts[kind] = count
    this.current = String(count)
  }

  /** Counts a section of a kind, by its number among all. */
  countSection(kind: number): void {
    for (const lower of SECTIONS.slice(kind + 1)) this.#counts[lower] = 0
    this.count(SECTIONS[kind]!)
    this.current = SECTIONS.slice(1, kind + 1)
      .flatMap(name => this.#counts[name] || [])
      .join('.')
  }

  /** Has references to a place say the current number. */
  name(place: string): void {
    this.#numbers.set(place, this.current)
  }

  /** A link that says the number of a place once all of them are known. */
  referenceTo = (place: string): string => link(`#${place}`, `\u0001${escapeXml(place)}\u0002`)

  /** HTML whose links say numbers. */
  resolved = (html: string): string =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the names of references stand between them
    html.replace(/\u0001([^\u0002]*)\u0002/g, (_, name) => this.#numbers.get(name) ?? `[${name}]`)
}
