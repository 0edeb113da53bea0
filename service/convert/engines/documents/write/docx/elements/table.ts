import type { StyleOf } from '../../../../books/book/css/cascade.ts'
import { joinTarget } from '../../../../books/book/links.ts'
import { elementsOf, type XmlElement } from '../../../../common/xml/element.ts'
import { type Frame, frameOf, paragraphXml, twips } from '../frame.ts'
import { colourOf, lookOf } from '../look.ts'
import { LEVEL_INDENT } from '../parts/numbering.ts'
import { Story } from '../story.ts'
import type { DocxContext, Walk } from './context.ts'
import { asLength, columnWidths, hasLines, layOut, type TableLayout } from './table-layout.ts'

/** Minimum widths of a table and a cell in twentieths of a point, however narrow their place. */
const MIN_ROOM = 600
const MIN_CELL_ROOM = 300
/** Distance between a cell's edges and its text in twentieths of a point, both sides together. */
const CELL_PADDING = 200

/** Writes a table, with its captions before it. */
export function writeTable(table: XmlElement, context: DocxContext, walk: Walk): void {
  const { story, styleOf, frame } = context
  story.close()
  const layout = layOut(table)
  for (const caption of elementsOf(table)) if (caption.name === 'caption') walk.element(caption, context)
  story.close()
  if (!layout) return
  const room = Math.max(MIN_ROOM, frame.width - frame.left - frame.right)
  const own = twips(styleOf(table).width, frame.width)
  const isPlaced = frame.pitch !== undefined
  const widths = columnWidths(layout, styleOf, isPlaced ? (own ?? room) : Math.min(own ?? room, room))
  const around = {
    frame: { ...frame, left: frame.left + frame.level * LEVEL_INDENT },
    isLined: hasLines(table, layout, styleOf),
    padding: twips(asLength(table.attributes.cellpadding), frame.width),
    styleOf,
  }
  const content = (cell: XmlElement, width: number) => cellContent(cell, width, context, walk)
  story.table(tableXml(layout, widths, around, content), frame)
}

/** Paragraphs of a cell as XML. */
function cellContent(cell: XmlElement, width: number, outer: DocxContext, walk: Walk): string {
  const { writing, href, styleOf } = outer
  const { id } = cell.attributes
  const story = new Story()
  const css = styleOf(cell)
  const look = lookOf(cell, css, outer.look, writing.language)
  const inner = cellFrame(cell, width, outer.frame)
  const frame: Frame = { ...frameOf(cell, css, inner, look.scale), left: 0, right: 0 }
  if (frame.pitch === 0) Object.assign(frame, { before: 0, after: 0 })
  if (id) writing.bookmarks.mark(joinTarget(href, id), story)
  walk.children(cell, { ...outer, story, look, frame })
  return story.finish(frame)
}

/** What a cell inherits from the frame of its table. */
const cellFrame = ({ name }: XmlElement, width: number, outer: Frame): Frame => ({
  ...outer,
  left: 0,
  right: 0,
  indent: 0,
  level: 0,
  entry: undefined,
  pitch: outer.pitch && 0,
  ground: undefined,
  before: 0,
  after: 0,
  width: Math.max(MIN_CELL_ROOM, width - CELL_PADDING),
  align: name === 'th' ? 'center' : outer.align === 'center' ? undefined : outer.align,
})

interface TableLook {
  frame: Frame
  isLined: boolean
  /** Distance between the sides of a cell and its text, if the table has one of its own. */
  padding: number | undefined
  styleOf: StyleOf
}

/**
 * `w:tbl`: ECMA-376, part 1, 17.4.
 * @param widths of the columns, in twentieths of a point
 * @param content returns the paragraphs of a cell as XML, for its width
 */
function tableXml(
  layout: TableLayout,
  widths: readonly number[],
  { frame, isLined, padding, styleOf }: TableLook,
  content: (cell: XmlElement, width: number) => string,
): string {
  /** Cells that extend into further rows, by their first column. */
  const open = new Map<number, { columns: number; rows: number }>()
  const covered =
    frame.pitch === undefined ? '' : paragraphXml({ ...frame, pitch: 20, before: 0, after: 0 }, false)
  const rows = layout.rows.map(({ element: row, cells, isHeader }) => {
    const byColumn = new Map(cells.map(cell => [cell.column, cell]))
    let xml = ''
    for (let column = 0; column < layout.columnCount; ) {
      const cell = byColumn.get(column)
      const above = open.get(column)
      const columns = cell?.columns ?? above?.columns ?? 1
      const width = widths.slice(column, column + columns).reduce((sum, each) => sum + each, 0)
      const span = columns > 1 ? `<w:gridSpan w:val="${columns}"/>` : ''
      const size = `<w:tcW w:w="${width}" w:type="dxa"/>`
      if (cell) {
        if (cell.rows > 1) open.set(column, { columns, rows: cell.rows - 1 })
        const css = styleOf(cell.element)
        const ground = colourOf(css['background-color'] ?? '')
        const place = css['vertical-align'] ?? cell.element.attributes.valign
        const properties = [
          size,
          span,
          cell.rows > 1 ? '<w:vMerge w:val="restart"/>' : '',
          ground ? `<w:shd w:val="clear" w:color="auto" w:fill="${ground}"/>` : '',
          place === 'middle'
            ? '<w:vAlign w:val="center"/>'
            : place === 'bottom'
              ? '<w:vAlign w:val="bottom"/>'
              : '',
        ]
        xml += `<w:tc><w:tcPr>${properties.join('')}</w:tcPr>${content(cell.element, width)}</w:tc>`
      } else {
        if (above && --above.rows <= 0) open.delete(column)
        xml += `<w:tc><w:tcPr>${size}${span}${above ? '<w:vMerge/>' : ''}</w:tcPr><w:p>${covered}</w:p></w:tc>`
      }
      column += columns
    }
    const least = twips(styleOf(row).height, frame.width)
    const properties = `${least ? `<w:trHeight w:val="${least}"/>` : ''}${isHeader ? '<w:tblHeader/>' : ''}`
    return `<w:tr>${properties && `<w:trPr>${properties}</w:trPr>`}${xml}</w:tr>`
  })
  const total = widths.reduce((sum, width) => sum + width, 0)
  const properties = [
    isLined ? '<w:tblStyle w:val="TableGrid"/>' : '',
    frame.rightToLeft ? '<w:bidiVisual/>' : '',
    `<w:tblW w:w="${total}" w:type="dxa"/>`,
    frame.align === 'center'
      ? '<w:jc w:val="center"/>'
      : frame.left > 0
        ? `<w:tblInd w:w="${Math.round(frame.left)}" w:type="dxa"/>`
        : '',
    padding === undefined
      ? ''
      : `<w:tblCellMar>${['left', 'right'].map(side => `<w:${side} w:w="${padding}" w:type="dxa"/>`).join('')}</w:tblCellMar>`,
  ]
  const grid = widths.map(width => `<w:gridCol w:w="${width}"/>`).join('')
  return `<w:tbl><w:tblPr>${properties.join('')}</w:tblPr><w:tblGrid>${grid}</w:tblGrid>${rows.join('')}</w:tbl>`
}
