/** A model of a document as structured text, independent of its source and target format. */
import type { Place, TextLook } from '../../../../engines/documents/model.ts'
import type { OutlineEntry, PdfProperties, Rectangle } from '../../../../engines/pdf/content/types.ts'

/** Columns side by side on a page; lengths in points. */
export interface Band {
  columns: { left: number; right: number }[]
}

/** Where a block stands in the document. */
export interface BlockPosition extends Place {
  page: number
  band: Band
  /** Index of its column. */
  column: number
}

/** Text of one style. */
export interface TextSpan {
  text: string
  bold?: boolean
  italic?: boolean
  /** Whether it is set in a monospaced font for code. */
  code?: boolean
  superscript?: boolean
  subscript?: boolean
  /** Target address. */
  link?: string
  /** Index of the target page, for a link within the file. */
  leadsTo?: number
  /** Key of the footnote it refers to; `text` is the printed mark. */
  footnote?: string
  /** If the styles of the file are read; the same object for the same look. */
  look?: TextLook
}

export interface Heading {
  kind: 'heading'
  /** 1 to 6. */
  level: number
  content: TextSpan[]
  /** Index of its first page. */
  page: number
  place?: BlockPosition
}

export interface Paragraph {
  kind: 'paragraph'
  content: TextSpan[]
  page: number
  place?: BlockPosition
}

export interface ListItem {
  content: TextSpan[]
  /** Further content of the item: paragraphs, lists. */
  blocks: Block[]
  place?: BlockPosition
}

export interface List {
  kind: 'list'
  ordered: boolean
  /** Number of the first item. */
  start: number
  items: ListItem[]
  page: number
}

export interface TableCell {
  content: TextSpan[]
  /** Number of columns and rows it covers, including its own. */
  columns: number
  rows: number
  /** Colour of its background as 0xrrggbb. */
  fill?: number
}

export interface Table {
  kind: 'table'
  /** Rows of cells; null for places covered by a cell of an earlier row or column. */
  rows: (TableCell | null)[][]
  /** Number of header rows at the top. */
  headerRows: number
  page: number
  place?: BlockPosition
  /** Points. */
  width?: number
  /** Widths of its columns and heights of its rows, in points; whether lines separate its cells. */
  widths?: number[]
  heights?: number[]
  ruled?: boolean
}

export interface Code {
  kind: 'code'
  text: string
  page: number
  place?: BlockPosition
}

export interface PictureBlock {
  kind: 'picture'
  /** Index into the document's pictures. */
  picture: number
  /** Points. */
  width: number
  height: number
  alternative: string
  page: number
  place?: BlockPosition
}

export type Block = Heading | Paragraph | List | Table | Code | PictureBlock

export interface PagePicture {
  data: Uint8Array
  type: 'jpg' | 'png'
}

export interface TextDocument extends PdfProperties {
  /** Bookmarks that lead to a page that was read, and the bookmarks that contain them. */
  outline: OutlineEntry[]
  rightToLeft: boolean
  blocks: Block[]
  /** Text of footnotes by the key that spans refer to, in page order. */
  footnotes: Map<string, TextSpan[]>
  pictures: PagePicture[]
  /** Size of its first page in points. */
  pageWidth: number
  pageHeight: number
  /** What the text covers on its pages, if styles are read. */
  textArea?: Rectangle
}

export const plainText = (content: readonly TextSpan[]): string => content.map(span => span.text).join('')

/** A text in which only its letters and digits count, whatever their case. */
export const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase()

const LOOKS = ['bold', 'italic', 'code', 'superscript', 'subscript', 'link', 'look', 'leadsTo'] as const

const sameLook = (one: TextSpan, other: TextSpan) =>
  LOOKS.every(key => one[key] === other[key]) && one.footnote === undefined && other.footnote === undefined

/**
 * Appends a span, merging it with the last one if both have the same style; a space between two spans of one style takes that
 * style.
 */
export function append(content: TextSpan[], span: TextSpan): void {
  if (span.text === '') return
  const last = content.at(-1)
  const before = content.at(-2)
  if (last?.text === ' ' && before && sameLook(before, span)) {
    content.splice(-2, 2, { ...before, text: `${before.text} ${span.text}` })
  } else if (last && sameLook(last, span))
    content[content.length - 1] = { ...last, text: last.text + span.text }
  else content.push(span)
}

/** Appends a space with the style of the text before it. */
export function appendSpace(content: TextSpan[]): void {
  const last = content.at(-1)
  if (!last || last.text.endsWith(' ')) return
  const isApart =
    last.superscript ||
    last.subscript ||
    last.footnote !== undefined ||
    last.link ||
    last.leadsTo !== undefined ||
    last.code
  if (isApart) append(content, { text: ' ' })
  else content[content.length - 1] = { ...last, text: `${last.text} ` }
}

/** The content without spaces at both ends. */
export function trimmed(content: readonly TextSpan[]): TextSpan[] {
  const first = content.findIndex(({ text }) => text.trim() !== '')
  const last = content.findLastIndex(({ text }) => text.trim() !== '')
  return content.slice(Math.max(0, first), last + 1).map((span, index, { length }) => {
    const start = index === 0 ? span.text.trimStart() : span.text
    return { ...span, text: index === length - 1 ? start.trimEnd() : start }
  })
}
