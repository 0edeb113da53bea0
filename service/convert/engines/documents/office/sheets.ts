/** How far the cells of a workbook's sheets reach, which decides on the pages of a sheet and on the formats that hold it. */
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'

/** The last column and row with a cell, from 1. */
interface Extent {
  columns: number
  rows: number
}

export interface Sheet {
  /** Also of empty cells that have a style, if the format tells them from others. */
  styled?: Extent
  filled: Extent
}

/** Approximate number of columns and rows on a page. */
const PAGE_COLUMNS = 8
const PAGE_ROWS = 45
/** Maximum number of pages of a sheet. LibreOffice goes through all of them, including empty ones. */
const PAGE_LIMIT = 200_000

/** What a sheet of an XLS can hold: [MS-XLS] 2.5.51 and 2.5.236. */
const XLS: Extent = { columns: 256, rows: 65_536 }

/** A cell with its reference, with any namespace prefix; see ECMA-376, part 1, 18.3.1.4. */
const CELL = /<(?:\w+:)?c\s[^>]*?\br="([A-Z]{1,3})(\d{1,7})"[^>]*>/g

const columnNumber = (letters: string): number =>
  [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)

const extend = (extent: Extent, columns: number, rows: number) => {
  extent.columns = Math.max(extent.columns, columns)
  extent.rows = Math.max(extent.rows, rows)
}

/** @param xml the part of a sheet in an XLSX */
export function sheetOf(xml: string): Sheet {
  const styled = { columns: 0, rows: 0 }
  const filled = { columns: 0, rows: 0 }
  for (const [tag, letters = '', digits = ''] of xml.matchAll(CELL)) {
    const [column, row] = [columnNumber(letters), Number(digits)]
    extend(styled, column, row)
    if (!tag.endsWith('/>')) extend(filled, column, row)
  }
  return { styled, filled }
}

/** Tags of tables, rows and cells in OpenDocument: ISO/IEC 26300-3, 9.1. */
const OPEN_TAG = /<table:(table|table-row|table-cell|covered-table-cell)(?=[\s/>])([^>]*)>/g

const repeated = (attributes: string, of: string) =>
  Number(new RegExp(`\\stable:number-${of}-repeated="(\\d+)"`).exec(attributes)?.[1] ?? 1)

/** @param xml the content of an ODS */
export function openSheets(xml: string): Sheet[] {
  const sheets: Sheet[] = []
  let rows = 0
  let columns = 0
  for (const [, name, attributes = ''] of xml.matchAll(OPEN_TAG)) {
    if (name === 'table') {
      sheets.push({ filled: { columns: 0, rows: 0 } })
      rows = 0
    } else if (name === 'table-row') {
      rows += repeated(attributes, 'rows')
      columns = 0
    } else {
      columns += repeated(attributes, 'columns')
      const sheet = sheets.at(-1)
      if (sheet && attributes.includes('office:value-type=')) extend(sheet.filled, columns, rows)
    }
  }
  return sheets
}

/**
 * Checks sheets that become pages: a cell in the last corner would make millions of them.
 * @throws JobFailure too_many_pages
 */
export function checkPages(sheets: readonly Sheet[]): void {
  for (const { filled, styled = filled } of sheets) {
    const { columns, rows } = styled
    if (Math.ceil(columns / PAGE_COLUMNS) * Math.ceil(rows / PAGE_ROWS) > PAGE_LIMIT)
      throw new JobFailure('jobs.too_many_pages', message('office.sheet_too_far', { columns, rows }))
  }
}

/**
 * Checks sheets that are saved as XLS, which LibreOffice would cut off without a word.
 * @throws JobFailure too_large
 */
export function checkXls(sheets: readonly Sheet[]): void {
  if (sheets.some(({ filled }) => filled.columns > XLS.columns || filled.rows > XLS.rows))
    throw new JobFailure('jobs.too_large', message('office.beyond_xls', { ...XLS }))
}
