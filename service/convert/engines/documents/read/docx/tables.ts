import { childOf, childrenOf, elementsOf, type XmlElement } from '../../../common/xml/element.ts'
import type { Block, TableCell, TableRow } from '../../model.ts'
import { isOn, value } from './styles.ts'

/** Maximum nesting of tables; deeper ones are read as text. */
const MAX_TABLE_DEPTH = 12

/**
 * Reads a table with its merged cells: ECMA-376 part 1, 17.4.
 * @param depth 1 for a table that is not nested
 * @param read reads the content of a cell
 */
export function tableBlocks(
  element: XmlElement,
  depth: number,
  read: (cell: XmlElement) => Block[],
): Block[] {
  const rows: TableRow[] = []
  /** Cells that continue in the next row, by their first column. */
  let above = new Map<number, TableCell>()
  const look = childOf(childOf(element, 'w:tblPr'), 'w:tblLook')?.attributes ?? {}
  const styled = look['w:firstRow']
    ? isOn(look['w:firstRow'])
    : (Number.parseInt(look['w:val'] ?? '0', 16) & 0x20) !== 0
  for (const row of descend(element, 'w:tr')) {
    const rowProperties = childOf(row, 'w:trPr')
    if (childOf(rowProperties, 'w:del')) continue
    const cells: TableCell[] = []
    const next = new Map<number, TableCell>()
    let column = Math.max(0, Number(value(rowProperties, 'w:gridBefore') || 0))
    for (const cell of descend(row, 'w:tc')) {
      const properties = childOf(cell, 'w:tcPr')
      const columns = Math.min(
        256,
        Math.max(1, Number.parseInt(value(properties, 'w:gridSpan') ?? '', 10) || 1),
      )
      const merge = childOf(properties, 'w:vMerge')
      const upper = above.get(column)
      const continues =
        merge !== undefined && merge.attributes['w:val'] !== 'restart' && upper?.columns === columns
      const beside = childOf(properties, 'w:hMerge')?.attributes['w:val']
      const before = cells.at(-1)
      if (continues) {
        upper.rows++
        next.set(column, upper)
      } else if (childOf(properties, 'w:hMerge') && beside !== 'restart' && before) before.columns += columns
      else {
        const own: TableCell = { columns, rows: 1, blocks: read(cell) }
        cells.push(own)
        if (merge) next.set(column, own)
      }
      column += columns
    }
    above = next
    const header = childOf(rowProperties, 'w:tblHeader')
    rows.push({ isHeader: header ? isOn(header.attributes['w:val']) : styled && rows.length === 0, cells })
  }
  const [only] = rows
  if (depth > MAX_TABLE_DEPTH) return rows.flatMap(({ cells }) => cells.flatMap(cell => cell.blocks))
  // A table with a single cell is only a box around text.
  if (rows.length === 1 && only?.cells.length === 1) return only.cells[0]!.blocks
  const grid = childrenOf(childOf(element, 'w:tblGrid'), 'w:gridCol').map(
    ({ attributes }) => Number(attributes['w:w']) || 0,
  )
  const total = grid.reduce((sum, width) => sum + width, 0)
  const widths = total > 0 ? { widths: grid.map(width => width / total) } : {}
  return rows.some(({ cells }) => cells.length > 0) ? [{ kind: 'table', rows, ...widths }] : []
}

/** Children with that name, including those in elements that only group them. */
function descend(element: XmlElement, name: string): XmlElement[] {
  return elementsOf(element).flatMap(child => {
    if (child.name === name) return [child]
    return /^w:(?:sdt|sdtContent|customXml|ins|moveTo)$/.test(child.name) ? descend(child, name) : []
  })
}
