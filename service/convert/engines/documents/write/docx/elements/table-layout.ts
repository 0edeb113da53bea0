/** Computes the positions of a table's cells with their spans, and the widths of its columns. */
import type { Declarations, StyleOf } from '../../../../books/book/css/cascade.ts'
import { elementsOf, textOf, type XmlElement } from '../../../../common/xml/element.ts'
import { twips } from '../frame.ts'

/** Maximum number of columns in Word. */
const MAX_COLUMNS = 63
/** Maximum and minimum width of a column in letters. */
const WIDEST = 60
const NARROWEST = 4

interface Cell {
  element: XmlElement
  column: number
  columns: number
  rows: number
}

interface Row {
  element: XmlElement
  cells: Cell[]
  isHeader: boolean
}

export interface TableLayout {
  rows: Row[]
  columnCount: number
  /** The elements that give its columns widths. */
  columns: XmlElement[]
}

const count = (text: string | undefined, most: number) =>
  Math.max(1, Math.min(most, Number.parseInt(text ?? '1', 10) || 1))

/** The cell positions of a table; undefined if it has no cells. */
export function layOut(table: XmlElement): TableLayout | undefined {
  const found = rowsOf(table)
  /** Number of rows for which each column is still covered by a cell above. */
  const covered: number[] = []
  const rows = found.map(({ element, isHeader }, index): Row => {
    const cells: Cell[] = []
    let column = 0
    for (const cell of elementsOf(element)) {
      if (cell.name !== 'td' && cell.name !== 'th') continue
      while ((covered[column] ?? 0) > 0) column += 1
      if (column >= MAX_COLUMNS) {
        // Content beyond Word's last column is appended to the last cell.
        cells.at(-1)?.element.children.push(...cell.children)
        continue
      }
      let columns = count(cell.attributes.colspan, MAX_COLUMNS - column)
      for (let at = 1; at < columns; at++) if ((covered[column + at] ?? 0) > 0) columns = at
      const height =
        cell.attributes.rowspan === '0' ? found.length : count(cell.attributes.rowspan, found.length)
      const rows = Math.min(height, found.length - index)
      cells.push({ element: cell, column, columns, rows })
      for (let at = 0; at < columns; at++) covered[column + at] = rows
      column += columns
    }
    for (const at of covered.keys()) covered[at] = Math.max(0, (covered[at] ?? 0) - 1)
    return { element, cells, isHeader }
  })
  const columnCount = rows
    .flatMap(({ cells }) => cells.map(cell => cell.column + cell.columns))
    .reduce((most, column) => Math.max(most, column), 0)
  const columns = elementsOf(table).flatMap(child => (child.name === 'colgroup' ? elementsOf(child) : child))
  return columnCount === 0
    ? undefined
    : { rows, columnCount, columns: columns.filter(({ name }) => name === 'col') }
}

function rowsOf(table: XmlElement): { element: XmlElement; isHeader: boolean }[] {
  const rows: { element: XmlElement; part: string }[] = []
  const add = (element: XmlElement, part: string) => {
    for (const child of elementsOf(element)) {
      if (child.name === 'tr') rows.push({ element: child, part })
      else if (/^t(?:head|foot|body)$/.test(child.name))
        add(child, child.name === 'tbody' ? part : child.name)
    }
  }
  add(table, 'tbody')
  return ['thead', 'tbody', 'tfoot'].flatMap(part =>
    rows.filter(row => row.part === part).map(({ element }) => ({ element, isHeader: part === 'thead' })),
  )
}

/** Widths of columns: as the table specifies, or by the amount of text in each. */
export function columnWidths(
  { rows, columnCount, columns: own }: TableLayout,
  styleOf: StyleOf,
  room: number,
): number[] {
  const weights = Array.from({ length: columnCount }, () => NARROWEST)
  const widthOf = (element: XmlElement) =>
    twips(styleOf(element).width ?? asLength(element.attributes.width), room)
  const declared = own.map(widthOf)
  for (const { cells } of rows)
    for (const { element, column, columns } of cells) {
      if (columns > 1) continue
      const length = textOf(element).replace(/\s+/g, ' ').trim().length
      weights[column] = Math.max(weights[column]!, Math.min(WIDEST, length))
      declared[column] ??= widthOf(element)
    }
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const widths = weights.map((weight, column) => declared[column] || (weight / total) * room)
  const scale = room / widths.reduce((sum, width) => sum + width, 0)
  // A table with little text is only as wide as necessary.
  const needed = total * 150 + columnCount * 200
  const fit = declared.some(Boolean) ? Math.min(1, scale) : Math.min(1, needed / room) * scale
  return widths.map(width => Math.max(100, Math.round(width * fit)))
}

/** The length of an attribute, whose unit is the pixel. */
export const asLength = (attribute: string | undefined) =>
  /^[\d.]+$/.test(attribute ?? '') ? `${attribute}px` : attribute

const hasEdge = (css: Declarations) =>
  ['', '-style', '-width', '-top', '-bottom', '-left', '-right']
    .map(side => `border${side}`)
    .some(
      property =>
        css[property] !== undefined && !/^(?:none|hidden|0|initial|inherit)(?![\d.])/.test(css[property]),
    )

/** Whether its cells have borders. */
export function hasLines(table: XmlElement, { rows }: TableLayout, styleOf: StyleOf): boolean {
  const { border } = table.attributes
  if (border !== undefined && border !== '0') return true
  return rows.slice(0, 3).some(({ cells }) => cells.some(({ element }) => hasEdge(styleOf(element))))
}
