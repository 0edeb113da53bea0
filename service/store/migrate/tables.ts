import type { Row, Statements } from '../sql/sql.ts'

/** A table that both databases have. */
export interface DatabaseTable {
  name: string
  /** All columns of the embedded database, by their names in PostgreSQL. */
  columns: string[]
  /** Those that PostgreSQL numbers automatically. */
  numbered: string[]
  /** Those of PostgreSQL's type JSON, which the embedded database holds as text. */
  json: string[]
}

/** The row number of SQLite, which PostgreSQL's schema has as a column where the order of rows matters. */
const ROWID = 'rowid'

/**
 * The tables of an embedded database that both schemas have, each after the tables it refers to.
 * @throws when PostgreSQL's schema lacks a table or a column
 */
export async function tablesOf(home: Statements, database: Statements): Promise<DatabaseTable[]> {
  const columns = await database.all(
    `SELECT table_name, column_name, is_identity, data_type FROM information_schema.columns
     WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position`,
  )
  const tables: DatabaseTable[] = []
  for (const name of await inOrder(home)) {
    const there = columns.filter(({ table_name }) => table_name === name)
    const here = (await home.all(`PRAGMA table_info(${name})`)).map(row => String(row.name))
    const lacking = here.filter(column => !there.some(({ column_name }) => column_name === column))
    if (lacking.length > 0) throw new Error(`PostgreSQL's ${name} lacks ${lacking.join(', ')}.`)
    const common = there.filter(({ column_name }) => [...here, ROWID].includes(String(column_name)))
    const named = (rows: readonly Row[]) => rows.map(({ column_name }) => String(column_name))
    tables.push({
      name,
      columns: named(common),
      numbered: named(common.filter(row => row.is_identity === 'YES')),
      json: named(common.filter(row => row.data_type === 'json')),
    })
  }
  return tables
}

/** Names of all tables, each after the tables it refers to. */
async function inOrder(home: Statements): Promise<string[]> {
  const names = await home.all(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' ORDER BY name`,
  )
  const order = new Set<string>()
  const add = async (name: string): Promise<void> => {
    if (order.has(name)) return
    for (const row of await home.all(`PRAGMA foreign_key_list(${name})`)) await add(String(row.table))
    order.add(name)
  }
  for (const { name } of names) await add(String(name))
  return [...order]
}
