/** Parses dates as statements print them. */

export interface PrintedDate {
  day: number
  month: number
  year: number | undefined
  /** Number of characters it takes. */
  length: number
}

export type Order = 'day-first' | 'month-first'

const plain = (name: string) => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Languages in which statements name months, and names that Unicode's tables lack. */
const LANGUAGES = ['en', 'de', 'de-AT', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'da', 'nb', 'pl']
const OTHER_NAMES = new Map([[2, ['mrz']]])

/** Names of months without accents, as they stand alone and after a day. */
const MONTHS: readonly string[][] = Array.from({ length: 12 }, (_, month) => [
  ...(OTHER_NAMES.get(month) ?? []),
  ...LANGUAGES.flatMap(language =>
    [{ day: 'numeric' } as const, {}].flatMap(day =>
      new Intl.DateTimeFormat(language, { month: 'long', ...day })
        .formatToParts(new Date(2024, month, 1))
        .filter(({ type }) => type === 'month')
        .map(({ value }) => plain(value)),
    ),
  ),
])

/** The month of a name or of its first letters; 0 if it is neither, such as "Market". */
function monthOf(name: string): number {
  const start = plain(name)
  return MONTHS.findIndex(names => names.some(full => full.startsWith(start))) + 1
}

/** Two digits of a year mean the latest year that is not in the future. */
function yearOf(printed: string): number {
  const year = Number(printed)
  if (printed.length > 2) return year
  return 2000 + year > new Date().getUTCFullYear() + 1 ? 1900 + year : 2000 + year
}

/** Whether a month has this day, in a leap year if none is printed. */
const exists = (day: number, month: number, year = 2024) =>
  month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()

const NAME = String.raw`(\p{Script=Latin}{3,12})`
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
      year: year === undefined ? undefined : yearOf(year),
      length: match[0].length,
    }
    if (
      exists(date.day, date.month, date.year) &&
      (date.year === undefined || (date.year > 1970 && date.year < 2100))
    )
      return date
  }
  return null
}

/** A date that is all there is on a line, with or without its day of the week: the heading of that day. */
export function dayHeading(text: string, order: Order): PrintedDate | null {
  for (const shown of [text.trim(), text.trim().replace(/^\p{L}{2,12}\.?,? /u, '')]) {
    const date = dateAt(shown, order)
    if (date?.length === shown.length) return date
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
