import { message } from '../../shared/messages/message.ts'
import type { Attempt, Claim, Job, QueueLimits, Recovered } from '../interfaces/jobs.ts'
import type { Encrypter } from '../sealer.ts'
import { toJob } from './job-rows.ts'
import type { Sql } from './sql.ts'

/**
 * As many interruptions as one of a job that its host ran alone: beside others it is one of several that may have ended the host, and
 * rather what ended it came from outside.
 */
export const INTERRUPTED_ALONE = 5

/** How jobs leave the queue, stay with their host, and return: single statements, so that a host that stops in between holds up nobody. */
export class Leases {
  readonly #sql: Sql
  readonly #limits: QueueLimits
  readonly #encrypter: Encrypter

  constructor(sql: Sql, limits: QueueLimits, encrypter: Encrypter) {
    this.#sql = sql
    this.#encrypter = encrypter
    this.#limits = limits
  }

  async claim(claim: Claim): Promise<Job | undefined> {
    const { owner, leaseMs, saturated, fromIdleAccounts = false } = claim
    const now = this.#sql.now()
    const row = await this.#sql.get(
      this.#sql.dialect.claim,
      JSON.stringify(saturated),
      fromIdleAccounts ? 1 : this.#limits.runningPerAccount,
      owner,
      now,
      now + leaseMs,
    )
    return row && toJob(row, this.#encrypter)
  }

  async renew(owner: string, attempts: readonly Attempt[], leaseMs: number): Promise<string[]> {
    if (attempts.length === 0) return []
    const rows = await this.#sql.all(
      `UPDATE jobs SET lease_expires_at = ?
       WHERE id ${this.#sql.dialect.anyOf} AND status = 'Running' AND lease_owner = ? RETURNING id, attempts`,
      this.#sql.now() + leaseMs,
      JSON.stringify(attempts.map(({ id }) => id)),
      owner,
    )
    const renewed = new Map(rows.map(row => [String(row.id), Number(row.attempts)]))
    return attempts.filter(({ id, attempts }) => renewed.get(id) !== attempts).map(({ id }) => id)
  }

  async recover(owner?: string): Promise<Recovered> {
    const suspicions = `interruptions + CASE WHEN lost.together > 1 THEN 1 ELSE ${INTERRUPTED_ALONE} END`
    const isGivenUp = `${suspicions} >= ${this.#sql.dialect.mostInterruptions * INTERRUPTED_ALONE}`
    const given = (column: string, value: string) =>
      `${column} = CASE WHEN ${isGivenUp} THEN ${value} ELSE ${column} END`
    // A job that is just being ended or renewed is not lost.
    const rows = await this.#sql.all(
      `UPDATE jobs SET status = CASE WHEN ${isGivenUp} THEN 'Failed' ELSE 'Queued' END,
         started_at = CASE WHEN ${isGivenUp} THEN started_at END, interruptions = ${suspicions},
         ${given('finished_at', '?')}, ${given('error_code', `'jobs.interrupted'`)}, ${given('error_reason', '?')}
       FROM (
         SELECT id AS lost_id, (
           SELECT COUNT(*) FROM jobs AS others WHERE others.status = 'Running' AND others.lease_owner = mine.lease_owner) AS together
         FROM jobs AS mine
         WHERE status = 'Running' AND (lease_expires_at <= ? OR lease_owner = ?)
         ${this.#sql.dialect.skipLocked}) AS lost
       WHERE id = lost_id
       RETURNING *`,
      this.#sql.now(),
      JSON.stringify(message('jobs.interrupted')),
      this.#sql.now(),
      owner ?? null,
    )
    const jobs = rows.map(row => toJob(row, this.#encrypter)).sort((a, b) => a.seq - b.seq)
    return {
      requeued: jobs.filter(({ status }) => status === 'Queued'),
      interrupted: jobs.filter(({ status }) => status === 'Failed'),
    }
  }

  async requeue(owner: string): Promise<Job[]> {
    const rows = await this.#sql.all(
      `UPDATE jobs SET status = 'Queued', started_at = NULL WHERE status = 'Running' AND lease_owner = ? RETURNING *`,
      owner,
    )
    return rows.map(row => toJob(row, this.#encrypter))
  }
}
