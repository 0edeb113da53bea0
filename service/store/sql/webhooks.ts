import type { Delivery, WebhookStore } from '../interfaces/webhooks.ts'
import type { Encrypter } from '../sealer.ts'
import { fragment, isOne, numberOrNull, type Row, type Sql } from './sql.ts'

/** The clocks of several hosts differ by less than this. */
const CLOCK_ERROR_MS = 1000

/**
 * When an attempt is due. If a row was changed in the future, the clock has been set back since and its time is
 * meaningless: it is due at once, since no attempt waits for long.
 */
const dueAt = (now: number) =>
  fragment`CASE WHEN updated_at > ${now + CLOCK_ERROR_MS} THEN 0 ELSE next_attempt_at END`

/** Stores webhooks. A trigger on `jobs` makes them due. */
export const webhookStore = (sql: Sql, encrypter: Encrypter): WebhookStore => ({
  claim: (limit, leaseMs) => {
    const now = sql.now()
    return sql.transaction(async tx => {
      const due = await tx.all`
        SELECT event_id FROM webhooks WHERE state = 'pending' AND ${dueAt(now)} <= ${now}
        ORDER BY next_attempt_at LIMIT ${limit} ${sql.dialect.skipLocked}`
      const claimed: Delivery[] = []
      for (const { event_id } of due) {
        const row = await tx.get`
          UPDATE webhooks SET attempts = attempts + 1, next_attempt_at = ${now + leaseMs}, updated_at = ${now}
          WHERE event_id = ${String(event_id)} RETURNING *`
        if (row) claimed.push(toDelivery(row, encrypter))
      }
      return claimed
    })
  },

  async dueIn() {
    const now = sql.now()
    const row = await sql.get`SELECT MIN(${dueAt(now)}) AS next FROM webhooks WHERE state = 'pending'`
    const next = numberOrNull(row?.next)
    return next === null ? undefined : Math.max(0, next - now)
  },

  async settle({ eventId, attempts }, { state, retryInMs, status, problem }) {
    const now = sql.now()
    await sql.run`
      UPDATE webhooks SET state = ${state}, next_attempt_at = ${retryInMs === null ? null : now + retryInMs},
        last_status = ${status}, problem = ${problem && JSON.stringify(problem)}, updated_at = ${now}
      WHERE event_id = ${eventId} AND attempts = ${attempts} AND state = 'pending'`
  },

  async list(accountId, limit) {
    const rows = await sql.all`
      SELECT * FROM webhooks WHERE account_id = ${accountId} AND state <> 'waiting'
      ORDER BY updated_at DESC, rowid DESC LIMIT ${limit}`
    return rows.map(row => toDelivery(row, encrypter))
  },

  replay: (eventId, accountId) => {
    const now = sql.now()
    return isOne(sql.run`
      UPDATE webhooks SET state = 'pending', attempts = 0, next_attempt_at = ${now}, updated_at = ${now}
      WHERE event_id = ${eventId} AND account_id = ${accountId} AND state IN ('delivered', 'failed')`)
  },

  async purge(before) {
    await sql.run`
      DELETE FROM webhooks WHERE state IN ('delivered', 'failed') AND updated_at < ${before}`
  },
})

function toDelivery(row: Row, encrypter: Encrypter): Delivery {
  const target = encrypter.decryptStored(String(row.target)) as Partial<Pick<Delivery, 'url' | 'secret'>>
  return {
    ...{ url: '', secret: '', ...target },
    eventId: String(row.event_id),
    jobId: String(row.job_id),
    accountId: String(row.account_id),
    job: JSON.parse(String(row.job)),
    state: row.state as Delivery['state'],
    attempts: Number(row.attempts),
    nextAttemptAt: numberOrNull(row.next_attempt_at),
    lastStatus: numberOrNull(row.last_status),
    problem: row.problem === null ? null : JSON.parse(String(row.problem)),
    updatedAt: Number(row.updated_at),
  }
}
