/** A document as text with structure, whatever it was read from and whatever it becomes. */
import type { OutlineEntry } from '../../../../engines/pdf-content/types.ts'

/** Text of one look. */
export interface Span {
  text: string
  bold?: boolean
  italic?: boolean
  /** Set in a font for code. */
  code?: boolean
  superscript?: boolean
  subscript?: boolean
  /** Address it leads to. */
  link?: string
  /** Index of the page it leads to, of a link within the file. */
  leadsTo?: number
  /** Key of the footnote it refers to; `text` is the mark that was printed. */
  footnote?: string
}

export interface Heading {
  kind: 'heading'
  /** 1 to 6. */
  level: number
  content: Span[]
  /** Index of the page it begins on. */
  page: number
}

export interface Paragraph {
  kind: 'paragraph'
  content: Span[]
  page: number
}

export interface ListItem {
  content: Span[]
  /** What follows within the item: further paragraphs, lists. */
  blocks: Block[]
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
  content: Span[]
  /** Columns and rows it covers, from its own place on. */
  columns: number
  rows: number
}

export interface Table {
  kind: 'table'
  /** Rows of cells; places that a cell of an earlier row or column covers are null. */
  rows: (TableCell | null)[][]
  /** Rows at the top that name the columns. */
  headerRows: number
  page: number
}

export interface Code {
  kind: 'code'
  text: string
  page: number
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
}

export type Block = Heading | Paragraph | List | Table | Code | PictureBlock

export interface Picture {
  data: Uint8Array
  type: 'jpg' | 'png'
}

export interface TextDocument {
  title: string
  author: string
  subject: string
  keywords: string
  created: Date | undefined
  /** Bookmarks that lead to a page that was read, and those that such are nested in. */
  outline: OutlineEntry[]
  /** BCP 47, empty where unknown. */
  language: string
  rightToLeft: boolean
  blocks: Block[]
  /** Text of footnotes by the key that spans refer to, in the order of the pages. */
  footnotes: Map<string, Span[]>
  pictures: Picture[]
  pageCount: number
  /** Size of its first page in points. */
  pageWidth: number
  pageHeight: number
}

export const plainText = (content: readonly Span[]): string => content.map(span => span.text).join('')

const sameLook = (one: Span, other: Span) =>
  one.bold === other.bold &&
  one.italic === other.italic &&
  one.code === other.code &&
  one.superscript === other.superscript &&
  one.subscript === other.subscript &&
  one.link === other.link &&
  one.leadsTo === other.leadsTo &&
  one.footnote === undefined &&
  other.footnote === undefined

/** Appends a span, to the last one where both look the same; a space between two of one look takes it. */
export function append(content: Span[], span: Span): void {
  if (span.text === '') return
  const last = content.at(-1)
  const before = content.at(-2)
  if (last?.text === ' ' && before && sameLook(before, span)) {
    content.splice(-2, 2, { ...before, text: `${before.text} ${span.text}` })
  } else if (last && sameLook(last, span))
    content[content.length - 1] = { ...last, text: last.text + span.text }
  else content.push(span)
}

/** A space takes the look of what is before it. */
export function appendSpace(content: Span[]): void {
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

/** Without spaces at both ends. */
export function trimmed(content: readonly Span[]): Span[] {
  const first = content.findIndex(({ text }) => text.trim() !== '')
  const last = content.findLastIndex(({ text }) => text.trim() !== '')
  return content.slice(Math.max(0, first), last + 1).map((span, index, { length }) => {
    const start = index === 0 ? span.text.trimStart() : span.text
    return { ...span, text: index === length - 1 ? start.trimEnd() : start }
  })
}
