import type {
  BatchItemRecord,
  BatchProblem,
  BatchRecord,
  Delivery,
  NewBatchItem,
} from '../interfaces/batches.ts'
import { toItem } from './batch-rows.ts'
import { asJson, type Dialect, type Sql, type Transaction } from './sql.ts'

/** Adds all items at once, however many: each waits on the database once. */
const addItems = ({ elements }: Dialect): string => `
  INSERT INTO batch_items (id, batch_id, position, file_id, name, relative_path, bytes, format, added_at, original_path, modified_at,
                           retry_of, state, delivery)
  SELECT value ->> 'id', value ->> 'batchId', CAST(value ->> 'position' AS BIGINT), value ->> 'fileId', value ->> 'name',
         value ->> 'relativePath', CAST(value ->> 'bytes' AS BIGINT), value ->> 'format',
         CAST(value ->> 'addedAt' AS DOUBLE PRECISION), value ->> 'originalPath',
         CAST(value ->> 'modifiedAt' AS DOUBLE PRECISION), value ->> 'retryOf', 'waiting', value ->> 'delivery'
  FROM ${elements}`

/** Stores what batches consist of, for the store of batches. */
export class BatchItems {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** Adds items to the end of a batch, whose position nobody else may be giving out. */
  async add(
    tx: Transaction,
    { id, destination }: Pick<BatchRecord, 'id' | 'destination'>,
    items: readonly NewBatchItem[],
  ): Promise<void> {
    const delivery: Delivery = destination.kind === 'keep' ? 'none' : 'pending'
    const last = await tx.get('SELECT MAX(position) AS position FROM batch_items WHERE batch_id = ?', id)
    const start = Math.floor(Number(last?.position ?? 0))
    const rows = items.map((item, index) => ({ ...item, batchId: id, position: start + index + 1, delivery }))
    await tx.run(addItems(this.#sql.dialect), asJson(rows))
    const files = JSON.stringify(items.map(({ fileId }) => fileId))
    await tx.run(`UPDATE files SET submitted = 1 WHERE id ${this.#sql.dialect.anyOf}`, files)
  }

  /** Those whose files the batch does not have yet. */
  async unknown(tx: Transaction, batchId: string, items: readonly NewBatchItem[]): Promise<NewBatchItem[]> {
    const rows = await tx.all('SELECT file_id FROM batch_items WHERE batch_id = ?', batchId)
    const known = new Set(rows.map(row => row.file_id))
    return items.filter(({ fileId }) => !known.has(fileId))
  }

  async list(batchId: string, after: number | null, limit: number): Promise<BatchItemRecord[]> {
    return (
      await this.#sql.all(
        'SELECT * FROM batch_items WHERE batch_id = ? AND position > ? ORDER BY position LIMIT ?',
        batchId,
        after ?? 0,
        limit,
      )
    ).map(toItem)
  }

  async get(id: string): Promise<BatchItemRecord | undefined> {
    const row = await this.#sql.get('SELECT * FROM batch_items WHERE id = ?', id)
    return row && toItem(row)
  }

  async ofJob(jobId: string): Promise<BatchItemRecord | undefined> {
    const row = await this.#sql.get('SELECT * FROM batch_items WHERE job_id = ?', jobId)
    return row && toItem(row)
  }

  async fail(id: string, error: BatchProblem): Promise<boolean> {
    return (
      (await this.#sql.run(
        `UPDATE batch_items SET state = 'failed', delivery = 'none', error = ? WHERE id = ? AND state = 'waiting'`,
        JSON.stringify(error),
        id,
      )) === 1
    )
  }

  async cancel(id: string): Promise<boolean> {
    return (
      (await this.#sql.run(
        `UPDATE batch_items SET state = 'canceled', delivery = 'none' WHERE id = ? AND state = 'waiting'`,
        id,
      )) === 1
    )
  }

  async remove(ids: readonly string[], accountId: string): Promise<Map<string, boolean>> {
    return this.#sql.transaction(async tx => {
      const removed = await tx.all(
        `DELETE FROM batch_items
         WHERE id ${this.#sql.dialect.anyOf}
           AND batch_id IN (SELECT id FROM batches WHERE account_id = ?)
           AND state <> 'waiting'
           AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = batch_items.job_id
                           AND (status IN ('Queued', 'Running') OR (status = 'Succeeded' AND delivery = 'pending')))
         RETURNING batch_id, job_id`,
        JSON.stringify(ids),
        accountId,
      )
      await tx.run(
        `UPDATE jobs SET batch_id = NULL WHERE id ${this.#sql.dialect.anyOf}`,
        JSON.stringify(removed.flatMap(({ job_id }) => job_id ?? [])),
      )
      const touched = [...new Set(removed.map(({ batch_id }) => String(batch_id)))]
      const emptied = await tx.all(
        `DELETE FROM batches
         WHERE id ${this.#sql.dialect.anyOf}
           AND NOT EXISTS (SELECT 1 FROM batch_items WHERE batch_id = batches.id)
         RETURNING id`,
        JSON.stringify(touched),
      )
      const gone = new Set(emptied.map(({ id }) => String(id)))
      return new Map(touched.map(id => [id, !gone.has(id)]))
    })
  }
}
