import type { Document } from '../../model.ts'
import { literal } from '../../typst/literal.ts'

/** What a document in Typst says of itself: title, authors, date, language, direction. */
export function factsOf(document: Document, title: string): string {
  const { authors, keywords = [], description, rightToLeft } = document
  const list = (values: string[]) => `(${values.map(value => `${literal(value)},`).join(' ')})`
  const given = [
    `title: ${literal(title)}`,
    ...(authors.length > 0 ? [`author: ${list(authors)}`] : []),
    ...(keywords.length > 0 ? [`keywords: ${list(keywords)}`] : []),
    ...(description ? [`description: ${literal(description)}`] : []),
    ...dateOf(document.date),
  ]
  const [, language = 'en', region] =
    /^([a-z]{2,3})(?:[-_]([A-Za-z]{2}))?(?![a-zA-Z])/.exec(document.language) ?? []
  const text = [
    `lang: ${literal(language)}`,
    ...(region ? [`region: ${literal(region)}`] : []),
    ...(rightToLeft ? ['dir: rtl'] : []),
  ]
  return `#set document(${given.join(', ')})\n#set text(${text.join(', ')})\n`
}

function dateOf(date: string | undefined): string[] {
  const match = /^(\d{4})-(\d{1,2})-(\d{1,2})/.exec(date ?? '')
  if (!match) return []
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
  const real = new Date(Date.UTC(year, month - 1, day))
  const isReal = year > 1600 && real.getUTCMonth() === month - 1 && real.getUTCDate() === day
  return isReal ? [`date: datetime(year: ${year}, month: ${month}, day: ${day})`] : []
}
