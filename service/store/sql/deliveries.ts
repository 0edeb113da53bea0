import type { BatchStore } from '../interfaces/batches.ts'
import { toItem } from './batch-rows.ts'
import { isOne, type Sql } from './sql.ts'

type Deliveries = Pick<BatchStore, 'undelivered' | 'placing' | 'saved' | 'itemsOf' | 'saveAgain' | 'notSaved'>

/** Saving the results of batches to folders: a part of their store. */
export const deliveries = (sql: Sql): Deliveries => ({
  // CROSS JOIN makes SQLite begin with the few items that are still to be saved.
  async undelivered(host, limit, unlessPausedBy) {
    const rows = await sql.all`
      SELECT items.* FROM batch_items AS items ${sql.dialect.indexedBy('batch_items_unsaved')}
        CROSS JOIN jobs CROSS JOIN batches
      WHERE jobs.id = items.job_id AND batches.id = items.batch_id AND items.delivery = 'pending' AND items.job_id IS NOT NULL
        AND jobs.status = 'Succeeded' AND batches.host = ${host} 
        AND NOT COALESCE(batches.problem ->> 'code', '') ${sql.dialect.anyOf(unlessPausedBy)}
      ORDER BY jobs.finished_at, items.position LIMIT ${limit}`
    return rows.map(toItem)
  },

  placing: (itemId, path) =>
    sql.durably(tx =>
      isOne(tx.run`UPDATE batch_items SET saved_to = ${path} WHERE id = ${itemId} AND delivery = 'pending'`),
    ),

  saved: (itemId, path, problem) =>
    sql.transaction(async tx => {
      const item = await tx.get`
        UPDATE batch_items SET delivery = 'saved', saved_to = ${path}, error = ${problem ? JSON.stringify(problem) : null}
        WHERE id = ${itemId} AND delivery = 'pending' RETURNING job_id`
      if (item) await tx.run`UPDATE jobs SET saved_to = ${path} WHERE id = ${String(item.job_id)}`
      return item !== undefined
    }),

  async itemsOf(originalPath) {
    const rows = await sql.all`SELECT * FROM batch_items WHERE original_path = ${originalPath}`
    return rows.map(toItem)
  },

  saveAgain: itemId =>
    isOne(sql.run`
      UPDATE batch_items SET delivery = 'pending', numbered = 1, saved_to = NULL, error = NULL
      WHERE id = ${itemId} AND delivery = 'failed'
        AND EXISTS (SELECT 1 FROM jobs WHERE id = batch_items.job_id AND output_key IS NOT NULL)`),

  notSaved: (itemId, error) =>
    isOne(sql.run`
      UPDATE batch_items SET delivery = 'failed', error = ${JSON.stringify(error)} WHERE id = ${itemId} AND delivery = 'pending'`),
})
