import type {
  BatchItemRecord,
  BatchProblem,
  BatchRecord,
  Delivery,
  NewBatchItem,
} from '../interfaces/batches.ts'
import { toItem } from './batch-rows.ts'
import { Deliveries } from './deliveries.ts'
import type { Transaction } from './sql.ts'

/** What batches consist of: a part of their store. */
export class BatchItems extends Deliveries {
  /** Adds items to the end of a batch, whose position nobody else may be giving out. */
  protected async addItems(
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
      FROM ${this.sql.dialect.elements(rows)}`
    const files = items.map(({ fileId }) => fileId)
    await tx.run`UPDATE files SET submitted = 1 WHERE id ${this.sql.dialect.anyOf(files)}`
  }

  /** Those whose files the batch does not have yet. */
  protected async unknownItems(
    tx: Transaction,
    batchId: string,
    items: readonly NewBatchItem[],
  ): Promise<NewBatchItem[]> {
    const rows = await tx.all`SELECT file_id FROM batch_items WHERE batch_id = ${batchId}`
    const known = new Set(rows.map(row => row.file_id))
    return items.filter(({ fileId }) => !known.has(fileId))
  }

  async items(batchId: string, after: number | null, limit: number): Promise<BatchItemRecord[]> {
    const rows = await this.sql.all`
      SELECT * FROM batch_items WHERE batch_id = ${batchId} AND position > ${after ?? 0} ORDER BY position LIMIT ${limit}`
    return rows.map(toItem)
  }

  async item(id: string): Promise<BatchItemRecord | undefined> {
    const row = await this.sql.get`SELECT * FROM batch_items WHERE id = ${id}`
    return row && toItem(row)
  }

  async itemOfJob(jobId: string): Promise<BatchItemRecord | undefined> {
    const row = await this.sql.get`SELECT * FROM batch_items WHERE job_id = ${jobId}`
    return row && toItem(row)
  }

  async failItem(id: string, error: BatchProblem): Promise<boolean> {
    const changed = await this.sql.run`
      UPDATE batch_items SET state = 'failed', delivery = 'none', error = ${JSON.stringify(error)} WHERE id = ${id} AND state = 'waiting'`
    return changed === 1
  }

  async cancelItem(id: string): Promise<boolean> {
    const changed = await this.sql.run`
      UPDATE batch_items SET state = 'canceled', delivery = 'none' WHERE id = ${id} AND state = 'waiting'`
    return changed === 1
  }

  async removeItems(ids: readonly string[], accountId: string): Promise<Map<string, boolean>> {
    return this.sql.transaction(async tx => {
      const removed = await tx.all`
        DELETE FROM batch_items
        WHERE id ${this.sql.dialect.anyOf(ids)}
          AND batch_id IN (SELECT id FROM batches WHERE account_id = ${accountId})
          AND state <> 'waiting'
          AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = batch_items.job_id
                          AND (status IN ('Queued', 'Running') OR (status = 'Succeeded' AND delivery = 'pending')))
        RETURNING batch_id`
      const touched = [...new Set(removed.map(({ batch_id }) => String(batch_id)))]
      const emptied = await tx.all`
        DELETE FROM batches
        WHERE id ${this.sql.dialect.anyOf(touched)}
          AND NOT EXISTS (SELECT 1 FROM batch_items WHERE batch_id = batches.id)
        RETURNING id`
      const gone = new Set(emptied.map(({ id }) => String(id)))
      return new Map(touched.map(id => [id, !gone.has(id)]))
    })
  }
}
