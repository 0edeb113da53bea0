/** A table of the PDF as Word's. */
import {
  BorderStyle,
  HeightRule,
  LineRuleType,
  Paragraph,
  ShadingType,
  Table,
  TableBorders,
  TableCell,
  TableRow,
  VerticalAlignTable,
  VerticalMergeType,
  WidthType,
} from 'docx'
import type { Table as TableBlock } from '../../layout/model.ts'
import { hex, twips, type WordContext } from './format.ts'
import { direction, runs } from './runs.ts'

const EDGE = { style: BorderStyle.SINGLE, size: 4, color: 'A0A0A0' } as const
const BORDERS = {
  top: EDGE,
  bottom: EDGE,
  left: EDGE,
  right: EDGE,
  insideHorizontal: EDGE,
  insideVertical: EDGE,
}

export function tableOf(
  { rows, headerRows, place, width: own, widths, heights, ruled }: TableBlock,
  context: WordContext,
): Table {
  const columns = Math.max(...rows.map(row => row.length))
  const width = own ?? context.width
  // Cells that continue from the row above are written again, as continuations.
  const rowsLeft: number[] = Array.from({ length: columns }, () => 0)
  const spans: number[] = Array.from({ length: columns }, () => 1)
  return new Table({
    width: { size: twips(width), type: WidthType.DXA },
    indent: { size: twips(place?.left ?? 0), type: WidthType.DXA },
    columnWidths: (widths ?? Array.from({ length: columns }, () => width / columns)).map(twips),
    borders: ruled ? BORDERS : TableBorders.NONE,
    margins: { left: 40, right: 20, top: 0, bottom: 0 },
    rows: rows.map((row, index) => {
      const isHeader = index < headerRows
      const cells: TableCell[] = []
      for (let column = 0; column < columns; ) {
        const cell = row[column]
        if (!cell && rowsLeft[column]! > 0) {
          const across = spans[column]!
          rowsLeft[column]! -= 1
          cells.push(
            new TableCell({
              children: [new Paragraph({})],
              columnSpan: across,
              verticalMerge: VerticalMergeType.CONTINUE,
            }),
          )
          column += across
          continue
        }
        const across = Math.max(1, Math.min(cell?.columns ?? 1, columns - column))
        if (cell && cell.rows > 1) {
          rowsLeft[column] = cell.rows - 1
          spans[column] = across
        }
        const content = cell?.content ?? []
        cells.push(
          new TableCell({
            columnSpan: across,
            ...(widths && {
              width: {
                size: twips(widths.slice(column, column + across).reduce((sum, part) => sum + part, 0)),
                type: WidthType.DXA,
              },
            }),
            ...(cell && cell.rows > 1 && { verticalMerge: VerticalMergeType.RESTART }),
            ...(cell?.fill !== undefined && { shading: { type: ShadingType.CLEAR, fill: hex(cell.fill) } }),
            ...(heights && { verticalAlign: VerticalAlignTable.CENTER }),
            children: [
              new Paragraph({
                children: runs(content, context),
                spacing: { after: 0, line: 240, lineRule: LineRuleType.AUTO },
                ...direction(content),
              }),
            ],
          }),
        )
        column += across
      }
      return new TableRow({
        children: cells,
        tableHeader: isHeader,
        ...(heights && { height: { value: twips(heights[index]!), rule: HeightRule.ATLEAST } }),
      })
    }),
  })
}
