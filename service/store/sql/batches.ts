import type {
  BatchCounts,
  BatchItemRecord,
  BatchProblem,
  BatchRecord,
  BatchState,
  BatchStore,
  NewBatch,
  NewBatchItem,
} from '../interfaces/batches.ts'
import type { Encrypter } from '../sealer.ts'
import { BatchItems } from './batch-items.ts'
import { noItems, toBatch, toItem } from './batch-rows.ts'
import { Deliveries } from './deliveries.ts'
import type { Row, Sql, Statements, Transaction } from './sql.ts'

/** Stores batches. */
export class SqlBatchStore implements BatchStore {
  readonly #sql: Sql
  readonly #encrypter: Encrypter
  readonly #items: BatchItems
  readonly #deliveries: Deliveries

  constructor(sql: Sql, encrypter: Encrypter) {
    this.#sql = sql
    this.#encrypter = encrypter
    this.#items = new BatchItems(sql)
    this.#deliveries = new Deliveries(sql)
  }

  #toBatch(row: Row): BatchRecord {
    return toBatch(row, this.#encrypter)
  }

  async create(batch: NewBatch, items: readonly NewBatchItem[]): Promise<BatchRecord> {
    return this.#sql.durably(async tx => {
      await tx.lock(`batches ${batch.accountId}`)
      const known = await this.#get(tx, batch.id)
      if (known) return known
      await tx.run(
        `INSERT INTO batches (id, account_id, host, position, source, target_key, options, destination, state, created_at)
         VALUES (?, ?, ?, (SELECT COALESCE(MAX(position), 0) + 1 FROM batches WHERE account_id = ?), ?, ?, ?, ?, 'active', ?)`,
        batch.id,
        batch.accountId,
        batch.host,
        batch.accountId,
        batch.source,
        batch.targetKey,
        this.#encrypter.encrypt(batch.options),
        JSON.stringify(batch.destination),
        this.#sql.now(),
      )
      await this.#items.add(tx, batch, items)
      return (await this.#get(tx, batch.id))!
    })
  }

  async append(id: string, items: readonly NewBatchItem[]): Promise<boolean> {
    return this.#sql.durably(async tx => {
      await tx.lock(`items ${id}`)
      const added = await this.#items.unknown(tx, id, items)
      if (added.length === 0) return (await this.#get(tx, id))?.state !== 'canceled'
      const open = await tx.run(
        `UPDATE batches SET state = CASE state WHEN 'done' THEN 'active' ELSE state END, finished_at = NULL
         WHERE id = ? AND state <> 'canceled'`,
        id,
      )
      if (open === 1) await this.#items.add(tx, (await this.#get(tx, id))!, added)
      return open === 1
    })
  }

  async get(id: string): Promise<BatchRecord | undefined> {
    return this.#get(this.#sql, id)
  }

  async #get(sql: Statements, id: string): Promise<BatchRecord | undefined> {
    const row = await sql.get('SELECT * FROM batches WHERE id = ?', id)
    return row && this.#toBatch(row)
  }

  async unfinished(): Promise<BatchRecord[]> {
    return (
      await this.#sql.all(
        `SELECT * FROM batches
         WHERE state IN ('active', 'paused')
            OR (state = 'canceled' AND EXISTS (SELECT 1 FROM jobs WHERE batch_id = batches.id
                                               AND status IN ('Queued', 'Running')))
         ORDER BY account_id, position`,
      )
    ).map(row => this.#toBatch(row))
  }

  async list(accountId: string, finishedSince: number): Promise<BatchRecord[]> {
    return (
      await this.#sql.all(
        `SELECT * FROM batches WHERE account_id = ? AND (finished_at IS NULL OR finished_at >= ?)
         ORDER BY finished_at IS NOT NULL, CASE WHEN finished_at IS NULL THEN position ELSE -finished_at END, id`,
        accountId,
        finishedSince,
      )
    ).map(row => this.#toBatch(row))
  }

  async counts(ids: readonly string[]): Promise<Map<string, BatchCounts>> {
    const rows = await this.#sql.all(
      `SELECT items.batch_id, COUNT(*) AS number, COUNT(*) FILTER (WHERE items.delivery = 'pending') AS unsaved,
              CASE WHEN items.state = 'submitted' THEN lower(jobs.status) ELSE items.state END AS now,
              SUM(CASE WHEN jobs.status IN ('Failed', 'Canceled') THEN 0 ELSE jobs.credit_cost END) AS cost,
              SUM(jobs.input_bytes) AS input, SUM(jobs.output_bytes) AS output
       FROM batch_items AS items LEFT JOIN jobs ON jobs.id = items.job_id
       WHERE items.batch_id ${this.#sql.dialect.anyOf} GROUP BY items.batch_id, now`,
      JSON.stringify(ids),
    )
    const all = new Map(ids.map(id => [id, noItems()]))
    for (const row of rows) {
      const counts = all.get(String(row.batch_id))!
      const state = row.now as 'waiting' | 'succeeded'
      counts[state] += Number(row.number)
      counts.total += Number(row.number)
      if (state === 'succeeded') {
        counts.unsaved += Number(row.unsaved)
        counts.inputBytes += Number(row.input ?? 0)
        counts.outputBytes += Number(row.output ?? 0)
      }
      counts.creditCost += Number(row.cost ?? 0)
    }
    return all
  }

  items(batchId: string, after: number | null, limit: number): Promise<BatchItemRecord[]> {
    return this.#items.list(batchId, after, limit)
  }

  item(id: string): Promise<BatchItemRecord | undefined> {
    return this.#items.get(id)
  }

  itemOfJob(jobId: string): Promise<BatchItemRecord | undefined> {
    return this.#items.ofJob(jobId)
  }

  async pause(id: string, problem?: BatchProblem): Promise<boolean> {
    const noted = problem ? JSON.stringify(problem) : null
    return (
      (await this.#sql.run(
        `UPDATE batches SET state = 'paused', problem = ?
         WHERE id = ? AND state ${problem ? `IN ('active', 'paused')` : `= 'active'`}`,
        noted,
        id,
      )) === 1
    )
  }

  async resume(id: string): Promise<boolean> {
    return (
      (await this.#sql.run(
        `UPDATE batches SET state = 'active', problem = NULL WHERE id = ? AND state = 'paused'`,
        id,
      )) === 1
    )
  }

  async cancel(id: string): Promise<boolean> {
    return this.#sql.durably(async tx => {
      if (!(await this.#end(tx, id, 'canceled'))) return false
      await tx.run(`UPDATE batch_items SET state = 'canceled' WHERE batch_id = ? AND state = 'waiting'`, id)
      await tx.run(`UPDATE batch_items SET delivery = 'none' WHERE batch_id = ? AND delivery = 'pending'`, id)
      return true
    })
  }

  async finish(id: string): Promise<boolean> {
    return this.#sql.transaction(async tx => {
      const open = await tx.get(
        `SELECT 1 FROM batch_items AS items LEFT JOIN jobs ON jobs.id = items.job_id
         WHERE items.batch_id = ?
           AND (items.state = 'waiting' OR jobs.status IN ('Queued', 'Running')
                OR (jobs.status = 'Succeeded' AND items.delivery = 'pending'))
         LIMIT 1`,
        id,
      )
      return open === undefined && (await this.#end(tx, id, 'done'))
    })
  }

  async #end(tx: Transaction, id: string, state: BatchState): Promise<boolean> {
    return (
      (await tx.run(
        `UPDATE batches SET state = ?, finished_at = ?, problem = NULL
         WHERE id = ? AND state IN ('active', 'paused')`,
        state,
        this.#sql.now(),
        id,
      )) === 1
    )
  }

  removeItems(ids: readonly string[], accountId: string): Promise<Map<string, boolean>> {
    return this.#items.remove(ids, accountId)
  }

  async purge(before: number): Promise<BatchRecord[]> {
    return this.#sql.transaction(async tx => {
      const gone = await tx.all('DELETE FROM batches WHERE finished_at < ? RETURNING *', before)
      await tx.run(
        `UPDATE jobs SET batch_id = NULL WHERE batch_id ${this.#sql.dialect.anyOf}`,
        JSON.stringify(gone.map(({ id }) => id)),
      )
      return gone.map(row => this.#toBatch(row))
    })
  }

  async accountsWaiting(): Promise<string[]> {
    return (
      await this.#sql.all(
        `SELECT DISTINCT account_id FROM batches
         WHERE state = 'active'
           AND EXISTS (SELECT 1 FROM batch_items WHERE batch_id = batches.id AND state = 'waiting')`,
      )
    ).map(row => String(row.account_id))
  }

  async nextItem(accountId: string): Promise<{ batch: BatchRecord; item: BatchItemRecord } | undefined> {
    const batch = await this.#sql.get(
      `SELECT * FROM batches
       WHERE account_id = ? AND state = 'active'
         AND EXISTS (SELECT 1 FROM batch_items WHERE batch_id = batches.id AND state = 'waiting')
       ORDER BY position LIMIT 1`,
      accountId,
    )
    if (!batch) return undefined
    const item = await this.#sql.get(
      `SELECT * FROM batch_items WHERE batch_id = ? AND state = 'waiting' ORDER BY position LIMIT 1`,
      String(batch.id),
    )
    // Another host may have taken it at this moment.
    if (!item) return this.nextItem(accountId)
    return { batch: this.#toBatch(batch), item: toItem(item) }
  }

  failItem(id: string, error: BatchProblem): Promise<boolean> {
    return this.#items.fail(id, error)
  }

  cancelItem(id: string): Promise<boolean> {
    return this.#items.cancel(id)
  }

  async openJobs(batchId: string): Promise<string[]> {
    return (
      await this.#sql.all(
        `SELECT id FROM jobs WHERE batch_id = ? AND status IN ('Queued', 'Running') ORDER BY seq DESC`,
        batchId,
      )
    ).map(row => String(row.id))
  }

  async adopt(host: string): Promise<void> {
    await this.#sql.run('UPDATE batches SET host = ? WHERE host IS DISTINCT FROM ?', host, host)
  }

  undelivered(host: string, limit: number, unlessPausedBy: readonly string[]): Promise<BatchItemRecord[]> {
    return this.#deliveries.undelivered(host, limit, unlessPausedBy)
  }

  placing(itemId: string, path: string): Promise<boolean> {
    return this.#deliveries.placing(itemId, path)
  }

  saved(itemId: string, path: string, problem?: BatchProblem): Promise<boolean> {
    return this.#deliveries.saved(itemId, path, problem)
  }

  itemsOf(originalPath: string): Promise<BatchItemRecord[]> {
    return this.#deliveries.itemsOf(originalPath)
  }

  saveAgain(itemId: string): Promise<boolean> {
    return this.#deliveries.saveAgain(itemId)
  }

  notSaved(itemId: string, error: BatchProblem): Promise<boolean> {
    return this.#deliveries.notSaved(itemId, error)
  }
}
