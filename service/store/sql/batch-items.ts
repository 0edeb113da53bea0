import type { BatchRecord, BatchStore, Delivery, NewBatchItem } from '../interfaces/batches.ts'
import { toItem } from './batch-rows.ts'
import { found, isOne, type Sql, type Transaction } from './sql.ts'

/** Adds items to the end of a batch, whose position nobody else may be giving out. */
export async function addItems(
  { dialect }: Sql,
  tx: Transaction,
  { id, destination }: Pick<BatchRecord, 'id' | 'destination'>,
  items: readonly NewBatchItem[],
): Promise<void> {
  const delivery: Delivery = destination.kind === 'keep' ? 'none' : 'pending'
  const last = await tx.get`SELECT MAX(position) AS position FROM batch_items WHERE batch_id = ${id}`
  const start = Math.floor(Number(last?.position ?? 0))
  const rows = items.map((item, index) => ({ ...item, batchId: id, position: start + index + 1, delivery }))
  // All at once, however many: each waits on the database once.
  await tx.run`
    INSERT INTO batch_items (id, batch_id, position, file_id, name, relative_path, bytes, format, added_at, original_path,
                             modified_at, retry_of, state, delivery)
    SELECT value ->> 'id', value ->> 'batchId', CAST(value ->> 'position' AS BIGINT), value ->> 'fileId', value ->> 'name',
           value ->> 'relativePath', CAST(value ->> 'bytes' AS BIGINT), value ->> 'format',
           CAST(value ->> 'addedAt' AS DOUBLE PRECISION), value ->> 'originalPath',
           CAST(value ->> 'modifiedAt' AS DOUBLE PRECISION), value ->> 'retryOf', 'waiting', value ->> 'delivery'
    FROM ${dialect.elements(rows)}`
  const files = items.map(({ fileId }) => fileId)
  await tx.run`UPDATE files SET submitted = 1 WHERE id ${dialect.anyOf(files)}`
}

/** Those whose files the batch does not have yet. */
export async function unknownItems(tx: Transaction, batchId: string, items: readonly NewBatchItem[]) {
  const rows = await tx.all`SELECT file_id FROM batch_items WHERE batch_id = ${batchId}`
  const known = new Set(rows.map(row => row.file_id))
  return items.filter(({ fileId }) => !known.has(fileId))
}

type BatchItems = Pick<BatchStore, 'items' | 'item' | 'itemOfJob' | 'failItem' | 'cancelItem' | 'removeItems'>

/** What batches consist of: a part of their store. */
export const batchItems = (sql: Sql): BatchItems => ({
  async items(batchId, after, limit) {
    const rows = await sql.all`
      SELECT * FROM batch_items WHERE batch_id = ${batchId} AND position > ${after ?? 0} ORDER BY position LIMIT ${limit}`
    return rows.map(toItem)
  },

  item: id => found(sql.get`SELECT * FROM batch_items WHERE id = ${id}`, toItem),

  itemOfJob: jobId => found(sql.get`SELECT * FROM batch_items WHERE job_id = ${jobId}`, toItem),

  failItem: (id, error) =>
    isOne(sql.run`
      UPDATE batch_items SET state = 'failed', delivery = 'none', error = ${JSON.stringify(error)} WHERE id = ${id} AND state = 'waiting'`),

  cancelItem: id =>
    isOne(sql.run`
      UPDATE batch_items SET state = 'canceled', delivery = 'none' WHERE id = ${id} AND state = 'waiting'`),

  removeItems: (ids, accountId) =>
    sql.transaction(async tx => {
      const removed = await tx.all`
        DELETE FROM batch_items
        WHERE id ${sql.dialect.anyOf(ids)}
          AND batch_id IN (SELECT id FROM batches WHERE account_id = ${accountId})
          AND state <> 'waiting'
          AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = batch_items.job_id
                          AND (status IN ('Queued', 'Running') OR (status = 'Succeeded' AND delivery = 'pending')))
        RETURNING batch_id`
      const touched = [...new Set(removed.map(({ batch_id }) => String(batch_id)))]
      const emptied = await tx.all`
        DELETE FROM batches
        WHERE id ${sql.dialect.anyOf(touched)}
          AND NOT EXISTS (SELECT 1 FROM batch_items WHERE batch_id = batches.id)
        RETURNING id`
      const gone = new Set(emptied.map(({ id }) => String(id)))
      return new Map(touched.map(id => [id, !gone.has(id)]))
    }),
})
