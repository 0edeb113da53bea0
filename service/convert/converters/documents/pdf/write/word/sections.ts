/** Pages, margins and columns of the PDF as Word's sections. */
import { Column, ColumnBreak, type ISectionOptions, Paragraph, SectionType } from 'docx'
import type { Band, Block, BlockPosition, TextDocument } from '../../layout/model.ts'
import { blockOf } from './blocks.ts'
import { breaking, twips, type WordContext } from './format.ts'

/** Least margins, and room at the foot of pages for text that becomes longer than it was, in points. */
const LEAST_MARGIN = 18
const SLACK = 24

/** Sections of the document: blocks in the same columns, or all blocks if their places are not known. */
export function sectionsOf(
  { blocks, textArea }: TextDocument,
  context: WordContext,
  { pageWidth, pageHeight, margin }: { pageWidth: number; pageHeight: number; margin: number },
): ISectionOptions[] {
  const size = { width: twips(pageWidth), height: twips(pageHeight) }
  const area = textArea && textArea.width > 0 ? textArea : undefined
  const top = area ? Math.max(LEAST_MARGIN, Math.min(area.y, pageHeight / 3)) : margin
  const bottom = area
    ? Math.max(LEAST_MARGIN, Math.min(margin, pageHeight - area.y - area.height - SLACK))
    : margin
  const groups: { band: Band | undefined; place: BlockPosition | undefined; blocks: Block[] }[] = []
  for (const block of blocks) {
    const place = placeOf(block)
    const last = groups.at(-1)
    const continues = last && (!place || !last.band || isSameBand(last.band, place.band))
    if (continues) last.blocks.push(block)
    else groups.push({ band: place?.band, place, blocks: [block] })
  }
  if (groups.length === 0) groups.push({ band: undefined, place: undefined, blocks: [] })
  let page = groups[0]!.place?.page
  return groups.map(({ band, blocks: own }, index) => {
    const columns = band?.columns ?? []
    const [left, right] = columns.length > 0 ? [columns[0]!.left, columns.at(-1)!.right] : []
    const onNewPage = index > 0 && pageOf(own[0]) !== undefined && pageOf(own[0]) !== page
    if (columns.length > 0 && left !== undefined && right !== undefined) context.width = right - left
    let column = 0
    let isFirst = true
    const children = own.flatMap(block => {
      const place = placeOf(block)
      const turns = !isFirst && place !== undefined && page !== undefined && place.page !== page
      const breaks = !isFirst && !turns && place !== undefined && place.column > column
      page = place?.page ?? page
      column = place?.column ?? column
      isFirst = false
      const made = blockOf(block, context, 0)
      if (breaks) return [breaking({ children: [new ColumnBreak()] }), ...made]
      return turns ? [breaking({ pageBreakBefore: true }), ...made] : made
    })
    return {
      properties: {
        type: index === 0 || onNewPage ? SectionType.NEXT_PAGE : SectionType.CONTINUOUS,
        page: {
          size,
          margin: {
            top: twips(top),
            bottom: twips(bottom),
            header: 0,
            footer: 0,
            left: twips(left === undefined ? margin : Math.max(0, left)),
            right: twips(right === undefined ? margin : Math.max(0, pageWidth - right)),
          },
        },
        ...(columns.length > 1 && { column: columnsOf(columns) }),
      },
      children: children.length > 0 ? children : [new Paragraph({})],
    }
  })
}

const placeOf = (block: Block) => (block.kind === 'list' ? block.items[0]?.place : block.place)
const pageOf = (block: Block | undefined) => block && placeOf(block)?.page

/** Columns that differ by so little are the same, in points. */
const SAME_COLUMN = 6

const isSameBand = (one: Band, other: Band) =>
  one === other ||
  (one.columns.length === other.columns.length &&
    one.columns.length === 1 &&
    one.columns.every(
      ({ left, right }, index) =>
        Math.abs(left - other.columns[index]!.left) < SAME_COLUMN &&
        Math.abs(right - other.columns[index]!.right) < SAME_COLUMN,
    ))

const columnsOf = (columns: Band['columns']) => ({
  count: columns.length,
  equalWidth: false,
  children: columns.map(
    ({ left, right }, index) =>
      new Column({
        width: twips(right - left),
        ...(columns[index + 1] && { space: twips(Math.max(0, columns[index + 1]!.left - right)) }),
      }),
  ),
})
