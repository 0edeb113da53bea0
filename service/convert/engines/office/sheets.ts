import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'

/** Approximate number of columns and rows on a page. */
const PAGE_COLUMNS = 8
const PAGE_ROWS = 45
/** Maximum number of pages of a sheet. LibreOffice goes through all of them, including empty ones. */
const PAGE_LIMIT = 200_000

/** A cell with its reference, with any namespace prefix; see ECMA-376, part 1, 18.3.1.4. */
const CELL = /<(?:\w+:)?c\s[^>]*?\br="([A-Z]{1,3})(\d{1,7})"/g

const columnNumber = (letters: string): number =>
  [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)

/**
 * Checks the extent of the cells of a sheet: a cell in the last corner would turn it into millions of pages.
 * @param xml the part of the sheet
 * @throws JobFailure too_many_pages
 */
export function checkExtent(xml: string): void {
  let columns = 0
  let rows = 0
  for (const [, letters = '', digits = ''] of xml.matchAll(CELL)) {
    columns = Math.max(columns, columnNumber(letters))
    rows = Math.max(rows, Number(digits))
  }
  if (Math.ceil(columns / PAGE_COLUMNS) * Math.ceil(rows / PAGE_ROWS) <= PAGE_LIMIT) return
  throw new JobFailure('jobs.too_many_pages', message('office.sheet_too_far', { columns, rows }))
}
