import type { AttemptResult, Delivery, WebhookStore } from '../interfaces/webhooks.ts'
import type { Encrypter } from '../sealer.ts'
import { fragment, numberOrNull, type Row, type Sql } from './sql.ts'

/** The clocks of several hosts differ by less than this. */
const CLOCK_ERROR_MS = 1000

/**
 * When an attempt is due. If a row was changed in the future, the clock has been set back since and its time is
 * meaningless: it is due at once, since no attempt waits for long.
 */
const dueAt = (now: number) =>
  fragment`CASE WHEN updated_at > ${now + CLOCK_ERROR_MS} THEN 0 ELSE next_attempt_at END`

/** Stores webhooks. A trigger on `jobs` makes them due. */
export class SqlWebhookStore implements WebhookStore {
  readonly #sql: Sql
  readonly #encrypter: Encrypter

  constructor(sql: Sql, encrypter: Encrypter) {
    this.#sql = sql
    this.#encrypter = encrypter
  }

  async claim(limit: number, leaseMs: number): Promise<Delivery[]> {
    const now = this.#sql.now()
    return this.#sql.transaction(async tx => {
      const due = await tx.all`
        SELECT event_id FROM webhooks WHERE state = 'pending' AND ${dueAt(now)} <= ${now}
        ORDER BY next_attempt_at LIMIT ${limit} ${this.#sql.dialect.skipLocked}`
      const claimed: Delivery[] = []
      for (const { event_id } of due) {
        const row = await tx.get`
          UPDATE webhooks SET attempts = attempts + 1, next_attempt_at = ${now + leaseMs}, updated_at = ${now}
          WHERE event_id = ${String(event_id)} RETURNING *`
        if (row) claimed.push(this.#toDelivery(row))
      }
      return claimed
    })
  }

  async dueIn(): Promise<number | undefined> {
    const now = this.#sql.now()
    const row = await this.#sql.get`SELECT MIN(${dueAt(now)}) AS next FROM webhooks WHERE state = 'pending'`
    const next = numberOrNull(row?.next ?? null)
    return next === null ? undefined : Math.max(0, next - now)
  }

  async settle(
    { eventId, attempts }: Pick<Delivery, 'eventId' | 'attempts'>,
    { state, retryInMs, status, problem }: AttemptResult,
  ): Promise<void> {
    const now = this.#sql.now()
    await this.#sql.run`
      UPDATE webhooks SET state = ${state}, next_attempt_at = ${retryInMs === null ? null : now + retryInMs},
        last_status = ${status}, problem = ${problem && JSON.stringify(problem)}, updated_at = ${now}
      WHERE event_id = ${eventId} AND attempts = ${attempts} AND state = 'pending'`
  }

  async list(accountId: string, limit: number): Promise<Delivery[]> {
    const rows = await this.#sql.all`
      SELECT * FROM webhooks WHERE account_id = ${accountId} AND state <> 'waiting'
      ORDER BY updated_at DESC, rowid DESC LIMIT ${limit}`
    return rows.map(row => this.#toDelivery(row))
  }

  async replay(eventId: string, accountId: string): Promise<boolean> {
    const now = this.#sql.now()
    const changed = await this.#sql.run`
      UPDATE webhooks SET state = 'pending', attempts = 0, next_attempt_at = ${now}, updated_at = ${now}
      WHERE event_id = ${eventId} AND account_id = ${accountId} AND state IN ('delivered', 'failed')`
    return changed === 1
  }

  async purge(before: number): Promise<void> {
    await this.#sql.run`
      DELETE FROM webhooks WHERE state IN ('delivered', 'failed') AND updated_at < ${before}`
  }

  #toDelivery(row: Row): Delivery {
    const { url = '', secret = '' } = this.#encrypter.decryptStored(String(row.target)) as Partial<
      Pick<Delivery, 'url' | 'secret'>
    >
    return {
      eventId: String(row.event_id),
      jobId: String(row.job_id),
      accountId: String(row.account_id),
      url,
      secret,
      job: JSON.parse(String(row.job)),
      state: row.state as Delivery['state'],
      attempts: Number(row.attempts),
      nextAttemptAt: numberOrNull(row.next_attempt_at ?? null),
      lastStatus: numberOrNull(row.last_status ?? null),
      problem: row.problem === null ? null : JSON.parse(String(row.problem)),
      updatedAt: Number(row.updated_at),
    }
  }
}
