import type { XmlElement } from '../xml/element.ts'

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

/** The text of inline content. */
export const plainText = (content: readonly Inline[]): string =>
  content
    .map(part => {
      if (part.kind === 'text') return part.text
      if (part.kind === 'break') return ' '
      return part.kind === 'link' || part.kind === 'reference' ? plainText(part.content) : ''
    })
    .join('')
