/** Rows by the names of their columns, as calendars and contacts are read and written. */
import { type DataTable, textOf } from '../values.ts'

export type Row = Map<string, string>
/** What is written, and the columns that it has no place for. */
export type Written = { text: string; unknown: string[] }

/** The columns that hold something or always stand there, in their order. */
export function tableOfRows(name: string, rows: readonly Row[], columns: readonly string[], always: number) {
  const used = new Set([...columns.slice(0, always), ...rows.flatMap(row => [...row.keys()])])
  const head = columns.filter(column => used.has(column))
  return {
    name,
    rows: rows.length > 0 ? [head, ...rows.map(row => head.map(each => row.get(each) ?? ''))] : [],
  }
}

/**
 * Rows of tables by what the names in the first row of each mean.
 * @param meaningOf of a name in small letters among all of its table, undefined if it has none
 * @returns and the names of what has values and no meaning
 */
export function rowsOfTables(
  tables: readonly DataTable[],
  meaningOf: (name: string, index: number, names: string[]) => string | undefined,
) {
  const unknown = new Set<string>()
  const rows = tables.flatMap(({ rows: [head = [], ...body] }) => {
    const meanings = head.map(cell => textOf(cell).trim().toLowerCase()).map(meaningOf)
    return body.map((cells): Row => {
      const row: Row = new Map()
      for (const [at, cell] of cells.entries()) {
        const [meaning, text] = [meanings[at], textOf(cell).trim()]
        if (text && meaning && !row.has(meaning)) row.set(meaning, text)
        else if (text && !meaning) unknown.add(textOf(head[at] ?? `${at + 1}`))
      }
      return row
    })
  })
  return { rows, unknown: [...unknown] }
}

/** A name in small letters, and what it means. */
export const lower = ([name, meaning]: readonly [string, string]) => [name.toLowerCase(), meaning] as const

/** Whether the day comes first in dates such as 3.4.2026: if one of them says so, or if they have points. */
export const isDayFirst = (texts: readonly string[]): boolean =>
  texts.some(text => /^(?:1[3-9]|2\d|3[01])[./-]\d\d?[./-]|^\d\d?\.\d/.test(text))

/** The date that a text begins with, in ISO 8601; undefined if there is none. */
export function dayOf(text: string, dayFirst = false): string | undefined {
  const iso = /^(\d{4})-?(\d\d)-?(\d\d)(?!\d)/.exec(text)
  const [, one, other, year] = /^(\d\d?)[./-](\d\d?)[./-](\d{4})(?!\d)/.exec(text) ?? []
  const parts = iso?.slice(1) ?? (dayFirst ? [year, other, one] : [year, one, other])
  const day = parts.map(each => each?.padStart(2, '0')).join('-')
  return new Date(Date.parse(`${day}T00:00Z`) || 0).toISOString().startsWith(day) ? day : undefined
}
