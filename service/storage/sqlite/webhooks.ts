import type { AttemptResult, Delivery, WebhookStore } from '../../stores/webhooks.ts'
import type { Sealer } from '../sealer.ts'
import { type Database, numberOrNull, type Row } from './database.ts'

/**
 * When an attempt is due. A row that was changed in the future is from before the clock was set back, so that its time says
 * nothing: it is due at once, as none waits for long.
 */
const DUE_AT = 'iif(updated_at > ?, 0, next_attempt_at)'

/** The embedded store of webhooks. A trigger on `jobs` makes them due. */
export class SqliteWebhookStore implements WebhookStore {
  readonly #database: Database
  readonly #sealer: Sealer

  constructor(database: Database, sealer: Sealer) {
    this.#database = database
    this.#sealer = sealer
  }

  async claim(limit: number, leaseMs: number): Promise<Delivery[]> {
    const now = Date.now()
    return this.#database
      .all(
        `UPDATE webhooks SET attempts = attempts + 1, next_attempt_at = ?, updated_at = ?
         WHERE event_id IN (SELECT event_id FROM webhooks WHERE state = 'pending' AND ${DUE_AT} <= ?
                            ORDER BY next_attempt_at LIMIT ?)
         RETURNING *`,
        now + leaseMs,
        now,
        now,
        now,
        limit,
      )
      .map(row => this.#toDelivery(row))
  }

  async nextDue(): Promise<number | undefined> {
    const row = this.#database.get(
      `SELECT MIN(${DUE_AT}) AS next FROM webhooks WHERE state = 'pending'`,
      Date.now(),
    )
    return numberOrNull(row?.next ?? null) ?? undefined
  }

  async settle(
    { eventId, attempts }: Pick<Delivery, 'eventId' | 'attempts'>,
    { state, nextAttemptAt, status, problem }: AttemptResult,
  ): Promise<void> {
    this.#database.run(
      `UPDATE webhooks SET state = ?, next_attempt_at = ?, last_status = ?, problem = ?, updated_at = ?
       WHERE event_id = ? AND attempts = ? AND state = 'pending'`,
      state,
      nextAttemptAt,
      status,
      problem && JSON.stringify(problem),
      Date.now(),
      eventId,
      attempts,
    )
  }

  async list(accountId: string, limit: number): Promise<Delivery[]> {
    return this.#database
      .all(
        `SELECT * FROM webhooks WHERE account_id = ? AND state <> 'waiting' ORDER BY updated_at DESC, rowid DESC LIMIT ?`,
        accountId,
        limit,
      )
      .map(row => this.#toDelivery(row))
  }

  async replay(eventId: string, accountId: string): Promise<boolean> {
    const now = Date.now()
    return (
      this.#database.run(
        `UPDATE webhooks SET state = 'pending', attempts = 0, next_attempt_at = ?, updated_at = ?
         WHERE event_id = ? AND account_id = ? AND state IN ('delivered', 'failed')`,
        now,
        now,
        eventId,
        accountId,
      ) === 1
    )
  }

  async forget(before: number): Promise<void> {
    this.#database.run(
      `DELETE FROM webhooks WHERE state IN ('delivered', 'failed') AND updated_at < ?`,
      before,
    )
  }

  #toDelivery(row: Row): Delivery {
    const { url, secret } = this.#sealer.open(String(row.target)) as { url: string; secret: string }
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
