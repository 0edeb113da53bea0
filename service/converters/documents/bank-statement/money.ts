/** Amounts of money as statements of any country print them. All sums are whole hundredths. */

export type Decimal = '.' | ','

const SYMBOL = String.raw`(?:[$£€¥₹₽₺₪]|R\$|kr|Kč|zł|Fr\.?|Rs\.?|[A-Z]{3})`
const DIGITS = String.raw`\d{1,3}(?:[.,'’\s]\d{2,3})*[.,]\d{2}|\d+[.,]\d{2}`
const AMOUNT = new RegExp(
  String.raw`^(\()?\s*([-−–+])?\s*${SYMBOL}?\s*([-−–+])?\s*(${DIGITS})\s*${SYMBOL}?\s*(\))?\s*([-−–+])?\s*(CR|DR|Cr|Dr|C|D|H|S|OD)?$`,
  'u',
)

export interface Money {
  /** Hundredths, never negative. */
  cents: number
  /** What its sign or its mark says; 0 where it has neither. */
  sign: -1 | 0 | 1
  /** Whether a mark of letters gave the sign. */
  marked: boolean
}

/** An amount; null for what is none. */
export function moneyOf(text: string, decimal: Decimal): Money | null {
  const match = AMOUNT.exec(text)
  if (!match) return null
  const [, open, before, inner, digits, close, after, mark] = match
  if (digits!.at(-3) !== decimal) return null
  const whole = digits!.slice(0, -3)
  // The mark of decimals does not also group thousands.
  if (whole.includes(decimal)) return null
  const cents = Number(whole.replace(/\D/g, '')) * 100 + Number(digits!.slice(-2))
  if (!Number.isSafeInteger(cents)) return null
  const minus = (open && close) || [before, inner, after].some(sign => sign && sign !== '+')
  if (minus) return { cents, sign: -1, marked: false }
  if (mark) return { cents, sign: /^(CR|Cr|C|H)$/.test(mark) ? 1 : -1, marked: true }
  return { cents, sign: [before, inner, after].includes('+') ? 1 : 0, marked: false }
}

/** Which mark parts decimals, by what most amounts of a statement have. */
export function decimalOf(words: readonly string[]): Decimal {
  let [points, commas] = [0, 0]
  for (const word of words) {
    const digits = /\d([.,])\d{2}\D{0,3}$/.exec(word)
    if (!digits || /^\d{1,2}[./-]\d{1,2}[./-]\d{2}$/.test(word)) continue
    if (digits[1] === '.') points += 1
    else commas += 1
  }
  return commas > points ? ',' : '.'
}
