import { storable } from '../postgres/database.ts'
import type { Row, Transaction, Value } from '../sql/sql.ts'
import { Content } from './content.ts'
import type { HomeDatabase } from './home.ts'
import type { DatabaseTable } from './tables.ts'

/** Maximum number of values in one statement; PostgreSQL's protocol counts them in 16 bits. */
const MAX_VALUES = 20_000
const MAX_ROWS = 500
/** Maximum length of the texts sent at once, in characters. */
const MAX_TEXT = 2 ** 22
const FETCHED_AT_ONCE = 500

/**
 * Copies a table, a few hundred rows at a time, and reads it back.
 * @returns the number of rows
 * @throws if the copy differs from what was read
 */
export async function copyTable(tx: Transaction, home: HomeDatabase, table: DatabaseTable): Promise<number> {
  const { name, columns } = table
  const sent = new Content()
  const mostRows = Math.min(MAX_ROWS, Math.floor(MAX_VALUES / columns.length))
  let values: Value[] = []
  let rows = 0
  let text = 0
  const flush = async () => {
    if (rows > 0) await insert(tx, table, rows, values)
    values = []
    rows = 0
    text = 0
  }
  for (const row of home.each(`SELECT ${columns.join(', ')} FROM ${name}`)) {
    const next = valuesOf(row, columns)
    sent.add(next)
    values.push(...next)
    rows++
    text += next.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
    if (rows === mostRows || text > MAX_TEXT) await flush()
  }
  await flush()
  await continueSequences(tx, home, table)
  const received = await contentOf(tx, table)
  if (!received.equals(sent))
    throw new Error(
      `The table ${name} did not come over as it is (${sent.rows} rows, ${received.rows} there).`,
    )
  return sent.rows
}

async function insert(
  tx: Transaction,
  { name, columns }: DatabaseTable,
  rows: number,
  values: readonly Value[],
) {
  const row = `(${columns.map(() => '?').join(', ')})`
  await tx.run(
    `INSERT INTO ${name} (${columns.join(', ')}) OVERRIDING SYSTEM VALUE
     VALUES ${Array.from({ length: rows }, () => row).join(', ')}`,
    ...values,
  )
}

/** Continues the numbering after the highest number ever used, including deleted rows. */
async function continueSequences(
  tx: Transaction,
  home: HomeDatabase,
  { name, numbered }: DatabaseTable,
): Promise<void> {
  for (const column of numbered) {
    const last = await home.get(
      `SELECT max(coalesce((SELECT max(${column}) FROM ${name}), 0),
                  coalesce((SELECT seq FROM sqlite_sequence WHERE name = '${name}'), 0)) AS number`,
    )
    if (Number(last?.number) > 0)
      await tx.get('SELECT setval(pg_get_serial_sequence(?, ?), ?)', name, column, Number(last?.number))
  }
}

async function contentOf(tx: Transaction, { name, columns }: DatabaseTable): Promise<Content> {
  const content = new Content()
  await tx.run(`DECLARE come_over NO SCROLL CURSOR FOR SELECT ${columns.join(', ')} FROM ${name}`)
  for (;;) {
    const rows = await tx.all(`FETCH ${FETCHED_AT_ONCE} FROM come_over`)
    for (const row of rows) content.add(valuesOf(row, columns))
    if (rows.length < FETCHED_AT_ONCE) break
  }
  await tx.run('CLOSE come_over')
  return content
}

/** Values of a row in the order of the columns, in the form that PostgreSQL can hold. */
const valuesOf = (row: Row, columns: readonly string[]): Value[] =>
  columns.map(column => {
    const value = row[column] ?? null
    return typeof value === 'bigint' ? Number(value) : storable(value)
  })
