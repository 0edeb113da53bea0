/** A document as structured text, independent of the format that it comes from and of the one that it is written in. */

import { type ByKind, byKind } from '../common/by-kind.ts'
import type { Equation } from './equations/model.ts'

export interface Marks {
  bold?: boolean
  italic?: boolean
  strike?: boolean
  underline?: boolean
  superscript?: boolean
  subscript?: boolean
  code?: boolean
  highlight?: boolean
  smallCaps?: boolean
}

/** The style of text on a printed page. */
export interface TextLook {
  /** Points. */
  size: number
  /** As 0xrrggbb. */
  colour: number
  /** Family of the font. */
  family: string
}

/** Where a block stands in its column of a printed page; lengths in points. */
export interface Place {
  align: 'left' | 'center' | 'right' | 'justify'
  /** Distances of its lines, and of its first line from the others, from the edges of the column. */
  left: number
  right: number
  first: number
  /** Space above it, and between the baselines of its lines; 0 for what is no text. */
  before: number
  pitch: number
  bold: boolean
  /** The box behind it: its colour, and how far it extends beyond the lines above, below and on both sides. */
  box?: { colour: number; top: number; bottom: number; left: number; right: number }
  /** What begins with it. */
  starts?: 'page' | 'column'
}

export type Inline =
  | { kind: 'text'; text: string; marks: Marks; look?: TextLook }
  | { kind: 'break' }
  | { kind: 'link'; address: string; content: Inline[] }
  /** A link to a place in the document. */
  | { kind: 'reference'; anchor: string; content: Inline[] }
  | { kind: 'anchor'; name: string }
  | { kind: 'note'; key: string }
  | { kind: 'picture'; picture: PictureUse }
  /** A formula, and its TeX if that is how its author wrote it. */
  | { kind: 'equation'; formula: Equation; tex?: string; display: boolean }
  | Ruby

/** Text with its reading above it; in brackets where nothing can stand above text. */
export interface Ruby {
  kind: 'ruby'
  base: Inline[]
  reading: string
  /** The document's own brackets, for programs that cannot show ruby. */
  brackets?: [string, string]
}

export interface PictureUse {
  /** Name of its file in the package, or the address of one elsewhere. */
  source: { file: string } | { address: string }
  description: string
  /** Points; 0 if unknown. */
  width: number
  height: number
}

export type Align = 'center' | 'right'

export interface Paragraph {
  kind: 'paragraph'
  role: 'text' | 'subtitle' | 'caption'
  align?: Align | undefined
  rightToLeft: boolean
  content: Inline[]
  place?: Place
}

export type Block =
  | { kind: 'heading'; level: number; content: Inline[]; place?: Place }
  | Paragraph
  /** Lines of code, and the name of their language if it is known. */
  | { kind: 'code'; text: string; language?: string; place?: Place }
  /** A quotation, or an alert as of GitHub (`note`, `warning`, …), whose title is its first paragraph. */
  | { kind: 'quote'; blocks: Block[]; alert?: string }
  | List
  | { kind: 'definitions'; items: Definition[] }
  | Table
  | { kind: 'figure'; blocks: Block[]; caption: Inline[] }
  /** Content below a summary, which readers may fold away. */
  | { kind: 'details'; summary: Inline[]; blocks: Block[] }
  /** A line across the page, or a break between scenes. */
  | { kind: 'rule' }

export interface List {
  kind: 'list'
  ordered: boolean
  start: number
  /** Word's name of the number format: `decimal`, `lowerLetter`, `upperRoman`, … */
  format: string
  /** Whether its items are paragraphs, with space between them. */
  isLoose?: boolean
  items: Block[][]
}

export interface Definition {
  /** Several terms are apart by breaks. */
  term: Inline[]
  definitions: Block[][]
}

export interface Table {
  kind: 'table'
  caption?: Inline[]
  /** Shares of the width, by column, if they are known. */
  widths?: number[]
  rows: TableRow[]
  place?: Place
  /** If it has a place: its width in points, and whether lines separate its cells. */
  width?: number
  isRuled?: boolean
}

