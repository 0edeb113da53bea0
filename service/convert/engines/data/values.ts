/** What data files hold, whatever their format. */

/** A number whose digits would not survive as a double: `1.50`, or one of twenty digits. It is written as it stands. */
export class Numeral {
  readonly text: string
  /** How a workbook shows it: ECMA-376 part 1, 18.8.30. */
  readonly format: string | undefined

  /** @param text a number as JSON writes it (RFC 8259, section 6) */
  constructor(text: string, format?: string) {
    this.text = text
    this.format = format
  }
}

export type Scalar = null | boolean | number | string | Numeral
/** Maps keep the order of their keys, which objects do not if the keys are numbers. */
export type Value = Scalar | Value[] | Map<string, Value>

/** Rows of cells; rows may be shorter than others. */
export interface DataTable {
  name: string
  rows: Scalar[][]
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** The number that a text is, with all of its digits; undefined if JSON has no such number, as for `007`. */
export function numberOf(text: string): number | Numeral | undefined {
  if (!NUMBER.test(text)) return undefined
  const value = Number(text)
  return String(value) === text ? value : new Numeral(text)
}

/** How many significant digits a number is written with. */
export const digitsOf = (text: string): number =>
  text
    .replace(/[eE].*$/, '')
    .replace(/\D/g, '')
    .replace(/^0+/, '').length

/** The text of a scalar in a table; that of nothing is empty. */
export const textOf = (value: Scalar): string =>
  value === null ? '' : value instanceof Numeral ? value.text : String(value)

/** A data file that is not what its format prescribes. */
export class DataError extends Error {
  /** Where, counted from 1; undefined if unknown. */
  readonly line: number | undefined

  constructor(text: string, line?: number) {
    super(text)
    this.line = line
  }
}
