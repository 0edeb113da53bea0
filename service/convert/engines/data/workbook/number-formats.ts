/** How a workbook's number formats show numbers and dates: ECMA-376 part 1, 18.8.30 and 18.8.31. */
import { numberOf, type Scalar } from '../values.ts'

/** The built-in formats of dates, times and numbers with a fixed number of decimals. */
const BUILT_IN: Record<number, string> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  14: 'yyyy-mm-dd',
  18: 'h:mm',
  19: 'h:mm:ss',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  37: '#,##0',
  38: '#,##0',
  39: '#,##0.00',
  40: '#,##0.00',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
}
/** Built-in formats that are dates in every language. */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)

const DAY_MS = 86_400_000
/** Day 0 of the two calendars; the first one counts a 29 February 1900 that was none. */
const EPOCHS = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) }

export type Calendar = keyof typeof EPOCHS

/** What a number in a cell of a format means: a date or time in ISO 8601, or a number with the zeros that the format adds. */
export type Format = (value: number, calendar: Calendar) => Scalar

/**
 * @param id of a built-in format
 * @param code of a format of the workbook itself
 */
export function formatOf(id: number, code: string | undefined): Format {
  const own = code ?? BUILT_IN[id] ?? (isBuiltInDate(id) ? 'yyyy-mm-dd' : 'General')
  // The first section is that of positive numbers; quoted text, colours, currencies and padding show nothing of the value.
  const [section = ''] = own.replace(/"T"|\\T/g, 'T').split(';')
  const unquoted = section.replace(/"[^"]*"|\\.|_.|\*.|\[(?![hms]+\])[^\]]*\]/gi, '')
  if (/general/i.test(unquoted)) return plain
  if (/[ymdhs]/i.test(unquoted)) return dated(unquoted.toLowerCase())
  const [, zeros = '', decimals = ''] = /^[^0#]*(?:#,##)?(0+)(?:\.(0+))?[^0#%/E]*$/.exec(unquoted) ?? []
  return zeros ? padded(zeros.length, decimals.length) : plain
}

/** Excel calculates with 15 digits: those behind are an artefact of doubles, but whole numbers may be names. */
const digits = (value: number): string =>
  String(Number.isInteger(value) ? value : Number(value.toPrecision(15)))

/** A number in a format that shows nothing else. */
export const plain: Format = value => numberOf(digits(value)) ?? value

const padded =
  (zeros: number, decimals: number): Format =>
  value => {
    const text = digits(value)
    const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
    if (whole === '') return plain(value, 1900)
    const full =
      sign + whole.padStart(zeros, '0') + (fraction || decimals ? `.${fraction.padEnd(decimals, '0')}` : '')
    // A postcode with its zeros is text to every other program.
    return numberOf(full) ?? full
  }

/**
 * A date, a time of day, or both if the number has both, whichever of them the format shows.
 * @param code of the format, in lower case
 */
const dated =
  (code: string): Format =>
  (value, calendar) => {
    // There is nothing before day 0.
    if (value < 0 || value > 2_958_466) return plain(value, calendar)
    const places = /s\.0+/.test(code) ? 1 : 1000
    const total = Math.round((value * DAY_MS) / places) * places
    const isElapsed = /\[[hms]+\]/.test(code)
    const hasTime = /[hs]/.test(code) || total % DAY_MS !== 0
    const hasDate = !isElapsed && (/[yd]/.test(code) || !/[hs]/.test(code) || total >= DAY_MS)
    // Days before 1 March 1900 are one off.
    const early = calendar === 1900 && hasDate && value < 60 ? DAY_MS : 0
    const iso = new Date(EPOCHS[calendar] + total + early).toISOString()
    const date = iso.slice(0, 10)
    const seconds = total % 1000 === 0 ? iso.slice(17, 19) : iso.slice(17, 23)
    if (!hasTime) return date
    const minutes = `${iso.slice(11, 16)}${/s/.test(code) || seconds !== '00' ? `:${seconds}` : ''}`
    if (hasDate) return `${date}${code.includes('t') ? 'T' : ' '}${minutes}`
    const hours = String(Math.floor(total / 3_600_000)).padStart(2, '0')
    return hours + minutes.slice(2)
  }