export interface TableRow {
  isHeader: boolean
  /** Points. */
  height?: number
  cells: TableCell[]
}

export interface TableCell {
  columns: number
  rows: number
  align?: Align | undefined
  /** Colour of its background as 0xrrggbb. */
  fill?: number
  blocks: Block[]
}

/** Blocks that follow each other on pages of one size, in the same columns; lengths in points. */
export interface Section {
  blocks: Block[]
  width: number
  height: number
  margins: { top: number; right: number; bottom: number; left: number }
  /** Several columns beside each other: their widths, and the space after each. */
  columns?: { width: number; space: number }[]
  startsPage: boolean
}

export interface Document {
  title: string
  /** Whether the title stands apart from the text, which has to show it. */
  hasOwnTitle?: boolean
  subtitle?: string | undefined
  /** As it was written. */
  date?: string | undefined
  keywords?: string[]
  /** Its table of contents, with the places where entries lead, if it has one beside its headings. */
  contents?: { title: string; level: number; anchor: string }[]
  authors: string[]
  /** BCP 47, or empty if unknown. */
  language: string
  rightToLeft: boolean
  description: string
  blocks: Block[]
  /** All blocks, where it is known how they stand on pages. */
  sections?: Section[]
  /** Content of footnotes and endnotes by key, in the order of their references. */
  notes: Map<string, Block[]>
  /** Bytes of a file of the package. */
  file(name: string): Uint8Array | undefined
  /** Number of shapes, charts and the like that are not pictures. */
  lostObjects: number
  /** What was not understood in the source of the text, by the names that it has there. */
  unknown?: string[]
  /** Number of embedded documents of other formats that cannot be read. */
  unsupportedChunks: number
  /** Files that came with it and are not shown in it. */
  attachments?: readonly { name: string; bytes: Uint8Array }[]
}

/** A document of the given parts, without all others. */
export const documentWith = (parts: Partial<Document> & Pick<Document, 'blocks'>): Document => ({
  title: '',
  authors: [],
  language: '',
  rightToLeft: false,
  description: '',
  notes: new Map(),
  file: () => undefined,
  lostObjects: 0,
  unsupportedChunks: 0,
  ...parts,
})

export const sameMarks = (one: Marks, other: Marks): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  (Object.keys(one) as (keyof Marks)[]).every(mark => one[mark] === other[mark])

/** Adds text to content, whose last run goes on if it has the same marks and does not begin before `from`. */
export function addText(content: Inline[], text: string, marks: Marks, from = 0): void {
  const last = content.length > from ? content.at(-1) : undefined
  if (last?.kind === 'text' && sameMarks(last.marks, marks)) last.text += text
  else if (text !== '') content.push(run(text, marks))
}

export const run = (text: string, marks: Marks = {}): Inline => ({ kind: 'text', text, marks })

export const paragraphOf = (content: Inline[], look: Partial<Paragraph> = {}): Paragraph => ({
  kind: 'paragraph',
  role: 'text',
  rightToLeft: false,
  content,
  ...look,
})

/** Text with the spaces at its ends apart, outside of which marks stand. */
export function splitSpaces(text: string): [before: string, core: string, after: string] {
  const core = text.trim()
  const start = text.length - text.trimStart().length
  return [text.slice(0, start), core, text.slice(start + core.length)]
}

/** The text of inline content. */
export const plainText = (content: readonly Inline[]): string =>
  content
    .map(part => {
      if (part.kind === 'text') return part.text
      if (part.kind === 'break') return ' '
      if (part.kind === 'ruby') return plainText(part.base)
      return part.kind === 'link' || part.kind === 'reference' ? plainText(part.content) : ''
    })
    .join('')

const none = () => []

const PARTS: ByKind<Block, Block[][]> = {
  heading: none,
  paragraph: none,
  code: none,
  rule: none,
  quote: ({ blocks }) => [blocks],
  figure: ({ blocks }) => [blocks],
  details: ({ blocks }) => [blocks],
  list: ({ items }) => items,
  definitions: ({ items }) => items.flatMap(({ definitions }) => definitions),
  table: ({ rows }) => rows.flatMap(({ cells }) => cells.map(({ blocks }) => blocks)),
}

