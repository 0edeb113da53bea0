/** Parses amounts of money as printed on statements of any country. All values are whole hundredths. */

/** The decimal separator; empty if amounts have no decimals, as in yen and won. */
export type Decimal = '.' | ',' | ''

const SYMBOL = String.raw`(?:[$£€¥￥₩₹₽₺₪円원]|R\$|kr|Kč|zł|Fr\.?|Rs\.?|[A-Z]{3})`
const DECIMALS = String.raw`\d{1,3}(?:[.,'’′\s]\d{2,3})*[.,]\d{2}|\d+[.,]\d{2}`
const WHOLE = String.raw`\d{1,3}(?:[.,]\d{3})+|\d{1,9}`
const amountOf = (digits: string) =>
  new RegExp(
    String.raw`^(\()?\s*([-−–+▲])?\s*${SYMBOL}?\s*([-−–+])?\s*(${digits})\s*${SYMBOL}?\s*(\))?\s*([-−–+])?\s*(CR|DR|Cr|Dr|C|D|H|S|OD)?$`,
    'u',
  )
const AMOUNT = amountOf(DECIMALS)
const WHOLE_AMOUNT = amountOf(WHOLE)

export interface Money {
  /** Hundredths, never negative. */
  cents: number
  /** From its sign or its mark; 0 if it has neither. */
  sign: -1 | 0 | 1
  /** Whether the sign came from a mark of letters. */
  marked: boolean
}

/** Parses an amount; null if the text is not one. */
export function moneyOf(text: string, decimal: Decimal): Money | null {
  const match = (decimal ? AMOUNT : WHOLE_AMOUNT).exec(text)
  if (!match) return null
  const [, open, before, inner, digits = '', close, after, mark] = match
  if (decimal && digits.at(-3) !== decimal) return null
  const whole = decimal ? digits.slice(0, -3) : digits
  // The decimal separator cannot also group thousands.
  if (decimal && whole.includes(decimal)) return null
  const cents = Number(whole.replace(/\D/g, '')) * 100 + (decimal ? Number(digits.slice(-2)) : 0)
  if (!Number.isSafeInteger(cents)) return null
  const minus = (open && close) || [before, inner, after].some(sign => sign && sign !== '+')
  if (minus) return { cents, sign: -1, marked: false }
  if (mark) return { cents, sign: /^(CR|Cr|C|H)$/.test(mark) ? 1 : -1, marked: true }
  return { cents, sign: [before, inner, after].includes('+') ? 1 : 0, marked: false }
}

/** Either a day and a month, such as `03.12.`, or an amount. */
const DAY_AND_MONTH = /^(0[1-9]|[12]\d|3[01])\.(0[1-9]|1[0-2])\.?$/

/** The decimal separator that most amounts of a statement use. */
export function decimalOf(words: readonly string[]): Decimal {
  let [points, commas, whole, days] = [0, 0, 0, 0]
  for (const word of words) {
    if (/^\D{0,3}\d{1,3}(?:[.,]\d{3})+\D{0,3}$/u.test(word)) whole += 1
    const digits = /\d([.,])\d{2}\D{0,3}$/.exec(word)
    if (!digits || /^\d{1,2}[./-]\d{1,2}[./-]\d{2}$/.test(word)) continue
    if (DAY_AND_MONTH.test(word)) {
      days += 1
      continue
    }
    if (digits[1] === '.') points += 1
    else commas += 1
  }
  // Dates such as 31.12 look like amounts with decimals.
  if (whole >= 3 && points + commas + days < whole / 4) return ''
  return commas > points ? ',' : '.'
}
