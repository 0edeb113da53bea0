import { message } from '../../shared/messages/message.ts'
import type { Attempt, Claim, Job, Recovered } from '../interfaces/jobs.ts'
import { toJob } from './job-rows.ts'
import { fragment, type Value } from './sql.ts'
import { Submissions } from './submissions.ts'

/**
 * As many interruptions as one of a job that its host ran alone: beside others it is one of several that may have ended the host, and
 * rather what ended it came from outside.
 */
export const INTERRUPTED_ALONE = 5

/**
 * How jobs leave the queue, stay with their host, and return: single statements, so that a host that stops in between holds up nobody.
 * A part of the store of jobs.
 */
export class Leases extends Submissions {
  async claim(claim: Claim): Promise<Job | undefined> {
    const { owner, leaseMs, saturated, fromIdleAccounts = false } = claim
    const now = this.sql.now()
    const row = await this.sql.get(
      this.sql.dialect.claim,
      JSON.stringify(saturated),
      fromIdleAccounts ? 1 : this.limits.runningPerAccount,
      owner,
      now,
      now + leaseMs,
    )
    return row && toJob(row, this.encrypter)
  }

  async renew(owner: string, attempts: readonly Attempt[], leaseMs: number): Promise<string[]> {
    if (attempts.length === 0) return []
    const rows = await this.sql.all`
      UPDATE jobs SET lease_expires_at = ${this.sql.now() + leaseMs}
      WHERE id ${this.sql.dialect.anyOf(attempts.map(({ id }) => id))} 
        AND status = 'Running' AND lease_owner = ${owner} RETURNING id, attempts`
    const renewed = new Map(rows.map(row => [String(row.id), Number(row.attempts)]))
    return attempts.filter(({ id, attempts }) => renewed.get(id) !== attempts).map(({ id }) => id)
  }

  async recover(owner?: string): Promise<Recovered> {
    const now = this.sql.now()
    const suspicions = `interruptions + CASE WHEN lost.together > 1 THEN 1 ELSE ${INTERRUPTED_ALONE} END`
    const isGivenUp = `${suspicions} >= ${this.sql.dialect.mostInterruptions * INTERRUPTED_ALONE}`
    const given = (column: string, value: Value) =>
      fragment(`${column} = CASE WHEN ${isGivenUp} THEN ? ELSE ${column} END`, value)
    // A job that is just being ended or renewed is not lost.
    const rows = await this.sql.all`
      UPDATE jobs SET status = CASE WHEN ${fragment(isGivenUp)} THEN 'Failed' ELSE 'Queued' END,
        started_at = CASE WHEN ${fragment(isGivenUp)} THEN started_at END, interruptions = ${fragment(suspicions)},
        ${given('finished_at', now)}, ${given('error_code', 'jobs.interrupted')},
        ${given('error_reason', JSON.stringify(message('jobs.interrupted')))}
      FROM (
        SELECT id AS lost_id, (
          SELECT COUNT(*) FROM jobs AS others WHERE others.status = 'Running' AND others.lease_owner = mine.lease_owner) AS together
        FROM jobs AS mine
        WHERE status = 'Running' AND (lease_expires_at <= ${now} OR lease_owner = ${owner ?? null})
        ${this.sql.dialect.skipLocked}) AS lost
      WHERE id = lost_id
      RETURNING *`
    const jobs = rows.map(row => toJob(row, this.encrypter)).sort((a, b) => a.seq - b.seq)
    return {
      requeued: jobs.filter(({ status }) => status === 'Queued'),
      interrupted: jobs.filter(({ status }) => status === 'Failed'),
    }
  }

  async requeue(owner: string): Promise<Job[]> {
    const rows = await this.sql.all`
      UPDATE jobs SET status = 'Queued', started_at = NULL WHERE status = 'Running' AND lease_owner = ${owner} RETURNING *`
    return rows.map(row => toJob(row, this.encrypter))
  }
}
