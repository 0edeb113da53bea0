import { message } from '../../messages/message.ts'
import type { Sealer } from '../sealer.ts'
import { refund } from '../sql/ledger.ts'
import type { Sql, Statements } from '../sql/sql.ts'

/** Columns whose text is encrypted; JSON, which begins with a brace, is as it was before that. */
const columns = [
  ['jobs', 'options'],
  ['batches', 'options'],
  ['webhooks', 'target'],
] as const

/** The text of each column that was encrypted last. */
async function newestSealed(sql: Statements): Promise<string[]> {
  const texts: string[] = []
  for (const [table, column] of columns) {
    const row = await sql.get(
      `SELECT ${column} AS text FROM ${table} WHERE ${column} NOT LIKE '{%' ORDER BY rowid DESC LIMIT 1`,
    )
    if (row) texts.push(String(row.text))
  }
  return texts
}

/** Whether a database holds anything that was encrypted. */
export const hasSealed = async (sql: Statements): Promise<boolean> => (await newestSealed(sql)).length > 0

/** Whether a database was encrypted with another key. One row that is damaged does not make it so. */
export async function isSealedByAnother(sql: Statements, sealer: Sealer): Promise<boolean> {
  const texts = await newestSealed(sql)
  const isOpened = (text: string) => {
    try {
      return sealer.open(text) !== undefined
    } catch {
      return false
    }
  }
  return texts.length > 0 && !texts.some(isOpened)
}

/**
 * Lets go of everything that was encrypted with a key that is lost. Open jobs and batches end and are refunded, since without
 * their options they would become something else than was asked for; webhooks have no address any more. All others stay.
 */
export async function forgetSealed(sql: Sql): Promise<void> {
  const now = sql.now()
  await sql.durably(async tx => {
    const open = await tx.all(`SELECT * FROM jobs WHERE status IN ('Queued', 'Running')`)
    for (const job of open) {
      await tx.run(
        `UPDATE jobs SET status = 'Failed', finished_at = ?, error_code = 'jobs.interrupted', error_reason = ? WHERE id = ?`,
        now,
        JSON.stringify(message('stored.options_lost')),
        String(job.id),
      )
      await refund(tx, now, job, 'Failed')
    }
    await tx.run(
      `UPDATE batch_items SET state = 'canceled', delivery = 'none'
       WHERE state = 'waiting' AND batch_id IN (SELECT id FROM batches WHERE state IN ('active', 'paused'))`,
    )
    await tx.run(
      `UPDATE batches SET state = 'canceled', finished_at = ? WHERE state IN ('active', 'paused')`,
      now,
    )
    await tx.run(
      `UPDATE webhooks SET state = 'failed', next_attempt_at = NULL, problem = ?, updated_at = ? WHERE state = 'pending'`,
      JSON.stringify(message('stored.webhook_lost')),
      now,
    )
    await tx.run(`UPDATE jobs SET options = '{}'`)
    await tx.run(`UPDATE batches SET options = '{}'`)
    await tx.run(`UPDATE webhooks SET target = '{"url":"","secret":""}'`)
  })
}
