/** Pages, margins and columns of a PDF as sections of a document. */
import type * as model from '../../../engines/documents/model.ts'
import type { Band, Block, TextDocument } from './layout/model.ts'

/** Lengths in points: edges of pages, and margins where there is no text to tell them. */
const SMALLEST_EDGE = 200
const LARGEST_EDGE = 1584
const MARGIN = 64
/** Least margins, and room at the foot of pages for text that becomes longer than it was. */
const LEAST_MARGIN = 18
const SLACK = 24
/** Columns that differ by so little are the same. */
const SAME_COLUMN = 6

/**
 * Sections of blocks in the same columns, of a document whose styles were read; marks the blocks that begin a page or a column within
 * theirs.
 * @param write called with each block when its place is complete
 */
export function sectionsOf(
  { blocks, textArea, pageWidth, pageHeight }: TextDocument,
  write: (block: Block) => model.Block,
): model.Section[] {
  const [width, height] = [edgeOf(pageWidth), edgeOf(pageHeight)]
  const margin = Math.min(MARGIN, width / 8)
  const area = textArea && textArea.width > 0 ? textArea : undefined
  const top = area ? Math.max(LEAST_MARGIN, Math.min(area.y, height / 3)) : margin
  const bottom = area
    ? Math.max(LEAST_MARGIN, Math.min(margin, height - area.y - area.height - SLACK))
    : margin
  const sections: model.Section[] = []
  let band: Band | undefined
  let page: number | undefined
  let column = 0
  for (const block of blocks) {
    const place = block.kind === 'list' ? block.items[0]?.place : block.place
    const turns = place !== undefined && page !== undefined && place.page !== page
    let section = sections.at(-1)
    if (!section || (place && !isSameBand(band, place.band))) {
      const columns = place?.band.columns ?? []
      const [left = margin, right = width - margin] = [columns[0]?.left, columns.at(-1)?.right]
      const margins = { top, right: Math.max(0, width - right), bottom, left: Math.max(0, left) }
      section = { blocks: [], width, height, margins, startsPage: !section || turns }
      if (columns.length > 1)
        section.columns = columns.map((each, index) => ({
          width: each.right - each.left,
          space: Math.max(0, (columns[index + 1]?.left ?? each.right) - each.right),
        }))
      sections.push(section)
      band = place?.band
    } else if (turns) place.starts = 'page'
    else if (place && place.column > column) place.starts = 'column'
    page = place?.page ?? page
    column = place?.column ?? column
    section.blocks.push(write(block))
  }
  return sections
}

const edgeOf = (points: number) => Math.max(SMALLEST_EDGE, Math.min(LARGEST_EDGE, points))

/** Whether blocks can stand in one section: in one band, or each in a single column at the same place. */
function isSameBand(one: Band | undefined, other: Band): boolean {
  if (one === other) return true
  const [first, second] = [one?.columns, other.columns]
  return (
    first?.length === 1 &&
    second.length === 1 &&
    Math.abs(first[0]!.left - second[0]!.left) < SAME_COLUMN &&
    Math.abs(first[0]!.right - second[0]!.right) < SAME_COLUMN
  )
}
