import type { AttemptResult, Delivery, WebhookStore } from '../interfaces/webhooks.ts'
import type { Encrypter } from '../sealer.ts'
import { numberOrNull, type Row, type Sql } from './sql.ts'

/** The clocks of several hosts differ by less than this. */
const CLOCK_ERROR_MS = 1000

/**
 * When an attempt is due. If a row was changed in the future, the clock has been set back since and its time is
 * meaningless: it is due at once, since no attempt waits for long.
 */
const DUE_AT = 'CASE WHEN updated_at > ? THEN 0 ELSE next_attempt_at END'

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
      const due = await tx.all(
        `SELECT event_id FROM webhooks WHERE state = 'pending' AND ${DUE_AT} <= ?
         ORDER BY next_attempt_at LIMIT ? ${this.#sql.dialect.skipLocked}`,
        now + CLOCK_ERROR_MS,
        now,
        limit,
      )
      const claimed: Delivery[] = []
      for (const { event_id } of due) {
        const row = await tx.get(
          `UPDATE webhooks SET attempts = attempts + 1, next_attempt_at = ?, updated_at = ?
           WHERE event_id = ? RETURNING *`,
          now + leaseMs,
          now,
          String(event_id),
        )
        if (row) claimed.push(this.#toDelivery(row))
      }
      return claimed
    })
  }

  async dueIn(): Promise<number | undefined> {
    const now = this.#sql.now()
    const row = await this.#sql.get(
      `SELECT MIN(${DUE_AT}) AS next FROM webhooks WHERE state = 'pending'`,
      now + CLOCK_ERROR_MS,
    )
    const next = numberOrNull(row?.next ?? null)
    return next === null ? undefined : Math.max(0, next - now)
  }

  async settle(
    { eventId, attempts }: Pick<Delivery, 'eventId' | 'attempts'>,
    { state, retryInMs, status, problem }: AttemptResult,
  ): Promise<void> {
    const now = this.#sql.now()
    await this.#sql.run(
      `UPDATE webhooks SET state = ?, next_attempt_at = ?, last_status = ?, problem = ?, updated_at = ?
       WHERE event_id = ? AND attempts = ? AND state = 'pending'`,
      state,
      retryInMs === null ? null : now + retryInMs,
      status,
      problem && JSON.stringify(problem),
      now,
      eventId,
      attempts,
    )
  }

  async list(accountId: string, limit: number): Promise<Delivery[]> {
    return (
      await this.#sql.all(
        `SELECT * FROM webhooks WHERE account_id = ? AND state <> 'waiting' ORDER BY updated_at DESC, rowid DESC LIMIT ?`,
        accountId,
        limit,
      )
    ).map(row => this.#toDelivery(row))
  }

  async replay(eventId: string, accountId: string): Promise<boolean> {
    const now = this.#sql.now()
    return (
      (await this.#sql.run(
        `UPDATE webhooks SET state = 'pending', attempts = 0, next_attempt_at = ?, updated_at = ?
         WHERE event_id = ? AND account_id = ? AND state IN ('delivered', 'failed')`,
        now,
        now,
        eventId,
        accountId,
      )) === 1
    )
  }

  async purge(before: number): Promise<void> {
    await this.#sql.run(
      `DELETE FROM webhooks WHERE state IN ('delivered', 'failed') AND updated_at < ?`,
      before,
    )
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
