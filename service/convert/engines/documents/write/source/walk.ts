/** Writes a document in a markup language, given its words for blocks and marks; rst, AsciiDoc, Org, LaTeX and DocBook are such lists. */
import { type ByKind, byKind } from '../../../common/by-kind.ts'
import { latexOf } from '../../equations/write-tex.ts'
import type { Given, Writer } from '../../format.ts'
import {
  addText,
  type Block,
  type Document,
  type Inline,
  isTight,
  type List,
  type Marks,
  type Paragraph,
  type PictureUse,
  paragraphOf,
  plainText,
  run,
  splitSpaces,
  type Table,
  type TableCell,
} from '../../model.ts'
import { anchorsOf } from '../anchors.ts'
import { apart, spaced } from '../markdown/inline.ts'
import { withoutBlankEnds } from '../markdown/text.ts'
import { numbersOf } from '../notes.ts'

/** A table as a grid: what a merged cell covers is empty. */
export interface Grid {
  caption: string
  /** Rows of column heads at the top. */
  heads: number
  columns: number
  rows: string[][]
  cells: Cell[]
}

/** A cell with its place in the grid, and how many columns and rows it covers. */
export interface Cell extends Omit<TableCell, 'blocks'> {
  x: number
  y: number
  text: string
}

/** A markup language. All texts that it gets are written already, but for those of `escape`, `code` and `codeBlock`. */
export interface Markup {
  escape(text: string): string
  /** Marks in the order in which they enclose each other, from the inside. */
  marks: readonly (readonly [keyof Marks, (inner: string) => string])[]
  /** Whether a mark may be inside another one. */
  nests: boolean
  code(text: string): string
  lineBreak: string
  /** @param plain its text without marks */
  link(address: string, inner: string, plain: string): string
  reference(name: string, inner: string, plain: string): string
  anchor(name: string): string
  picture(address: string, description: string, use: PictureUse): string
  /** A picture that is a paragraph of its own. */
  image(address: string, description: string, use: PictureUse): string
  equation(tex: string, display: boolean, part: Extract<Inline, { kind: 'equation' }>): string
  /** The mark of a note, or the note itself where it stands in the text. */
  note(number: number, text: string): string
  /** What is between the blocks of a note; a space without it. */
  noteGap?: string
  /** Text with its reading; the reading stands in brackets behind it without this. */
  ruby?(base: string, reading: string): string
  /** @param depth from 1, without gaps, however the levels of the document go */
  heading(text: string, level: number, depth: number, name: string | undefined, plain: string): string
  paragraph(text: string, paragraph: Omit<Paragraph, 'kind'>): string
  codeBlock(text: string, language: string | undefined): string
  quote(text: string, alert: string | undefined): string
  rule: string
  list(items: readonly string[], list: List, isTight: boolean, depth: number): string
  definitions(items: readonly { term: string; texts: readonly string[] }[]): string
  table(grid: Grid): string
  figure(text: string, caption: string): string
  /** The whole file. */
  document(parts: {
    title: string
    body: string
    notes: readonly (readonly [number, string])[]
    document: Document
  }): string
}

/** Notes within notes. */
const MAX_NOTE_DEPTH = 4

/** Names of places that every language takes. */
const nameOf = (anchor: string) => `a-${anchor.replace(/[^A-Za-z0-9-]+/g, '-')}`

/** A writer for a language, of which each document gets one of its own. */
export const markupWriter =
  (languageOf: () => Markup): Writer =>
  (document, { address, fileName }: Pick<Given, 'address' | 'fileName'>) => {
    const markup = languageOf()
    const walk = new Walk(markup, document, address)
    const body = walk.blocks(document.blocks)
    return markup.document({ title: document.title || fileName, body, notes: walk.notes(), document })
  }

class Walk {
  readonly #markup: Markup
  readonly #document: Document
  readonly #address: Given['address']
  readonly #anchors: ReturnType<typeof anchorsOf>
  /** The names of headings that links lead to. */
  readonly #names: ReadonlyMap<Block, string>
  readonly #numbers: ReadonlyMap<string, number>
  readonly #open: number[] = []
  readonly #noteTexts = new Map<string, string>()
  #noteDepth = 0
  #depth = 0

  constructor(markup: Markup, document: Document, address: Given['address']) {
    this.#markup = markup
    this.#document = document
    this.#address = address
    this.#anchors = anchorsOf(document)
    const { headings, wanted } = this.#anchors
    const names = [...headings].filter(([name]) => wanted.has(name)).toReversed()
    this.#names = new Map(names.map(([name, heading]) => [heading, nameOf(name)]))
    this.#numbers = numbersOf(document.notes)
  }

