/** Values separated by commas and the like: RFC 4180, as Papa Parse reads and writes it. */
import Papa from 'papaparse'
import { type Scalar, type Table, textOf } from './values.ts'

const DELIMITERS = [',', '\t', ';', '|']

export interface ReadTable {
  rows: string[][]
  /** Whether a quote never ends, and quotes were therefore read like any other sign. */
  hasStrayQuotes: boolean
}

/** @param delimiter found in the text if undefined */
export function readCsv(text: string, delimiter?: string): ReadTable {
  // Excel's own way to name the delimiter.
  const [declaration, declared] = /^sep=(.)\r?\n/i.exec(text) ?? []
  // Blank lines at the end mislead the search for the delimiter.
  const content = text.slice(declaration?.length ?? 0).replace(/[\r\n]+$/, '')
  const given = delimiter ?? declared ?? ''
  const settings = { delimiter: given, delimitersToGuess: DELIMITERS, skipEmptyLines: false }
  const { data, errors, meta } = Papa.parse<string[]>(content, settings)
  const hasStrayQuotes = errors.some(({ code }) => code === 'MissingQuotes')
  // Otherwise the rest of the file would be a single cell.
  const rows = hasStrayQuotes
    ? Papa.parse<string[]>(content, { ...settings, delimiter: meta.delimiter, quoteChar: '\0' }).data
    : data
  return { rows: content === '' ? [] : rows, hasStrayQuotes }
}

/** All rows with as many cells as the longest. */
export function writeCsv(
  { rows }: Table,
  delimiter: string,
  cellOf: (value: Scalar) => string = textOf,
): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const cells = rows.map(row => Array.from({ length: width }, (_, column) => cellOf(row[column] ?? null)))
  return `${Papa.unparse(cells, { delimiter, newline: '\r\n' })}\r\n`
}
