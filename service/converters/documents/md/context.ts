import { literal, textContent } from '../../../engines/typst/index.ts'
import { type Anchors, nameInLink } from './headings.ts'
import type { Token } from './parse.ts'
import type { KnownPicture } from './pictures.ts'

export interface Given {
  anchors: Anchors
  pictures: ReadonlyMap<string, KnownPicture | undefined>
  /** Room for text on a page, in points. */
  area: { width: number; height: number }
  /** Letters that are not shown, because no font has them and the target allows no gaps. */
  unshowable: ReadonlySet<string>
  /** What stands in their place. */
  substitute: string
  /** Formulas that Typst has refused. */
  badFormulas: ReadonlySet<string>
  /** Content of the footnotes by their number. */
  notes: ReadonlyMap<number, Token[]>
}

/** Notes within notes. */
const MAX_NOTE_DEPTH = 4

/** Longer words may break anywhere, or they would leave the page. */
const LONG_WORD = /[^\s\u200b]{60,}/g

/** What a document knows of itself while it is set, and what it finds on the way. */
export class Context {
  /** LaTeX and Typst of every formula that was set. */
  readonly formulas = new Map<string, string>()
  /** Addresses of pictures that are not in the file. */
  readonly lostPictures = new Set<string>()
  /** Tables of HTML that the text is in. */
  tableDepth = 0
  readonly area: Given['area']
  readonly #given: Given
  readonly #setNote: (tokens: Token[], context: Context) => string
  readonly #marked = new Set<string>()
  readonly #openNotes = new Set<number>()

  constructor(given: Given, setNote: (tokens: Token[], context: Context) => string) {
    this.#given = given
    this.area = given.area
    this.#setNote = setNote
  }

  /** Text as content. */
  text(text: string): string {
    const breakable = text.replace(LONG_WORD, word => word.replace(/.{20}/gu, '$&\u200b'))
    return textContent(this.showable(breakable))
  }

  /** Text without the letters that the target cannot show. */
  showable(text: string): string {
    return showable(text, this.#given.unshowable, this.#given.substitute)
  }

  isBadFormula(formula: string): boolean {
    return this.#given.badFormulas.has(formula)
  }

  picture(address: string): KnownPicture | undefined {
    return this.#given.pictures.get(address)
  }

  lostPicture(address: string): void {
    this.lostPictures.add(address)
  }

  /** Where a link leads, as Typst's `link` takes it. */
  linkTarget(address: string): string | undefined {
    const name = nameInLink(address)
    if (name === undefined) {
      return /^(?:https?|ftp|mailto|tel):./i.test(address) && address.length < 4000
        ? literal(address)
        : undefined
    }
    const label = this.#given.anchors.byName.get(name)
    return label ? `label(${literal(label)})` : undefined
  }

  /** Marks a place that links lead to, once. */
  anchor(names: readonly string[]): string {
    const [name = ''] = names
    const label = this.#given.anchors.byName.get(name.toLowerCase())
    if (!label?.startsWith('a:') || this.#marked.has(label)) return ''
    this.#marked.add(label)
    return `#metadata(none)#label(${literal(label)})`
  }

  /** A note at the foot of the page, the second time as another mark of the same note. */
  footnote(token: Token, inHeading: boolean): string {
    const { id } = token.meta as { id: number }
    const content = this.#given.notes.get(id)
    // A note that refers to itself would never end.
    if (!content || this.#openNotes.has(id) || this.#openNotes.size >= MAX_NOTE_DEPTH) return ''
    const label = `n:${id}`
    if (this.#marked.has(label)) return `#footnote(label(${literal(label)}));`
    this.#openNotes.add(id)
    const body = this.#setNote(content, this).trim()
    this.#openNotes.delete(id)
    if (inHeading) return `#heading-note[${body}];`
    if (this.#marked.has(label)) return `#footnote[${body}];`
    this.#marked.add(label)
    return `#footnote[${body}]#label(${literal(label)})`
  }
}

/** Text with a sign in the place of letters that cannot be shown. */
export const showable = (text: string, unshowable: ReadonlySet<string>, substitute: string): string =>
  unshowable.size === 0
    ? text
    : [...text].map(letter => (unshowable.has(letter) ? substitute : letter)).join('')