  blocks(blocks: readonly Block[], gap = '\n\n'): string {
    return blocks
      .map(block => byKind(this.#writers, block))
      .filter(text => text !== '')
      .join(gap)
  }

  notes(): [number, string][] {
    return [...this.#document.notes].map(([key, blocks]) => [
      this.#numbers.get(key) ?? 0,
      this.blocks(blocks),
    ])
  }

  readonly #writers: ByKind<Block, string> = {
    heading: block => {
      const text = this.#inline(block.content.map(part => (part.kind === 'break' ? run(' ') : part)))
      if (text === '') return ''
      while ((this.#open.at(-1) ?? 0) >= block.level) this.#open.pop()
      this.#open.push(block.level)
      const name = this.#names.get(block)
      return this.#markup.heading(text, block.level, this.#open.length, name, plainText(block.content))
    },
    paragraph: block => {
      const [first, ...rest] = block.content.filter(
        part => part.kind !== 'anchor' && !(part.kind === 'text' && part.text.trim() === ''),
      )
      if (first?.kind === 'picture' && rest.length === 0) return this.#picture(first.picture, 'image')
      const text = this.#inline(block.content)
      return text === '' ? '' : this.#markup.paragraph(text, block)
    },
    code: ({ text, language }) => this.#markup.codeBlock(withoutBlankEnds(text), language),
    quote: ({ blocks, alert }) => this.#markup.quote(this.blocks(blocks), alert),
    figure: ({ blocks, caption }) => this.#markup.figure(this.blocks(blocks), this.#inline(caption)),
    details: block => {
      const summary = this.#inline(block.summary)
      const head = summary && this.#markup.paragraph(summary, paragraphOf(block.summary))
      return [head, this.blocks(block.blocks)].filter(Boolean).join('\n\n')
    },
    rule: () => this.#markup.rule,
    definitions: ({ items }) =>
      this.#markup.definitions(
        items.map(({ term, definitions }) => ({
          term: this.#inline(term),
          texts: definitions.map(each => this.blocks(each)),
        })),
      ),
    list: block => this.#list(block),
    table: block => this.#markup.table(this.#grid(block)),
  }

  #picture(use: PictureUse, as: 'image' | 'picture'): string {
    const address = this.#address(use)
    return address === undefined ? '' : this.#markup[as](address, use.description, use)
  }

  #list(list: List): string {
    this.#depth++
    const items = list.items.map(item => this.blocks(item))
    const text = this.#markup.list(items, list, isTight(list), this.#depth)
    this.#depth--
    return text
  }

  #grid({ rows, caption }: Table): Grid {
    const grid: string[][] = rows.map(() => [])
    const cells: Cell[] = []
    for (const [y, row] of rows.entries()) {
      let x = 0
      for (const { blocks, ...cell } of row.cells) {
        while (grid[y]![x] !== undefined) x++
        const height = Math.min(cell.rows, rows.length - y)
        let width = 1
        while (width < cell.columns && grid[y]![x + width] === undefined) width++
        const text = this.blocks(blocks)
        for (let down = 0; down < height; down++)
          for (let across = 0; across < width; across++)
            grid[y + down]![x + across] = down + across === 0 ? text : ''
        cells.push({ ...cell, columns: width, rows: height, x, y, text })
      }
    }
    const columns = grid.reduce((most, row) => Math.max(most, row.length), 1)
    const full = grid.map(row => Array.from({ length: columns }, (_, at) => row[at] ?? ''))
    const body = rows.findIndex(({ isHeader }) => !isHeader)
    const heads = Math.max(body, 0)
    return { caption: this.#inline(caption ?? []), heads, columns, rows: full, cells }
  }

  #inline(content: readonly Inline[]): string {
    return joined(spaced(content))
      .map(part => byKind(this.#parts, part))
      .join('')
      .trim()
  }

  #plain(content: readonly Inline[]): string {
    return this.#markup.escape(plainText(content).trim())
  }

  readonly #parts: ByKind<Inline, string> = {
    text: ({ text, marks }) => this.#run(text, marks),
    break: () => this.#markup.lineBreak,
    link: ({ address, content }) =>
      apart(content, this.#markup.link(address, this.#inline(content), this.#plain(content))),
    reference: ({ anchor, content }) => {
      const inner = this.#inline(content)
      return apart(content, inner && this.#markup.reference(nameOf(anchor), inner, this.#plain(content)))
    },
    anchor: ({ name }) =>
      this.#anchors.wanted.has(name) && !this.#anchors.headings.has(name)
        ? this.#markup.anchor(nameOf(name))
        : '',
    note: ({ key }) => {
      const number = this.#numbers.get(key)
      return number === undefined ? '' : this.#markup.note(number, this.#note(key))
    },
    picture: ({ picture }) => this.#picture(picture, 'picture'),
    equation: part => this.#markup.equation(part.tex ?? latexOf(part.formula), part.display, part),
    ruby: ({ base, reading, brackets: [open, close] = ['(', ')'] }) => {
      const markup = this.#markup
      const inner = this.#inline(base)
      if (markup.ruby && reading) return markup.ruby(inner, markup.escape(reading))
      return inner + (reading && markup.escape(open + reading + close))
    },
  }

  /** The text of a note, without the notes in notes that are nested too far or refer to themselves. */
  #note(key: string): string {
    const known = this.#noteTexts.get(key)
    if (known !== undefined || this.#noteDepth >= MAX_NOTE_DEPTH) return known ?? ''
    this.#noteTexts.set(key, '')
    this.#noteDepth++
    const text = this.blocks(this.#document.notes.get(key) ?? [], this.#markup.noteGap ?? ' ')
    this.#noteDepth--
    this.#noteTexts.set(key, text)
    return text
  }

  #run(text: string, marks: Marks): string {
    const markup = this.#markup
    const [before, core, after] = splitSpaces(text)
    if (core === '') return text
    let written = marks.code ? markup.code(core) : markup.escape(core)
    const wanted = markup.marks.filter(([mark]) => marks[mark])
    const used = markup.nests ? wanted : marks.code ? [] : wanted.slice(0, 1)
    for (const [, enclose] of used) written = enclose(written)
    return before + written + after
  }
}

/** Runs with the same marks as one. */
function joined(content: readonly Inline[]): Inline[] {
  const parts: Inline[] = []
  for (const part of content)
    if (part.kind === 'text') addText(parts, part.text, part.marks)
    else parts.push(part)
  return parts
}
