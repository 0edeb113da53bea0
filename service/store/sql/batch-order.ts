import type { Row, Sql } from './sql.ts'

/** A table whose rows have positions within a group. */
interface Ordered {
  table: 'batches' | 'batch_items'
  group: 'account_id' | 'batch_id'
  isMovable(row: Row): boolean
}

const batches: Ordered = { table: 'batches', group: 'account_id', isMovable: row => row.finished_at === null }
const items: Ordered = { table: 'batch_items', group: 'batch_id', isMovable: () => true }

/** Moves a batch before another of its account, or to the end. False if that is not possible. */
export const moveBatch = (sql: Sql, id: string, before: string | null): Promise<boolean> =>
  move(sql, batches, id, before)

/** Moves an item before another of its batch, or to the end. False if that is not possible. */
export const moveItem = (sql: Sql, id: string, before: string | null): Promise<boolean> =>
  move(sql, items, id, before)

function move(
  sql: Sql,
  { table, group, isMovable }: Ordered,
  id: string,
  before: string | null,
): Promise<boolean> {
  return sql.transaction(async tx => {
    const row = await tx.get(`SELECT * FROM ${table} WHERE id = ?`, id)
    if (!row || !isMovable(row)) return false
    const groupId = String(row[group])
    await tx.lock(`${table} ${groupId}`)
    const other =
      before === null
        ? await tx.get(`SELECT MAX(position) + 1 AS position FROM ${table} WHERE ${group} = ?`, groupId)
        : await tx.get(`SELECT position FROM ${table} WHERE id = ? AND ${group} = ?`, before, groupId)
    if (!other) return false
    const position = Number(other.position)
    await tx.run(
      `UPDATE ${table} SET position = position + 1 WHERE ${group} = ? AND position >= ?`,
      groupId,
      position,
    )
    return (await tx.run(`UPDATE ${table} SET position = ? WHERE id = ?`, position, id)) === 1
  })
}
