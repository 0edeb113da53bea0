/** Tables from values, and values from tables. */
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { compactJson } from '../../../engines/data/json.ts'
import {
  type DataTable,
  digitsOf,
  Numeral,
  numberOf,
  type Scalar,
  textOf,
  type Value,
} from '../../../engines/data/values.ts'

/** More digits are no amount but a name, such as a card's number, and most programs would round them. */
const NUMBER_DIGITS = 15

/** Most cells of a table whose rows are all as long as the longest. */
const MOST_CELLS = 20_000_000
/** The same in text documents, in which each cell holds paragraphs. */
export const MOST_TEXT_CELLS = 2_000_000

/** @throws JobFailure too_large if short rows, filled up, would be too much for memory */
export function checkArea(rows: DataTable['rows'], most = MOST_CELLS): void {
  const columns = rows.reduce((longest, row) => Math.max(longest, row.length), 0)
  if (rows.length * columns > most)
    throw new JobFailure('jobs.too_large', message('data.reaches_too_far', { columns, rows: rows.length }))
}

/** Digits that are a name and no amount: with zeros before them, or more of them than numbers have. */
const isName = (text: string) =>
  /^-?0\d/.test(text) || (/^-?[\d.,]+$/.test(text) && digitsOf(text) > NUMBER_DIGITS)

/** What the texts of a table mean, in their places, since there may be millions. All digits in a column that has names among them are names, such as those of postcodes. */
export function recognisedRows(rows: readonly string[][], decimals: 'point' | 'comma'): Scalar[][] {
  const names = new Set<number>()
  for (const row of rows) for (const [column, text] of row.entries()) if (isName(text)) names.add(column)
  const recognisedIn = rows as Scalar[][]
  for (const row of recognisedIn)
    for (const [column, text] of (row as string[]).entries())
      if (!names.has(column) || !/^-?\d/.test(text)) row[column] = recognised(text, decimals)
  return recognisedIn
}

/** What a text means: nothing, a yes or no, or a number that is written back as it was. */
function recognised(text: string, decimals: 'point' | 'comma'): Scalar {
  if (text === '') return null
  if (text === 'true' || text === 'false') return text === 'true'
  if (!/^-?\d+(?:[.,]\d+)?$/.test(text) || isName(text) || text === '-0') return text
  const isOther = decimals === 'comma' ? text.includes('.') : text.includes(',')
  return isOther ? text : (numberOf(text.replace(',', '.')) ?? text)
}

/**
 * Objects of the rows below the first, which names them; or the rows as lists.
 * Several tables become an object with a list for each.
 */
export function valueOfTables(tables: readonly DataTable[], hasHeader: boolean): Value {
  const [first] = tables
  if (tables.length === 1) return [...itemsOf(first!, hasHeader)]
  const names = unique(tables.map(({ name }) => name))
  return new Map(tables.map((table, index) => [names[index]!, [...itemsOf(table, hasHeader)]]))
}

/** Those of one table, one after another: all of them together take many times the memory of its rows. */
export function* itemsOf(table: DataTable, hasHeader: boolean): Generator<Value> {
  const filled = table.rows.filter(row => row.some(value => value !== null && value !== ''))
  checkArea(filled)
  const width = filled.reduce((most, row) => Math.max(most, row.length), 0)
  const [head = []] = hasHeader ? filled.splice(0, 1) : []
  const names = unique(
    Array.from(
      { length: width },
      (_, column) => textOf(head[column] ?? null).trim() || `Column ${column + 1}`,
    ),
  )
  for (const row of filled)
    yield hasHeader
      ? new Map(names.map((name, column) => [name, row[column] ?? null]))
      : names.map((_, column) => row[column] ?? null)
}

/** Names with a number where they would repeat. */
function unique(names: readonly string[]): string[] {
  const taken = new Set<string>()
  /** The number after the last copy of a name, of which there may be a million. */
  const next = new Map<string, number>()
  return names.map(name => {
    let own = name
    let copy = next.get(name) ?? 2
    for (; taken.has(own); copy++) own = `${name} (${copy})`
    next.set(name, copy)
    taken.add(own)
    return own
  })
}

/**
 * Tables of a value: of a list, one with a row for each item; of an object with lists, one for each, and one for what else is in it.
 * Objects within rows become columns such as `address.city`; lists within rows, JSON.
 * @param name of the only table
 * @throws JobFailure too_large, of too many cells
 */
export function tablesOf(value: Value, name: string): DataTable[] {
  if (Array.isArray(value)) return [tableOf(value, name)]
  if (!(value instanceof Map)) return [{ name, rows: [[scalarOf(value)]] }]
  const lists = [...value].filter(([, each]) => Array.isArray(each) && each.some(isCompound))
  if (lists.length > 0) {
    const rest = [...value].filter(([key]) => !lists.some(([other]) => other === key))
    const others = rest.length > 0 ? [tableOf([new Map(rest)], name)] : []
    return [...lists.map(([key, each]) => tableOf(each as Value[], key)), ...others]
  }
  const isKeyed = value.size > 1 && [...value.values()].every(each => each instanceof Map)
  if (!isKeyed) return [tableOf([value], name)]
  const inner = [...value] as [string, Map<string, Value>][]
  const taken = new Set(inner.flatMap(([, each]) => [...each.keys()]))
  const own = unique([...taken, 'key']).at(-1)!
  return [
    tableOf(
      inner.map(([key, each]) => new Map([[own, key as Value], ...each])),
      name,
    ),
  ]
}

const isCompound = (value: Value) => Array.isArray(value) || value instanceof Map

function tableOf(list: readonly Value[], name: string): DataTable {
  if (list.every(Array.isArray)) return { name, rows: list.map(row => row.map(scalarOf)) }
  if (!list.some(each => each instanceof Map))
    return { name, rows: [['value'], ...list.map(each => [scalarOf(each)])] }
  /** By the keys that lead to them, since a key may contain the point that stands between keys in a name. */
  const columns = new Map<string, number>()
  const names: string[] = []
  let cells = 0
  const rows = list.map(item => {
    const row: Scalar[] = []
    const put = (path: string, name: string, value: Value): void => {
      if (value instanceof Map && value.size > 0) {
        for (const [key, each] of value) put(`${path}\0${key}`, `${name}.${key}`, each)
        return
      }
      const column = columns.get(path) ?? columns.size
      columns.set(path, column)
      names[column] ??= name
      while (row.length < column) row.push(null)
      row[column] = scalarOf(value)
    }
    if (item instanceof Map) for (const [key, each] of item) put(key, key, each)
    else put('value', 'value', item)
    cells += row.length
    if (cells > MOST_CELLS) throw new JobFailure('jobs.too_large')
    return row
  })
  return { name, rows: [unique(names), ...rows] }
}

const scalarOf = (value: Value): Scalar =>
  Array.isArray(value) || value instanceof Map ? compactJson(value) : value

/** Numbers with a comma. */
export const withComma = (value: Scalar): string => {
  const text = textOf(value)
  return typeof value === 'number' || value instanceof Numeral ? text.replace('.', ',') : text
}
