/** What was read of a PDF, as a document that the writers of text formats take. */
import { isRightToLeft } from '../../../engines/common/language/script.ts'
import * as model from '../../../engines/documents/model.ts'
import { authorsOf, languageOf, titleOf } from './layout/metadata.ts'
import { type Block, plainText, type TextDocument, type TextSpan } from './layout/model.ts'

/** @param fileName used if the document has no title */
export function documentOf(read: TextDocument, fileName: string): model.Document {
  const placed = new Set<number>()
  const notes = new Map(
    Array.from(read.footnotes, ([key, content]) => [key, [model.paragraphOf(inlineOf(content))]]),
  )
  const language = languageOf(read)
  return model.documentWith({
    title: titleOf(read, fileName),
    authors: authorsOf(read.author),
    language: language === 'und' ? '' : language,
    rightToLeft: read.rightToLeft,
    blocks: read.blocks.map(block => blockOf(block, read.rightToLeft, placed)),
    notes,
    file: name => read.pictures[Number(name)]?.data,
  })
}

function blockOf(block: Block, rightToLeft: boolean, placed: Set<number>): model.Block {
  /** The beginning of a page, to which links may lead. */
  const start: model.Inline[] = placed.has(block.page) ? [] : [{ kind: 'anchor', name: `page-${block.page}` }]
  const paragraph = (content: readonly TextSpan[], before: model.Inline[] = []) =>
    model.paragraphOf([...before, ...inlineOf(content)], { rightToLeft: directionOf(content, rightToLeft) })
  if (block.kind !== 'code' && block.kind !== 'table') placed.add(block.page)
  switch (block.kind) {
    case 'heading':
      return { kind: 'heading', level: block.level, content: [...start, ...inlineOf(block.content)] }
    case 'paragraph':
      return paragraph(block.content, start)
    case 'code':
      return { kind: 'code', text: block.text }
    case 'list': {
      const items = block.items.map(({ content, blocks }, at) => [
        paragraph(content, at === 0 ? start : []),
        ...blocks.map(inner => blockOf(inner, rightToLeft, placed)),
      ])
      return { kind: 'list', ordered: block.ordered, start: block.start, format: 'decimal', items }
    }
    case 'picture': {
      const { picture, width, height, alternative: description } = block
      const use = { source: { file: String(picture) }, description, width, height }
      return model.paragraphOf([...start, { kind: 'picture', picture: use }])
    }
    case 'table': {
      const width = Math.max(...block.rows.map(row => row.length))
      const rows = block.rows.map((row, index) => {
        const isHeader = index < block.headerRows
        const left = (isHeader ? block.headerRows : block.rows.length) - index
        const cells = row.flatMap((cell, column) =>
          cell
            ? {
                columns: Math.min(cell.columns, width - column),
                rows: Math.min(cell.rows, left),
                blocks: cell.content.length > 0 ? [paragraph(cell.content)] : [],
              }
            : [],
        )
        return { isHeader, cells }
      })
      return { kind: 'table', rows }
    }
  }
}

function directionOf(content: readonly TextSpan[], outer: boolean): boolean {
  const text = plainText(content)
  return /\p{L}/u.test(text) ? isRightToLeft(text) : outer
}

/** Running text; spans beside each other with one target become one link. */
function inlineOf(content: readonly TextSpan[]): model.Inline[] {
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
    const inner = content.slice(at, end).map(({ text: words, ...look }) => model.run(words, marksOf(look)))
    if (link !== undefined) out.push({ kind: 'link', address: link, content: inner })
    else if (leadsTo !== undefined) out.push({ kind: 'reference', anchor: `page-${leadsTo}`, content: inner })
    else if (text !== '' || inner.length > 1) out.push(...inner)
    at = end
  }
  return out
}

const MARKS = ['bold', 'italic', 'code', 'superscript', 'subscript'] as const

const marksOf = (look: Omit<TextSpan, 'text'>): model.Marks =>
  Object.fromEntries(MARKS.flatMap(mark => (look[mark] ? [[mark, true]] : [])))
