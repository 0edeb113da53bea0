import type { BatchRecord, BatchState, BatchStore } from '../interfaces/batches.ts'
import type { Encrypter } from '../sealer.ts'
import { addItems, batchItems, unknownItems } from './batch-items.ts'
import { noItems, toBatch, toItem } from './batch-rows.ts'
import { deliveries } from './deliveries.ts'
import { found, fragment, isOne, type Row, type Sql, type Statements, type Transaction } from './sql.ts'

/** Stores batches. */
export function batchStore(sql: Sql, encrypter: Encrypter): BatchStore {
  const batchOf = (row: Row): BatchRecord => toBatch(row, encrypter)
  const get = (on: Statements, id: string) => found(on.get`SELECT * FROM batches WHERE id = ${id}`, batchOf)
  const end = (tx: Transaction, id: string, state: BatchState) =>
    isOne(tx.run`
      UPDATE batches SET state = ${state}, finished_at = ${sql.now()}, problem = NULL
      WHERE id = ${id} AND state IN ('active', 'paused')`)

  return {
    ...batchItems(sql),
    ...deliveries(sql),

    create: (batch, items) =>
      sql.durably(async tx => {
        await tx.lock(`batches ${batch.accountId}`)
        const known = await get(tx, batch.id)
        if (known) return known
        await tx.run`
          INSERT INTO batches (id, account_id, host, position, source, target_key, options, destination, state, created_at)
          VALUES (${batch.id}, ${batch.accountId}, ${batch.host},
                  (SELECT COALESCE(MAX(position), 0) + 1 FROM batches WHERE account_id = ${batch.accountId}),
                  ${batch.source}, ${batch.targetKey}, ${encrypter.encrypt(batch.options)},
                  ${JSON.stringify(batch.destination)}, 'active', ${sql.now()})`
        await addItems(sql, tx, batch, items)
        return (await get(tx, batch.id))!
      }),

    append: (id, items) =>
      sql.durably(async tx => {
        await tx.lock(`items ${id}`)
        const added = await unknownItems(tx, id, items)
        if (added.length === 0) return (await get(tx, id))?.state !== 'canceled'
        const open = await tx.run`
          UPDATE batches SET state = CASE state WHEN 'done' THEN 'active' ELSE state END, finished_at = NULL
          WHERE id = ${id} AND state <> 'canceled'`
        if (open === 1) await addItems(sql, tx, (await get(tx, id))!, added)
        return open === 1
      }),

    get: id => get(sql, id),

    async unfinished() {
      const rows = await sql.all`
        SELECT * FROM batches
        WHERE state IN ('active', 'paused')
           OR (state = 'canceled' AND EXISTS (SELECT 1 FROM jobs WHERE batch_id = batches.id
                                              AND status IN ('Queued', 'Running')))
        ORDER BY account_id, position`
      return rows.map(batchOf)
    },

    async list(accountId, finishedSince) {
      const rows = await sql.all`
        SELECT * FROM batches WHERE account_id = ${accountId} AND (finished_at IS NULL OR finished_at >= ${finishedSince})
        ORDER BY finished_at IS NOT NULL, CASE WHEN finished_at IS NULL THEN position ELSE -finished_at END, id`
      return rows.map(batchOf)
    },

    async counts(ids) {
      const rows = await sql.all`
        SELECT items.batch_id, COUNT(*) AS number, COUNT(*) FILTER (WHERE items.delivery = 'pending') AS unsaved,
               CASE WHEN items.state = 'submitted' THEN lower(jobs.status) ELSE items.state END AS now,
               SUM(CASE WHEN jobs.status IN ('Failed', 'Canceled') THEN 0 ELSE jobs.credit_cost END) AS cost,
               SUM(jobs.input_bytes) AS input, SUM(jobs.output_bytes) AS output
        FROM batch_items AS items LEFT JOIN jobs ON jobs.id = items.job_id
        WHERE items.batch_id ${sql.dialect.anyOf(ids)} GROUP BY items.batch_id, now`
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
    },

    pause: (id, problem) =>
      isOne(sql.run`
        UPDATE batches SET state = 'paused', problem = ${problem ? JSON.stringify(problem) : null}
        WHERE id = ${id} AND state ${problem ? fragment`IN ('active', 'paused')` : fragment`= 'active'`}`),

    resume: id =>
      isOne(sql.run`
        UPDATE batches SET state = 'active', problem = NULL WHERE id = ${id} AND state = 'paused'`),

    cancel: id =>
      sql.durably(async tx => {
        if (!(await end(tx, id, 'canceled'))) return false
        await tx.run`UPDATE batch_items SET state = 'canceled' WHERE batch_id = ${id} AND state = 'waiting'`
        await tx.run`UPDATE batch_items SET delivery = 'none' WHERE batch_id = ${id} AND delivery = 'pending'`
        return true
      }),

    finish: id =>
      sql.transaction(async tx => {
        const open = await tx.get`
          SELECT 1 FROM batch_items AS items LEFT JOIN jobs ON jobs.id = items.job_id
          WHERE items.batch_id = ${id}
            AND (items.state = 'waiting' OR jobs.status IN ('Queued', 'Running')
                 OR (jobs.status = 'Succeeded' AND items.delivery = 'pending'))
          LIMIT 1`
        return open === undefined && end(tx, id, 'done')
      }),

    purge: before =>
      sql.transaction(async tx => {
        const gone = await tx.all`DELETE FROM batches WHERE finished_at < ${before} RETURNING *`
        return gone.map(batchOf)
      }),

    async accountsWaiting() {
      const rows = await sql.all`
        SELECT DISTINCT account_id FROM batches
        WHERE state = 'active'
          AND EXISTS (SELECT 1 FROM batch_items WHERE batch_id = batches.id AND state = 'waiting')`
      return rows.map(row => String(row.account_id))
    },

    async nextItem(accountId) {
      const batch = await sql.get`
        SELECT * FROM batches
        WHERE account_id = ${accountId} AND state = 'active'
          AND EXISTS (SELECT 1 FROM batch_items WHERE batch_id = batches.id AND state = 'waiting')
        ORDER BY position LIMIT 1`
      if (!batch) return undefined
      const item = await sql.get`
        SELECT * FROM batch_items WHERE batch_id = ${String(batch.id)} AND state = 'waiting' ORDER BY position LIMIT 1`
      // Another host may have taken it at this moment.
      if (!item) return this.nextItem(accountId)
      return { batch: batchOf(batch), item: toItem(item) }
    },

    async openJobs(batchId) {
      const rows = await sql.all`
        SELECT id FROM jobs WHERE batch_id = ${batchId} AND status IN ('Queued', 'Running') ORDER BY seq DESC`
      return rows.map(row => String(row.id))
    },

    async adopt(host) {
      await sql.run`UPDATE batches SET host = ${host} WHERE host IS DISTINCT FROM ${host}`
    },
  }
}
