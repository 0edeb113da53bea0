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
import { fragment, type Row, type Sql, type Statements, type Transaction } from './sql.ts'

/** Stores batches. */
export class SqlBatchStore extends BatchItems implements BatchStore {
  readonly #encrypter: Encrypter

  constructor(sql: Sql, encrypter: Encrypter) {
    super(sql)
    this.#encrypter = encrypter
  }

  #toBatch(row: Row): BatchRecord {
    return toBatch(row, this.#encrypter)
  }

  async create(batch: NewBatch, items: readonly NewBatchItem[]): Promise<BatchRecord> {
    return this.sql.durably(async tx => {
      await tx.lock(`batches ${batch.accountId}`)
      const known = await this.#get(tx, batch.id)
      if (known) return known
      await tx.run`
        INSERT INTO batches (id, account_id, host, position, source, target_key, options, destination, state, created_at)
        VALUES (${batch.id}, ${batch.accountId}, ${batch.host},
                (SELECT COALESCE(MAX(position), 0) + 1 FROM batches WHERE account_id = ${batch.accountId}),
                ${batch.source}, ${batch.targetKey}, ${this.#encrypter.encrypt(batch.options)},
                ${JSON.stringify(batch.destination)}, 'active', ${this.sql.now()})`
      await this.addItems(tx, batch, items)
      return (await this.#get(tx, batch.id))!
    })
  }

  async append(id: string, items: readonly NewBatchItem[]): Promise<boolean> {
    return this.sql.durably(async tx => {
      await tx.lock(`items ${id}`)
      const added = await this.unknownItems(tx, id, items)
      if (added.length === 0) return (await this.#get(tx, id))?.state !== 'canceled'
      const open = await tx.run`
        UPDATE batches SET state = CASE state WHEN 'done' THEN 'active' ELSE state END, finished_at = NULL
        WHERE id = ${id} AND state <> 'canceled'`
      if (open === 1) await this.addItems(tx, (await this.#get(tx, id))!, added)
      return open === 1
    })
  }

  async get(id: string): Promise<BatchRecord | undefined> {
    return this.#get(this.sql, id)
  }

  async #get(sql: Statements, id: string): Promise<BatchRecord | undefined> {
    const row = await sql.get`SELECT * FROM batches WHERE id = ${id}`
    return row && this.#toBatch(row)
  }

  async unfinished(): Promise<BatchRecord[]> {
    const rows = await this.sql.all`
      SELECT * FROM batches
      WHERE state IN ('active', 'paused')
         OR (state = 'canceled' AND EXISTS (SELECT 1 FROM jobs WHERE batch_id = batches.id
                                            AND status IN ('Queued', 'Running')))
      ORDER BY account_id, position`
    return rows.map(row => this.#toBatch(row))
  }

  async list(accountId: string, finishedSince: number): Promise<BatchRecord[]> {
    const rows = await this.sql.all`
      SELECT * FROM batches WHERE account_id = ${accountId} AND (finished_at IS NULL OR finished_at >= ${finishedSince})
      ORDER BY finished_at IS NOT NULL, CASE WHEN finished_at IS NULL THEN position ELSE -finished_at END, id`
    return rows.map(row => this.#toBatch(row))
  }

  async counts(ids: readonly string[]): Promise<Map<string, BatchCounts>> {
    const rows = await this.sql.all`
      SELECT items.batch_id, COUNT(*) AS number, COUNT(*) FILTER (WHERE items.delivery = 'pending') AS unsaved,
             CASE WHEN items.state = 'submitted' THEN lower(jobs.status) ELSE items.state END AS now,
             SUM(CASE WHEN jobs.status IN ('Failed', 'Canceled') THEN 0 ELSE jobs.credit_cost END) AS cost,
             SUM(jobs.input_bytes) AS input, SUM(jobs.output_bytes) AS output
      FROM batch_items AS items LEFT JOIN jobs ON jobs.id = items.job_id
      WHERE items.batch_id ${this.sql.dialect.anyOf(ids)} GROUP BY items.batch_id, now`
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

  async pause(id: string, problem?: BatchProblem): Promise<boolean> {
    const noted = problem ? JSON.stringify(problem) : null
    const changed = await this.sql.run`
      UPDATE batches SET state = 'paused', problem = ${noted}
      WHERE id = ${id} AND state ${problem ? fragment`IN ('active', 'paused')` : fragment`= 'active'`}`
    return changed === 1
  }

  async resume(id: string): Promise<boolean> {
    const changed = await this.sql.run`
      UPDATE batches SET state = 'active', problem = NULL WHERE id = ${id} AND state = 'paused'`
    return changed === 1
  }

  async cancel(id: string): Promise<boolean> {
    return this.sql.durably(async tx => {
      if (!(await this.#end(tx, id, 'canceled'))) return false
      await tx.run`UPDATE batch_items SET state = 'canceled' WHERE batch_id = ${id} AND state = 'waiting'`
      await tx.run`UPDATE batch_items SET delivery = 'none' WHERE batch_id = ${id} AND delivery = 'pending'`
      return true
    })
  }

  async finish(id: string): Promise<boolean> {
    return this.sql.transaction(async tx => {
      const open = await tx.get`
        SELECT 1 FROM batch_items AS items LEFT JOIN jobs ON jobs.id = items.job_id
        WHERE items.batch_id = ${id}
          AND (items.state = 'waiting' OR jobs.status IN ('Queued', 'Running')
               OR (jobs.status = 'Succeeded' AND items.delivery = 'pending'))
        LIMIT 1`
      return open === undefined && (await this.#end(tx, id, 'done'))
    })
  }

  async #end(tx: Transaction, id: string, state: BatchState): Promise<boolean> {
    const changed = await tx.run`
      UPDATE batches SET state = ${state}, finished_at = ${this.sql.now()}, problem = NULL
      WHERE id = ${id} AND state IN ('active', 'paused')`
    return changed === 1
  }

  async purge(before: number): Promise<BatchRecord[]> {
    return this.sql.transaction(async tx => {
      const gone = await tx.all`DELETE FROM batches WHERE finished_at < ${before} RETURNING *`
      return gone.map(row => this.#toBatch(row))
    })
  }

  async accountsWaiting(): Promise<string[]> {
    const rows = await this.sql.all`
      SELECT DISTINCT account_id FROM batches
      WHERE state = 'active'
        AND EXISTS (SELECT 1 FROM batch_items WHERE batch_id = batches.id AND state = 'waiting')`
    return rows.map(row => String(row.account_id))
  }

  async nextItem(accountId: string): Promise<{ batch: BatchRecord; item: BatchItemRecord } | undefined> {
    const batch = await this.sql.get`
      SELECT * FROM batches
      WHERE account_id = ${accountId} AND state = 'active'
        AND EXISTS (SELECT 1 FROM batch_items WHERE batch_id = batches.id AND state = 'waiting')
      ORDER BY position LIMIT 1`
    if (!batch) return undefined
    const item = await this.sql.get`
      SELECT * FROM batch_items WHERE batch_id = ${String(batch.id)} AND state = 'waiting' ORDER BY position LIMIT 1`
    // Another host may have taken it at this moment.
    if (!item) return this.nextItem(accountId)
    return { batch: this.#toBatch(batch), item: toItem(item) }
  }

  async openJobs(batchId: string): Promise<string[]> {
    const rows = await this.sql.all`
      SELECT id FROM jobs WHERE batch_id = ${batchId} AND status IN ('Queued', 'Running') ORDER BY seq DESC`
    return rows.map(row => String(row.id))
  }

  async adopt(host: string): Promise<void> {
    await this.sql.run`UPDATE batches SET host = ${host} WHERE host IS DISTINCT FROM ${host}`
  }
}
