/** Values separated by commas and the like: RFC 4180, as Papa Parse reads and writes it. */
import Papa from 'papaparse'
import { harmless } from '../../../shared/csv.ts'
import { type DataTable, type Scalar, textOf } from './values.ts'

const DELIMITERS = [',', '\t', ';', '|']

export interface ReadTable {
  rows: string[][]
  /** Whether a quote never ends, and quotes were therefore read like any other sign from there on. */
  hasStrayQuotes: boolean
}

/** @param delimiter found in the text if undefined */
export function readCsv(text: string, delimiter?: string): ReadTable {
  // Excel's own way to name the delimiter.
  const [declaration, declared] = /^sep=(.)\r?\n/i.exec(text) ?? []
  // Blank lines at the end mislead the search for the delimiter.
  let end = text.length
  while (text[end - 1] === '\n' || text[end - 1] === '\r') end--
  const content = text.slice(declaration?.length ?? 0, end)
  const given = delimiter ?? declared ?? ''
  const settings = { delimiter: given, delimitersToGuess: DELIMITERS, skipEmptyLines: false }
  const { data, errors, meta } = Papa.parse<string[]>(content, settings)
  const stray = errors.find(({ code }) => code === 'MissingQuotes')
  if (stray?.index === undefined) return { rows: content === '' ? [] : data, hasStrayQuotes: false }
  // Otherwise the rest of the file would be a single cell, the last of its row.
  const unquoted = { ...settings, delimiter: meta.delimiter, quoteChar: '\0' }
  const [first = [], ...others] = Papa.parse<string[]>(content.slice(stray.index - 1), unquoted).data
  const row = [...data.at(-1)!.slice(0, -1), ...first]
  return { rows: [...data.slice(0, -1), row, ...others], hasStrayQuotes: true }
}

/** What resembles a number or a telephone number runs nothing. */
const NUMERIC = /^[+-][\d\s().,/-]*$/

const written = (value: Scalar, text: string): string =>
  typeof value === 'string' && !NUMERIC.test(value) ? harmless(text) : text

/** All rows with as many cells as the longest; text that a spreadsheet would run as a formula gets an apostrophe. */
export function writeCsv(
  { rows }: DataTable,
  delimiter: string,
  cellOf: (value: Scalar) => string = textOf,
): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const cells = rows.map(row =>
    Array.from({ length: width }, (_, column) => {
      const value = row[column] ?? null
      return written(value, cellOf(value))
    }),
  )
  return `${Papa.unparse(cells, { delimiter, newline: '\r\n' })}\r\n`
}
