import { message } from '../../shared/messages/message.ts'
import type { Attempt, Claim, Job, QueueLimits, Recovered } from '../interfaces/jobs.ts'
import type { Sealer } from '../sealer.ts'
import { toJob } from './job-rows.ts'
import { refund } from './ledger.ts'
import type { Sql } from './sql.ts'

/** A job that is interrupted for this time is given up. */
const MAX_INTERRUPTIONS = 2
/** Held by whoever takes jobs out of the queue, as `claim` of the dialect does, or puts them back. */
const QUEUE_LOCK = 'queue'

/** How jobs leave the queue, stay with their host, and return. */
export class Leases {
  readonly #sql: Sql
  readonly #limits: QueueLimits
  readonly #sealer: Sealer

  constructor(sql: Sql, limits: QueueLimits, sealer: Sealer) {
    this.#sql = sql
    this.#sealer = sealer
    this.#limits = limits
  }

  async claim(claim: Claim): Promise<Job | undefined> {
    const { owner, leaseMs, saturated, concurrent = new Map(), fromIdleAccounts = false } = claim
    const now = this.#sql.now()
    const row = await this.#sql.get(
      this.#sql.dialect.claim,
      JSON.stringify(saturated),
      JSON.stringify(Object.fromEntries(concurrent)),
      fromIdleAccounts ? 1 : this.#limits.runningPerAccount,
      owner,
      now,
      now + leaseMs,
    )
    return row && toJob(row, this.#sealer)
  }

  async renew(owner: string, attempts: readonly Attempt[], leaseMs: number): Promise<string[]> {
    const until = this.#sql.now() + leaseMs
    return this.#sql.transaction(async tx => {
      const lost: string[] = []
      for (const attempt of attempts) {
        const renewed = await tx.run(
          `UPDATE jobs SET lease_expires_at = ?
           WHERE id = ? AND attempts = ? AND status = 'Running' AND lease_owner = ?`,
          until,
          attempt.id,
          attempt.attempts,
          owner,
        )
        if (renewed === 0) lost.push(attempt.id)
      }
      return lost
    })
  }

  async recover(owner?: string): Promise<Recovered> {
    return this.#sql.transaction(async tx => {
      await tx.lock(QUEUE_LOCK)
      // Jobs without a lease are from versions that had none. A job that is just being ended or renewed is not lost.
      const lost = await tx.all(
        `SELECT id, interruptions FROM jobs
         WHERE status = 'Running' AND (lease_expires_at IS NULL OR lease_expires_at <= ? OR lease_owner = ?)
         ORDER BY seq ${this.#sql.dialect.skipLocked}`,
        this.#sql.now(),
        owner ?? null,
      )
      const recovered: Recovered = { requeued: [], interrupted: [] }
      for (const { id, interruptions } of lost) {
        if (Number(interruptions) + 1 < MAX_INTERRUPTIONS) {
          const row = await tx.get(
            `UPDATE jobs SET status = 'Queued', started_at = NULL, interruptions = interruptions + 1 WHERE id = ? RETURNING *`,
            String(id),
          )
          recovered.requeued.push(toJob(row!, this.#sealer))
        } else {
          const row = await tx.get(
            `UPDATE jobs SET status = 'Failed', finished_at = ?, error_code = 'jobs.interrupted', error_reason = ?
             WHERE id = ? RETURNING *`,
            this.#sql.now(),
            JSON.stringify(message('jobs.interrupted')),
            String(id),
          )
          await refund(tx, this.#sql.now(), row!, 'Failed')
          recovered.interrupted.push(toJob(row!, this.#sealer))
        }
      }
      return recovered
    })
  }
  async giveBack(owner: string): Promise<Job[]> {
    const rows = await this.#sql.all(
      `UPDATE jobs SET status = 'Queued', started_at = NULL WHERE status = 'Running' AND lease_owner = ? RETURNING *`,
      owner,
    )
    return rows.map(row => toJob(row, this.#sealer))
  }
}