/** The blocks directly inside a block, a list for each of its parts. */
export const partsOf = (block: Block): Block[][] => byKind(PARTS, block)

/** The runs of inline content directly in a block. */
export function runsOf(block: Block): Inline[][] {
  if ('content' in block) return [block.content]
  if ('summary' in block) return [block.summary]
  if (block.kind === 'definitions') return block.items.map(({ term }) => term)
  return 'caption' in block && block.caption ? [block.caption] : []
}

/** All blocks of a document in order, with those inside others. */
export function* blocksOf({ blocks, notes }: Pick<Document, 'blocks' | 'notes'>): Generator<Block> {
  yield* blocksIn(blocks)
  for (const note of notes.values()) yield* blocksIn(note)
}

function* blocksIn(blocks: readonly Block[]): Generator<Block> {
  for (const block of blocks) {
    yield block
    for (const part of partsOf(block)) yield* blocksIn(part)
  }
}

/** The inline content of a block, with that of its links. */
export function* inlineOf(block: Block): Generator<Inline> {
  for (const run of runsOf(block)) yield* inlineIn(run)
}

export function* inlineIn(content: readonly Inline[]): Generator<Inline> {
  for (const part of content) {
    yield part
    if (part.kind === 'reference' || part.kind === 'link') yield* inlineIn(part.content)
    else if (part.kind === 'ruby') yield* inlineIn(part.base)
  }
}

/** Inline content with each of its parts replaced, those inside of others first. */
export const mapInline = (content: readonly Inline[], change: (part: Inline) => Inline): Inline[] =>
  content.map(part => {
    if ('content' in part) return change({ ...part, content: mapInline(part.content, change) })
    return change(part.kind === 'ruby' ? { ...part, base: mapInline(part.base, change) } : part)
  })

/** Where a document shows pictures, in document order. */
export const picturesIn = (document: Document): PictureUse[] =>
  blocksOf(document)
    .flatMap(inlineOf)
    .flatMap(part => (part.kind === 'picture' ? [part.picture] : []))
    .toArray()

/** The blocks with each run of inline content replaced, and what is inside of them by `inner`. */
export function mapRuns(
  blocks: readonly Block[],
  change: (run: Inline[]) => Inline[],
  inner = (list: readonly Block[]): Block[] => mapRuns(list, change),
): Block[] {
  return blocks.map((block): Block => {
    switch (block.kind) {
      case 'heading':
      case 'paragraph':
        return { ...block, content: change(block.content) }
      case 'quote':
        return { ...block, blocks: inner(block.blocks) }
      case 'figure':
        return { ...block, blocks: inner(block.blocks), caption: change(block.caption) }
      case 'details':
        return { ...block, blocks: inner(block.blocks), summary: change(block.summary) }
      case 'list':
        return { ...block, items: block.items.map(inner) }
      case 'definitions':
        return {
          ...block,
          items: block.items.map(({ term, definitions }) => ({
            term: change(term),
            definitions: definitions.map(inner),
          })),
        }
      case 'table': {
        const rows = block.rows.map(row => ({
          ...row,
          cells: row.cells.map(cell => ({ ...cell, blocks: inner(cell.blocks) })),
        }))
        return { ...block, rows, ...(block.caption && { caption: change(block.caption) }) }
      }
      default:
        return block
    }
  })
}

/** Whether the items of a list are lines, with at most lists below them. */
export const isTight = ({ isLoose, items }: List): boolean =>
  !isLoose && items.every(([, ...rest]) => rest.every(block => block.kind === 'list'))

/** Whether there is nothing to see in blocks. */
export const isEmpty = (blocks: readonly Block[]): boolean =>
  blocks.every(block => {
    if (block.kind === 'code') return block.text.trim() === ''
    if (block.kind === 'rule') return true
    return (
      partsOf(block).every(isEmpty) &&
      runsOf(block).every(
        run =>
          plainText(run).trim() === '' &&
          run.every(part => part.kind === 'text' || part.kind === 'anchor' || part.kind === 'break'),
      )
    )
  })
