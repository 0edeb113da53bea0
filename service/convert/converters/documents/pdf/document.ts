/** What was read of a PDF, as a document that the writers of text formats take. */
import { isRightToLeft } from '../../../engines/common/language/script.ts'
import type { PictureFile } from '../../../engines/documents/format.ts'
import * as model from '../../../engines/documents/model.ts'
import { authorsOf, subjectsOf, titleOf } from './layout/metadata.ts'
import {
  type Block,
  lettersOf,
  type PagePicture,
  plainText,
  type Table,
  type TextDocument,
  type TextSpan,
} from './layout/model.ts'
import { sectionsOf } from './sections.ts'

/** Where links and entries of the table of contents lead. */
interface Places {
  /** Names of the blocks that they lead to. */
  names: Map<Block, string>
  /** The name of the first block on a page, or on the next one that has a block. */
  ofPage(page: number): string
  rightToLeft: boolean
}

/** @param fileName used if the document has no title */
export function documentOf(read: TextDocument, fileName: string): model.Document {
  const { blocks, rightToLeft, footnotes } = read
  const names = new Map<Block, string>()
  const pages = new Set<number>()
  for (const block of allOf(blocks)) {
    if (block.kind === 'code' || block.kind === 'table' || pages.has(block.page)) continue
    pages.add(block.page)
    names.set(block, `page-${block.page}`)
  }
  const sorted = [...pages].sort((one, other) => one - other)
  const ofPage = (page: number) => `page-${sorted.find(each => each >= page) ?? sorted.at(-1)}`
  const places = { names, ofPage, rightToLeft }
  const contents = contentsOf(read, places)
  const sections = read.textArea && sectionsOf(read, block => blockOf(block, places))
  return model.documentWith({
    title: titleOf(read, fileName),
    authors: authorsOf(read.author),
    keywords: subjectsOf(read.keywords),
    description: read.subject,
    date: read.created?.toISOString().slice(0, 10),
    language: read.language,
    rightToLeft,
    contents,
    ...(sections && { sections }),
    blocks: sections?.flatMap(section => section.blocks) ?? blocks.map(block => blockOf(block, places)),
    notes: new Map(
      Array.from(footnotes, ([key, content]) => [key, [model.paragraphOf(inlineOf(content, places))]]),
    ),
    file: name => read.pictures[Number(name)]?.data,
  })
}

/** Pictures of a PDF have more pixels than they are wide on their pages. */
export const pictureFile = ({ data: bytes, type }: PagePicture, name: string): PictureFile => ({
  name: `${name}.${type}`,
  mime: type === 'jpg' ? 'image/jpeg' : 'image/png',
  bytes,
  isDrawn: true,
})

/** The file of a picture that the document shows. */
export const pictureFiles =
  ({ pictures }: TextDocument) =>
  ({ source }: model.PictureUse): PictureFile | undefined => {
    const index = 'file' in source ? Number(source.file) : -1
    return pictures[index] && pictureFile(pictures[index], `picture${index + 1}`)
  }

const allOf = (blocks: readonly Block[]): Block[] =>
  blocks.flatMap(block =>
    block.kind === 'list' ? [block, ...block.items.flatMap(item => allOf(item.blocks))] : [block],
  )

/** The outline of the file: its entries lead to a heading or paragraph with their title, or to their page. */
function contentsOf({ blocks, outline }: TextDocument, { names, ofPage }: Places) {
  const titled = new Map<string, Block>()
  for (const block of blocks) {
    const text = block.kind === 'heading' || block.kind === 'paragraph' ? plainText(block.content) : ''
    const key = `${block.page} ${lettersOf(text)}`
    if (text !== '' && text.length < 400 && (block.kind === 'heading' || !titled.has(key)))
      titled.set(key, block)
  }
  return outline.flatMap(({ title, level, page }, index) => {
    // An entry without a target leads to the target of the first entry within it.
    const within = outline.slice(index + 1).find(entry => entry.page >= 0 && entry.level > level)
    const target = page >= 0 ? page : within?.page
    if (target === undefined || title === '') return []
    const block = titled.get(`${target} ${lettersOf(title)}`)
    if (block && !names.has(block)) names.set(block, `entry-${index}`)
    return [{ title, level, anchor: (block && names.get(block)) ?? ofPage(target) }]
  })
}

