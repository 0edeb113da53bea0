import type { Token } from '../../../engines/documents/read/markdown/parse.ts'
import { literal, textContent } from '../../../engines/documents/typst/index.ts'
import { type Anchors, nameInLink } from './headings.ts'
import type { KnownPicture } from './pictures.ts'

export interface Given {
  anchors: Anchors
  pictures: ReadonlyMap<string, KnownPicture | undefined>
  /** Size of the text area of a page, in points. */
  area: { width: number; height: number }
  /** Letters that are not shown, because no font has them and the target does not allow missing glyphs. */
  unshowable: ReadonlySet<string>
  /** Shown in their place. */
  substitute: string
  /** Formulas that Typst rejected. */
  badFormulas: ReadonlySet<string>
  /** Content of the footnotes by number. */
  notes: ReadonlyMap<number, Token[]>
}

/** Maximum depth of notes within notes. */
const MAX_NOTE_DEPTH = 4

/** Longer words may break anywhere, since they would overflow the page. */
const LONG_WORD = /[^\s\u200b]{60,}/g

/** The state of a document while it is set, and what is found on the way. */
export class Context {
  /** LaTeX and Typst source of every formula that was set. */
  readonly formulas = new Map<string, string>()
  /** Addresses of pictures that are not in the file, or cannot be read. */
  readonly lostPictures = new Set<string>()
  /** How many HTML tables the text is nested in. */
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

  /** Text as Typst content. */
  text(text: string): string {
    const breakable = text.replace(LONG_WORD, word => word.replace(/.{20}/gu, '$&\u200b'))
    return textContent(this.showable(breakable))
  }

  /** The text, with letters that the target cannot show replaced. */
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

  /** The target of a link, in the form that Typst's `link` takes. */
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

  /** Marks a link target, once. */
  anchor(names: readonly string[]): string {
    const [name = ''] = names
    const label = this.#given.anchors.byName.get(name.toLowerCase())
    if (!label?.startsWith('a:') || this.#marked.has(label)) return ''
    this.#marked.add(label)
    return `#metadata(none)#label(${literal(label)})`
  }

  /** A footnote; further references become marks of the same note. */
  footnote(token: Token, inHeading: boolean): string {
    const { id } = token.meta as { id: number }
    const content = this.#given.notes.get(id)
    // Without this, a note that refers to itself would never end.
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

/** The text with a substitute for letters that cannot be shown. */
export const showable = (text: string, unshowable: ReadonlySet<string>, substitute: string): string =>
  unshowable.size === 0
    ? text
    : [...text].map(letter => (unshowable.has(letter) ? substitute : letter)).join('')
