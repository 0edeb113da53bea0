/** Formats numbers, sizes and times in the language of the page. */
import { locale } from '../messages/language.ts'
import { text } from '../messages/text.ts'

/** A formatter for the page's language, created on first use: the language is only known after this module was loaded. */
function inLanguage<Formatter>(make: (tag: string) => Formatter): () => Formatter {
  const made = new Map<string, Formatter>()
  return () => {
    const tag = locale()
    const known = made.get(tag) ?? make(tag)
    made.set(tag, known)
    return known
  }
}

const numbers = (options: Intl.NumberFormatOptions) => inLanguage(tag => new Intl.NumberFormat(tag, options))
const dates = (options: Intl.DateTimeFormatOptions) =>
  inLanguage(tag => new Intl.DateTimeFormat(tag, options))

const integer = numbers({ maximumFractionDigits: 0 })
const oneDigit = numbers({ maximumFractionDigits: 1 })
const number = numbers({})

export const count = (value: number): string => integer().format(value)

/** An average: with one decimal digit while it is small. */
export const average = (value: number): string => (value < 10 ? oneDigit() : integer()).format(value)

/** A number with its unit, such as `320 kbit/s`, on one line and in this order in every language. */
export const quantity = (value: number, unit?: string): string =>
  number().format(value) + (unit ? `\u00a0${unit}` : '')

const byteUnits = ['bytes', 'kilobytes', 'megabytes', 'gigabytes', 'terabytes'] as const

/** Bytes in decimal units, as in prices: 1 MB = 1,000,000 bytes. */
export function size(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < byteUnits.length - 1) {
    value /= 1000
    unit++
  }
  const digits = unit === 0 || value >= 99.95 ? integer() : oneDigit()
  return text(`units.${byteUnits[unit] ?? 'terabytes'}`, { value: digits.format(value) })
}

const wholePercent = numbers({ style: 'percent' })
const signedPercent = numbers({ style: 'percent', signDisplay: 'exceptZero' })

/** A fraction of 0 to 1, such as `49%`. */
export const percent = (share: number): string => wholePercent().format(share)

/** A change with its sign, such as `−49%` for -0.49; `×12` if more than ten times as large. */
export const change = (ratio: number): string =>
  ratio >= 9 ? `×${count(ratio + 1)}` : signedPercent().format(ratio).replace('-', '\u2212')

const secondsUnit = numbers({ style: 'unit', unit: 'second' })
const minutesUnit = numbers({ style: 'unit', unit: 'minute' })
const hoursUnit = numbers({ style: 'unit', unit: 'hour' })

/** A duration in its largest sensible unit: `40 sec`, `12 min`, `3 hr`. */
export function duration(seconds: number): string {
  if (seconds < 59.5) return secondsUnit().format(Math.max(1, Math.round(seconds)))
  if (seconds < 5400) return minutesUnit().format(Math.round(seconds / 60))
  return hoursUnit().format(Math.round(seconds / 3600))
}

const relative = inLanguage(tag => new Intl.RelativeTimeFormat(tag, { numeric: 'auto', style: 'short' }))
const relativeLong = inLanguage(tag => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }))
const dateTime = dates({ dateStyle: 'medium', timeStyle: 'short' })
const dateOnly = dates({ dateStyle: 'medium' })
const dayLong = dates({ weekday: 'long', day: 'numeric', month: 'long' })
const dayShort = dates({ day: 'numeric', month: 'short' })

/** How long ago, up to a day; after that the date. */
export function ago(iso: string, now: number): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1000)
  if (seconds > -60) return relative().format(0, 'second')
  if (seconds > -3600) return relative().format(Math.ceil(seconds / 60), 'minute')
  if (seconds > -86_400) return relative().format(Math.ceil(seconds / 3600), 'hour')
  return dateTime().format(new Date(iso))
}

export const moment = (iso: string): string => dateTime().format(new Date(iso))
export const date = (iso: string): string => dateOnly().format(new Date(iso))

/** `Thursday, 20 November`, or today and yesterday. */
export function dayHeading(iso: string, now: number): string {
  const day = new Date(iso)
  const days = Math.round((startOfDay(new Date(now)) - startOfDay(day)) / 86_400_000)
  if (days === 0 || days === 1) {
    const word = relativeLong().format(-days, 'day')
    return word.charAt(0).toLocaleUpperCase(locale()) + word.slice(1)
  }
  return dayLong().format(day)
}

/** A calendar day `YYYY-MM-DD` without its year. It is a day rather than an instant, so time zones do not matter. */
export const shortDay = (day: string): string => dayShort().format(new Date(`${day}T12:00:00`))

const startOfDay = (at: Date) => new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime()
