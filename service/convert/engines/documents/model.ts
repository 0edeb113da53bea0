import type { XmlElement } from '../common/xml/element.ts'

/** A Word document as structured text. */

export interface Marks {
  bold?: boolean
  italic?: boolean
  strike?: boolean
  underline?: boolean
  superscript?: boolean
  subscript?: boolean
  code?: boolean
}

export type Inline =
  | { kind: 'text'; text: string; marks: Marks }
  | { kind: 'break' }
  | { kind: 'link'; address: string; content: Inline[] }
  /** A link to a place in the document. */
  | { kind: 'reference'; anchor: string; content: Inline[] }
  | { kind: 'anchor'; name: string }
  | { kind: 'note'; key: string }
  | { kind: 'picture'; picture: PictureUse }
  /** OMML: an `m:oMath` element. */
  | { kind: 'maths'; formula: XmlElement; display: boolean }

export interface PictureUse {
  /** Name of its file in the package, or the address of one elsewhere. */
  source: { file: string } | { address: string }
  description: string
  /** Points; 0 if unknown. */
  width: number
  height: number
}

export type Block =
  | { kind: 'heading'; level: number; content: Inline[] }
  | {
      kind: 'paragraph'
      role: 'text' | 'subtitle' | 'caption'
      align?: string | undefined
      rightToLeft: boolean
      content: Inline[]
    }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'list'; ordered: boolean; start: number; format: string; items: Block[][] }
  | { kind: 'table'; rows: TableRow[] }

export interface TableRow {
  isHeader: boolean
  cells: TableCell[]
}

export interface TableCell {
  columns: number
  rows: number
  blocks: Block[]
}

export interface WordDocument {
  title: string
  authors: string[]
  /** BCP 47, or empty if unknown. */
  language: string
  rightToLeft: boolean
  description: string
  blocks: Block[]
  /** Content of footnotes and endnotes by key, in the order of their references. */
  notes: Map<string, Block[]>
  /** Bytes of a file of the package. */
  file(name: string): Uint8Array | undefined
  /** Number of drawings, charts and the like that are not pictures. */
  lostObjects: number
  /** Number of embedded documents of other formats that cannot be read. */
  lostChunks: number
}

/** A document of the given parts, without all others. */
export const documentWith = (parts: Partial<WordDocument> & Pick<WordDocument, 'blocks'>): WordDocument => ({
  title: '',
  authors: [],
  language: '',
  rightToLeft: false,
  description: '',
  notes: new Map(),
  file: () => undefined,
  lostObjects: 0,
  lostChunks: 0,
  ...parts,
})

/** The text of inline content. */
export const plainText = (content: readonly Inline[]): string =>
  content
    .map(part => {
      if (part.kind === 'text') return part.text
      if (part.kind === 'break') return ' '
      return part.kind === 'link' || part.kind === 'reference' ? plainText(part.content) : ''
    })
    .join('')

/** All blocks of a document in order, with those inside others. */
export function* blocksOf({ blocks, notes }: Pick<WordDocument, 'blocks' | 'notes'>): Generator<Block> {
  yield* blocksIn(blocks)
  for (const note of notes.values()) yield* blocksIn(note)
}

function* blocksIn(blocks: readonly Block[]): Generator<Block> {
  for (const block of blocks) {
    yield block
    if (block.kind === 'quote') yield* blocksIn(block.blocks)
    else if (block.kind === 'list') for (const item of block.items) yield* blocksIn(item)
    else if (block.kind === 'table')
      for (const row of block.rows) for (const cell of row.cells) yield* blocksIn(cell.blocks)
  }
}

/** The inline content of a block, with that of its links. */
export function* inlineOf(block: Block): Generator<Inline> {
  if (block.kind === 'heading' || block.kind === 'paragraph') yield* inlineIn(block.content)
}

function* inlineIn(content: readonly Inline[]): Generator<Inline> {
  for (const part of content) {
    yield part
    if (part.kind === 'reference' || part.kind === 'link') yield* inlineIn(part.content)
  }
}
