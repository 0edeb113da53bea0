import { asJson, type Row, type Transaction } from '../sql/sql.ts'
import type { HomeDatabase } from './home.ts'
import type { DatabaseTable } from './tables.ts'

/** Rows that are sent at once: one may hold megabytes of options. */
const SENT_AT_ONCE = 100

/**
 * Copies a table, some rows at a time.
 * @returns the number of rows
 * @throws if another number of them is there afterwards
 */
export async function copyTable(tx: Transaction, home: HomeDatabase, table: DatabaseTable): Promise<number> {
  const { name } = table
  const columns = table.columns.join(', ')
  const send = (rows: readonly object[]) =>
    tx.run(
      `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE
       SELECT ${columns} FROM json_populate_recordset(NULL::${name}, ?::JSON)`,
      asJson(rows),
    )
  let sent = 0
  let waiting: object[] = []
  for (const row of home.each(`SELECT ${columns} FROM ${name}`)) {
    sent++
    if (waiting.push(sendable(row, table)) < SENT_AT_ONCE) continue
    await send(waiting)
    waiting = []
  }
  await send(waiting)
  await continueSequences(tx, home, table)
  const there = Number((await tx.get(`SELECT COUNT(*) AS rows FROM ${name}`))?.rows)
  if (there !== sent)
    throw new Error(`The table ${name} did not come over as it is (${sent} rows, ${there} there).`)
  return sent
}

/** A row as PostgreSQL reads it from JSON. */
const sendable = (row: Row, { json }: DatabaseTable) =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      if (typeof value === 'bigint') return [column, Number(value)]
      if (value instanceof Uint8Array) return [column, `\\x${Buffer.from(value).toString('hex')}`]
      return [column, json.includes(column) && value !== null ? JSON.parse(String(value)) : value]
    }),
  )

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
