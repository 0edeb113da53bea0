/** What the cells of a printed table mean: numbers and dates in whatever notation their column uses. */
import { Numeral, numberOf, type Scalar } from '../../../../engines/data/values.ts'
import { dateAt, orderOf } from '../../bank-statement/dates.ts'

type Mark = '.' | ','

const CURRENCY = String.raw`(?:US|CA|AU|NZ|HK|[ACRS])?\p{Sc}|[A-Z]{3}|kr|Kč|zł|Fr\.?|Rs\.?`
const NUMBER = new RegExp(
  String.raw`^(\()?\s*([-−–+])?\s*(${CURRENCY})?\s*([-−–])?\s*([.,]?\d[\d.,'’\s]*?)\s*([-−–](?=$))?(%|${CURRENCY})?\s*(\))?$`,
  'u',
)
/** Whole numbers, with thousands (in India also hundreds of thousands) parted by one sign or not at all. */
const WHOLE = /^(?:\d*|\d{1,3}(?:([.,'’\s])(?:\d{2,3}\1)*\d{3}))$/u
/** More digits are a name, and so are digits with zeros before them. */
const NUMBER_DIGITS = 15

interface Printed {
  digits: string
  isNegative: boolean
  inParentheses: boolean
  before: string
  after: string
}

function printed(text: string): Printed | undefined {
  const [found, open, sign, before = '', inner, digits = '', last, after = '', close] =
    NUMBER.exec(text) ?? []
  if (found === undefined || Boolean(open) !== Boolean(close)) return undefined
  const isNegative = Boolean(open) || [sign, inner, last].some(one => one && one !== '+')
  return { digits, isNegative, inParentheses: Boolean(open), before, after }
}

/** The sign before the decimals, by the numbers that can be read in one way only; undefined if there are none. */
function decimalOf(texts: readonly string[]): Mark | undefined {
  let balance = 0
  for (const text of texts) {
    const { digits = '' } = printed(text) ?? {}
    const marks = digits.match(/[.,]/g) ?? []
    if (marks.length === 0) continue
    const last = marks.at(-1)
    const isRepeated = marks.length > 1 && new Set(marks).size === 1
    const decimals = digits.length - digits.lastIndexOf(last!) - 1
    const isClear = marks.length > 1 || decimals !== 3 || /^(?:0|\d{4,})?[.,]|['’\s]/.test(digits)
    if (isClear) balance += (last === '.') === isRepeated ? -1 : 1
  }
  return balance === 0 ? undefined : balance > 0 ? '.' : ','
}

function numberIn(text: string, decimal: Mark): Scalar | undefined {
  const read = printed(text)
  if (!read) return undefined
  const { digits, isNegative, inParentheses, before, after } = read
  const at = digits.indexOf(decimal)
  const [whole, decimals] = at < 0 ? [digits, ''] : [digits.slice(0, at), digits.slice(at + 1)]
  const plain = whole.replace(/\D/g, '') || '0'
  if (!WHOLE.test(whole) || !/^\d*$/.test(decimals) || /^0\d/.test(plain)) return undefined
  if (plain.length + decimals.length > NUMBER_DIGITS) return undefined
  const places = decimals && `.${decimals}`
  const isShare = after === '%'
  const value = `${isNegative ? '-' : ''}${isShare ? (Number(plain + places) / 100).toFixed(decimals.length + 2) : plain + places}`
  const shown = `${plain === whole || whole === '' ? '0' : '#,##0'}${places.replace(/\d/g, '0')}`
  const format = `${before && `"${before}"`}${shown}${isShare ? '%' : after && ` "${after}"`}`
  const own = inParentheses ? `${format};(${format})` : format
  return own === '0' ? numberOf(value) : new Numeral(value, own)
}

/** A date with its year, in ISO 8601; undefined if there is none, or if day and month might be either way round. */
function dateIn(text: string, column: readonly string[]): string | undefined {
  const [found, other] = [false, true].map(isAmerican => dateAt(text, orderOf(column, isAmerican)))
  if (found?.year === undefined || found.length !== text.length) return undefined
  const isCertain = found.day === other?.day || /^\d+\.\d+\./.test(text)
  // Two digits of a year are only those of a date with slashes or the name of a month.
  if (!isCertain || !/\d{4}|\/|\p{L}/u.test(text)) return undefined
  const part = (value: number) => String(value).padStart(2, '0')
  return `${found.year}-${part(found.month)}-${part(found.day)}`
}

/**
 * @param heads number of rows that name columns and stay text
 * @param language BCP 47; says how numbers such as 1.204 are meant, if nothing in the table does
 */
export function printedRows(rows: readonly string[][], heads: number, language: string): Scalar[][] {
  const body = rows.slice(heads)
  const width = Math.max(0, ...rows.map(row => row.length))
  const ofTable = decimalOf(body.flat())
  const usual = new Intl.NumberFormat(language).format(0.5)[1] === ',' ? ',' : '.'
  const columns = Array.from({ length: width }, (_, column) => {
    const texts = body.map(row => row[column] ?? '')
    const decimal = decimalOf(texts) ?? ofTable ?? usual
    const isName = texts.some(text => /^0\d/.test(text) || /^\d{16,}$/.test(text))
    return (text: string): Scalar => {
      if (text === '') return null
      if (isName && /^\d+$/.test(text)) return text
      return dateIn(text, texts) ?? numberIn(text, decimal) ?? text
    }
  })
  return rows.map((row, index) =>
    row.map((text, column) => (index < heads ? text || null : columns[column]!(text))),
  )
}