function blockOf(block: Block, places: Places): model.Block {
  const name = places.names.get(block)
  const start: model.Inline[] = name ? [{ kind: 'anchor', name }] : []
  const paragraph = (content: readonly TextSpan[], before: model.Inline[] = [], place?: model.Place) =>
    model.paragraphOf([...before, ...inlineOf(content, places)], {
      rightToLeft: directionOf(content, places.rightToLeft),
      ...(place && { place }),
    })
  const at = 'place' in block && block.place ? { place: block.place } : {}
  switch (block.kind) {
    case 'heading':
      return {
        kind: 'heading',
        level: block.level,
        content: [...start, ...inlineOf(block.content, places)],
        ...at,
      }
    case 'paragraph':
      return paragraph(block.content, start, block.place)
    case 'code':
      return { kind: 'code', text: block.text, ...at }
    case 'list': {
      const items = block.items.map(({ content, blocks, place }, index) => [
        paragraph(content, index === 0 ? start : [], place),
        ...blocks.map(inner => blockOf(inner, places)),
      ])
      return { kind: 'list', ordered: block.ordered, start: block.start, format: 'decimal', items }
    }
    case 'picture': {
      const { picture, width, height, alternative: description } = block
      const use = { source: { file: String(picture) }, description, width, height }
      return model.paragraphOf([...start, { kind: 'picture', picture: use }], at)
    }
    case 'table': {
      const width = Math.max(...block.rows.map(row => row.length))
      const heads = headsOf(block)
      const rows = block.rows.map((row, index) => {
        const isHeader = index < heads
        const cells = row.flatMap((cell, column) =>
          cell
            ? {
                columns: Math.min(cell.columns, width - column),
                rows: Math.min(cell.rows, block.rows.length - index),
                blocks: cell.content.length > 0 ? [paragraph(cell.content, [], block.place && IN_CELL)] : [],
                ...(block.place && cell.fill !== undefined && { fill: cell.fill }),
              }
            : [],
        )
        return { isHeader, cells, ...(block.place && block.heights && { height: block.heights[index]! }) }
      })
      return { kind: 'table', rows, ...at, ...(block.place && gridOf(block, width)) }
    }
  }
}

const IN_CELL: model.Place = { align: 'left', left: 0, right: 0, first: 0, before: 0, pitch: 0, bold: false }

/** Number of header rows, with those into which their cells reach. */
function headsOf({ rows, headerRows }: Table): number {
  let heads = headerRows
  for (let at = 0; at < heads; at++)
    for (const cell of rows[at] ?? []) heads = Math.max(heads, at + (cell?.rows ?? 1))
  return heads < rows.length ? heads : headerRows
}

/** Widths of a table and its columns, and whether it has lines. */
function gridOf({ widths, width, ruled }: Table, columns: number): Partial<model.Table> {
  const total = widths?.reduce((sum, each) => sum + each, 0) ?? 0
  return {
    ...((total || width) && { width: total || width }),
    widths: Array.from({ length: columns }, (_, at) => (total > 0 ? widths![at]! / total : 1 / columns)),
    isRuled: ruled ?? false,
  }
}

function directionOf(content: readonly TextSpan[], outer: boolean): boolean {
  const text = plainText(content)
  return /\p{L}/u.test(text) ? isRightToLeft(text) : outer
}

/** Running text; spans beside each other with one target become one link. */
function inlineOf(content: readonly TextSpan[], { ofPage }: Places): model.Inline[] {
  const out: model.Inline[] = []
  for (let at = 0; at < content.length; ) {
    const { link, leadsTo, footnote, text } = content[at]!
    if (footnote !== undefined) {
      out.push({ kind: 'note', key: footnote })
      at++
      continue
    }
    let end = at + 1
    const isSame = (span: TextSpan | undefined) =>
      span?.link === link && span?.leadsTo === leadsTo && span?.footnote === undefined
    while (end < content.length && isSame(content[end])) end++
    const inner = content.slice(at, end).map(({ text: words, look, ...marks }): model.Inline => {
      if (words === '\n') return { kind: 'break' }
      return { kind: 'text', text: words, marks: marksOf(marks), ...(look && { look }) }
    })
    if (link !== undefined) out.push({ kind: 'link', address: link, content: inner })
    else if (leadsTo !== undefined) out.push({ kind: 'reference', anchor: ofPage(leadsTo), content: inner })
    else if (text !== '' || inner.length > 1) out.push(...inner)
    at = end
  }
  return out
}

const MARKS = ['bold', 'italic', 'code', 'superscript', 'subscript'] as const

const marksOf = (look: Omit<TextSpan, 'text' | 'look'>): model.Marks =>
  Object.fromEntries(MARKS.flatMap(mark => (look[mark] ? [[mark, true]] : [])))
