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
  WidthType,
} from 'docx'
import type { TableCell as Cell, Table as TableBlock } from '../../layout/model.ts'
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
  const cellOf = ({ content, columns: across, rows: down, fill }: Cell, column: number) => {
    const size = widths?.slice(column, column + across).reduce((sum, part) => sum + part, 0)
    return new TableCell({
      columnSpan: Math.max(1, Math.min(across, columns - column)),
      rowSpan: down,
      ...(size !== undefined && { width: { size: twips(size), type: WidthType.DXA } }),
      ...(fill !== undefined && { shading: { type: ShadingType.CLEAR, fill: hex(fill) } }),
      ...(heights && { verticalAlign: VerticalAlignTable.CENTER }),
      children: [
        new Paragraph({
          children: runs(content, context),
          spacing: { after: 0, line: 240, lineRule: LineRuleType.AUTO },
          ...direction(content),
        }),
      ],
    })
  }
  return new Table({
    width: { size: twips(width), type: WidthType.DXA },
    indent: { size: twips(place?.left ?? 0), type: WidthType.DXA },
    columnWidths: (widths ?? Array.from({ length: columns }, () => width / columns)).map(twips),
    borders: ruled ? BORDERS : TableBorders.NONE,
    margins: { left: 40, right: 20, top: 0, bottom: 0 },
    rows: rows.map((row, index) => {
      const cells = row.flatMap((cell, column) => (cell ? cellOf(cell, column) : []))
      return new TableRow({
        children: cells,
        tableHeader: index < headerRows,
        ...(heights && { height: { value: twips(heights[index]!), rule: HeightRule.ATLEAST } }),
      })
    }),
  })
}
