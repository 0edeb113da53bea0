/** Parses dates as statements print them. */

export interface PrintedDate {
  day: number
  month: number
  year: number | undefined
  /** Number of characters it takes. */
  length: number
}

export type Order = 'day-first' | 'month-first'

/** First letters of months in English, German, French, Spanish, Italian, Portuguese, Dutch and Swedish. */
const MONTHS: readonly RegExp[] = [
  /^(jan|ene|gen|janv)/i,
  /^(feb|fév|fev)/i,
  /^(mar|mär|mrz|maa|mrt)/i,
  /^(apr|avr|abr)/i,
  /^(may|mai|mag|mei|maj)/i,
  /^(jun|juin|giu)/i,
  /^(jul|juil|lug)/i,
  /^(aug|août|aou|ago)/i,
  /^(sep|set)/i,
  /^(oct|okt|ott|out)/i,
  /^(nov)/i,
  /^(dec|dez|déc|dic)/i,
]

function monthOf(name: string): number {
  // Juin and juillet start alike.
  if (/^juil/i.test(name)) return 7
  return MONTHS.findIndex(month => month.test(name)) + 1
}

const NAME = '([A-Za-zÀ-ÿ]{3,10})'
const PATTERNS: readonly [RegExp, (groups: string[], order: Order) => [string?, string?, string?]][] = [
  [
    /^(?:(\d{4})\s?[年년]\s?)?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]/,
    ([year, month, day]) => [day, month, year],
  ],
  [/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/, ([year, month, day]) => [day, month, year]],
  [
    /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/,
    ([one, , other, year], order) => (order === 'day-first' ? [one, other, year] : [other, one, year]),
  ],
  [
    new RegExp(
      String.raw`^(\d{1,2})\.?[\s-]?(?:de )?${NAME}\.?(?:[-\s,.]{1,2}(?:de )?(\d{4})|[-./](\d{2}))?(?![\d\p{L}])`,
      'u',
    ),
    ([day, month, year, short]) => [day, month, year ?? short],
  ],
  [
    new RegExp(String.raw`^${NAME}\.?\s(\d{1,2})(?:,?\s(\d{4}))?(?![\d.,:])`, 'u'),
    ([month, day, year]) => [day, month, year],
  ],
  [
    /^(\d{1,2})([-/.])(\d{1,2})\.?(?![\d/.,-])/,
    ([one, , other], order) => (order === 'day-first' ? [one, other] : [other, one]),
  ],
]

/** A date at the start of a text; null if there is none. */
export function dateAt(text: string, order: Order): PrintedDate | null {
  for (const [pattern, read] of PATTERNS) {
    const match = pattern.exec(text)
    if (!match) continue
    const [day, month, year] = read(match.slice(1), order)
    const date = {
      day: Number(day),
      month: /^\d/.test(month ?? '') ? Number(month) : monthOf(month ?? ''),
      year: year === undefined ? undefined : year.length === 2 ? 2000 + Number(year) : Number(year),
      length: match[0].length,
    }
    const possible = date.day >= 1 && date.day <= 31 && date.month >= 1 && date.month <= 12
    if (possible && (date.year === undefined || (date.year > 1970 && date.year < 2100))) return date
  }
  return null
}

/** Every full date in a text. */
export function fullDates(text: string, order: Order): Date[] {
  const found: Date[] = []
  for (const { index } of text.matchAll(/(?<![\d\p{L}./-])[\d\p{L}]/gu)) {
    const date = dateAt(text.slice(index, index + 40), order)
    if (date?.year !== undefined) found.push(utc(date.year, date.month, date.day))
  }
  return found
}

export const utc = (year: number, month: number, day: number): Date =>
  new Date(Date.UTC(year, month - 1, day))

const NUMERIC = /(?<![\d.,/-])(\d{1,2})[-/.](\d{1,2})(?:[-/.](?:\d{4}|\d{2}))?(?![\d,/-])/g

/** Whether days or months come first in numeric dates: a number that cannot be a month decides. */
export function orderOf(texts: readonly string[], american: boolean): Order {
  for (const text of texts)
    for (const [, one, other] of text.matchAll(NUMERIC)) {
      if (Number(one) > 12 && Number(one) <= 31 && Number(other) >= 1 && Number(other) <= 12)
        return 'day-first'
      if (Number(other) > 12 && Number(other) <= 31 && Number(one) >= 1 && Number(one) <= 12)
        return 'month-first'
    }
  return american ? 'month-first' : 'day-first'
}

const DAY_MS = 86_400_000
/** Days a date may lie outside the period of its statement. */
const SLACK_DAYS = 20

/** The date in the year that puts it within the period, or otherwise the latest one before its end. */
export function resolved({ day, month, year }: PrintedDate, period: { from: Date; to: Date } | null): Date {
  if (year !== undefined) return utc(year, month, day)
  const end = period?.to ?? new Date()
  const years = [end.getUTCFullYear() + 1, end.getUTCFullYear(), end.getUTCFullYear() - 1]
  if (period) years.push(period.from.getUTCFullYear())
  const dates = years.map(each => utc(each, month, day))
  const within = dates.find(
    date =>
      period &&
      date.getTime() >= period.from.getTime() - SLACK_DAYS * DAY_MS &&
      date.getTime() <= period.to.getTime() + SLACK_DAYS * DAY_MS,
  )
  return within ?? dates.find(date => date.getTime() <= end.getTime() + SLACK_DAYS * DAY_MS)!
}
