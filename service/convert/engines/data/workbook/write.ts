/** Writes values as an Excel workbook. */
import { type DataTable, digitsOf, Numeral, type Scalar } from '../values.ts'
import { type Cell, writeSpreadsheet } from './spreadsheet.ts'

/** What Excel can hold. */
export const SHEET_ROWS = 1_048_576
export const SHEET_COLUMNS = 16_384
export const CELL_LETTERS = 32_767
const NAME_LETTERS = 31

/** Excel calculates with 15 digits; a longer number is text, so that it keeps all of them. */
const NUMBER_DIGITS = 15

/**
 * @param options `dates`: text of a date in ISO 8601 becomes one
 */
export function writeWorkbook(tables: readonly DataTable[], { dates }: { dates: boolean }): Uint8Array {
  const names = sheetNames(tables)
  return writeSpreadsheet(
    tables.map(({ rows }, index) => ({
      rows: rows.map(row => row.map(value => cellOf(value, dates))),
      name: names[index]!,
    })),
  )
}

function cellOf(value: Scalar, dates: boolean): Cell | null {
  if (value === null || value === '') return null
  if (typeof value === 'boolean') return { value }
  if (typeof value === 'string') return (dates && dateOf(value)) || textCell(value)
  const text = value instanceof Numeral ? value.text : String(value)
  const number = Number(text)
  if (!Number.isFinite(number) || digitsOf(text) > NUMBER_DIGITS) return textCell(text)
  const [, decimals = ''] = /^-?\d+\.(\d+)$/.exec(text) ?? []
  if (!(value instanceof Numeral)) return { value: number }
  const zeros = decimals && `0.${'0'.repeat(decimals.length)}`
  return { value: number, ...((value.format || zeros) && { format: value.format ?? zeros }) }
}

const textCell = (text: string): Cell => ({ value: text.slice(0, CELL_LETTERS) })

const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:([T ])(\d\d):(\d\d)(?::(\d\d))?)?$/

/** A date from 1 March 1900 on, since Excel miscounts the days before. */
function dateOf(text: string): Cell | undefined {
  const [, year = '', , , separator, hour, , seconds] = DATE.exec(text) ?? []
  if (year === '' || year < '1901') return undefined
  const [date, time = '00:00'] = text.split(/[T ]/)
  const value = new Date(`${date}T${time}Z`)
  // Days such as 30 February become others.
  if (Number.isNaN(value.getTime()) || value.toISOString().slice(0, 10) !== date) return undefined
  const clock =
    hour === undefined ? '' : `${separator === 'T' ? '"T"' : ' '}hh:mm${seconds === undefined ? '' : ':ss'}`
  return { value, format: `yyyy-mm-dd${clock}` }
}

/** Names that Excel accepts, each once, in whatever case. */
export function sheetNames(tables: readonly Pick<DataTable, 'name'>[]): string[] {
  const taken = new Set<string>()
  return tables.map(({ name }, index) => {
    const plain = name
      .replace(/[[\]/\\:*?\p{Cc}\s]+/gu, ' ')
      .replace(/^['\s]+|['\s]+$/g, '')
      .slice(0, NAME_LETTERS)
    const own = plain || `Sheet${index + 1}`
    let unique = own
    for (let copy = 2; taken.has(unique.toLowerCase()); copy++) {
      const number = ` (${copy})`
      unique = own.slice(0, NAME_LETTERS - number.length) + number
    }
    taken.add(unique.toLowerCase())
    return unique
  })
}
