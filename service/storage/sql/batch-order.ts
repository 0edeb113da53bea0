import type { Sql } from './sql.ts'

/** Moves a batch before another of its account, or to the end. False if that is not possible. */
export function moveBatch(sql: Sql, id: string, before: string | null): Promise<boolean> {
  return sql.transaction(async tx => {
    const batch = await tx.get('SELECT account_id FROM batches WHERE id = ? AND finished_at IS NULL', id)
    if (!batch) return false
    const accountId = String(batch.account_id)
    await tx.lock(`batches ${accountId}`)
    const other =
      before === null
        ? await tx.get('SELECT MAX(position) + 1 AS position FROM batches WHERE account_id = ?', accountId)
        : await tx.get('SELECT position FROM batches WHERE id = ? AND account_id = ?', before, accountId)
    if (!other) return false
    const position = Number(other.position)
    await tx.run(
      'UPDATE batches SET position = position + 1 WHERE account_id = ? AND position >= ?',
      accountId,
      position,
    )
    return (await tx.run('UPDATE batches SET position = ? WHERE id = ?', position, id)) === 1
  })
}

/** Moves an item before another of its batch, or to the end. False if that is not possible. */
export function moveItem(sql: Sql, id: string, before: string | null): Promise<boolean> {
  return sql.transaction(async tx => {
    const item = await tx.get('SELECT * FROM batch_items WHERE id = ?', id)
    if (!item) return false
    const batchId = String(item.batch_id)
    await tx.lock(`items ${batchId}`)
    const other =
      before === null
        ? await tx.get('SELECT MAX(position) + 1 AS position FROM batch_items WHERE batch_id = ?', batchId)
        : await tx.get('SELECT position FROM batch_items WHERE id = ? AND batch_id = ?', before, batchId)
    if (!other) return false
    const position = Number(other.position)
    await tx.run(
      'UPDATE batch_items SET position = position + 1 WHERE batch_id = ? AND position >= ?',
      batchId,
      position,
    )
    return (await tx.run('UPDATE batch_items SET position = ? WHERE id = ?', position, id)) === 1
  })
}
