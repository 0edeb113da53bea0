import { message } from '../../shared/messages/message.ts'
import type { Encrypter } from '../sealer.ts'
import type { Sql, Statements } from '../sql/sql.ts'

/** Columns with encrypted text; where the key was lost, or there is nothing, it is plain JSON, which begins with a brace. */
const columns = [
  ['jobs', 'options'],
  ['jobs', 'further_steps'],
  ['batches', 'options'],
  ['webhooks', 'target'],
] as const

/** The most recently encrypted text of each column. */
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

/** Whether a database contains anything encrypted. */
export const hasSealed = async (sql: Statements): Promise<boolean> => (await newestSealed(sql)).length > 0

/** Whether a database was encrypted with another key. A single damaged row does not count. */
export async function isSealedByAnother(sql: Statements, encrypter: Encrypter): Promise<boolean> {
  const texts = await newestSealed(sql)
  return texts.length > 0 && !texts.some(text => encrypter.opens(text))
}

/**
 * Removes everything that was encrypted with a lost key. Open jobs and batches end and are refunded, since without their
 * options the results would not be what was requested; webhooks lose their address. Everything else is kept.
 */
export async function forgetSealed(sql: Sql): Promise<void> {
  const now = sql.now()
  await sql.durably(async tx => {
    await tx.run`
      UPDATE jobs SET status = 'Failed', finished_at = ${now}, error_code = 'jobs.interrupted',
        error_reason = ${JSON.stringify(message('stored.options_lost'))}
      WHERE status IN ('Queued', 'Running')`
    await tx.run`
      UPDATE batch_items SET state = 'canceled', delivery = 'none'
      WHERE state = 'waiting' AND batch_id IN (SELECT id FROM batches WHERE state IN ('active', 'paused'))`
    await tx.run`
      UPDATE batches SET state = 'canceled', finished_at = ${now} WHERE state IN ('active', 'paused')`
    await tx.run`
      UPDATE webhooks SET state = 'failed', next_attempt_at = NULL, updated_at = ${now},
        problem = ${JSON.stringify(message('stored.webhook_lost'))}
      WHERE state = 'pending'`
    for (const [table, column] of columns) await tx.run(`UPDATE ${table} SET ${column} = '{}'`)
    await tx.run`DELETE FROM submission_keys`
  })
}
