import { message } from '../../shared/messages/message.ts'
import type { Job, JobStore, QueueLimits } from '../interfaces/jobs.ts'
import { found, fragment, type Row, type Sql, type Value } from './sql.ts'

/**
 * As many interruptions as one of a job that its host ran alone: beside others it is one of several that may have ended the host, and
 * rather what ended it came from outside.
 */
export const INTERRUPTED_ALONE = 5

/**
 * How jobs leave the queue, stay with their host, and return: single statements, so that a host that stops in between holds up nobody.
 * A part of the store of jobs.
 */
export const leases = (
  sql: Sql,
  limits: QueueLimits,
  jobOf: (row: Row) => Job,
): Pick<JobStore, 'claim' | 'renew' | 'recover' | 'requeue'> => ({
  claim: ({ owner, leaseMs, saturated, fromIdleAccounts = false }) => {
    const [now, atOnce] = [sql.now(), fromIdleAccounts ? 1 : limits.runningPerAccount]
    const values = [JSON.stringify(saturated), atOnce, owner, now, now + leaseMs]
    return found(sql.get(sql.dialect.claim, ...values), jobOf)
  },

  async renew(owner, attempts, leaseMs) {
    if (attempts.length === 0) return []
    const rows = await sql.all`
      UPDATE jobs SET lease_expires_at = ${sql.now() + leaseMs}
      WHERE id ${sql.dialect.anyOf(attempts.map(({ id }) => id))} 
        AND status = 'Running' AND lease_owner = ${owner} RETURNING id, attempts`
    const renewed = new Map(rows.map(row => [String(row.id), Number(row.attempts)]))
    return attempts.filter(({ id, attempts }) => renewed.get(id) !== attempts).map(({ id }) => id)
  },

  async recover(owner) {
    const now = sql.now()
    const suspicions = `interruptions + CASE WHEN lost.together > 1 THEN 1 ELSE ${INTERRUPTED_ALONE} END`
    const isGivenUp = `${suspicions} >= ${sql.dialect.mostInterruptions * INTERRUPTED_ALONE}`
    const given = (column: string, value: Value) =>
      fragment(`${column} = CASE WHEN ${isGivenUp} THEN ? ELSE ${column} END`, value)
    // A job that is just being ended or renewed is not lost.
    const rows = await sql.all`
      UPDATE jobs SET status = CASE WHEN ${fragment(isGivenUp)} THEN 'Failed' ELSE 'Queued' END,
        started_at = CASE WHEN ${fragment(isGivenUp)} THEN started_at END, interruptions = ${fragment(suspicions)},
        ${given('finished_at', now)}, ${given('error_code', 'jobs.interrupted')},
        ${given('error_reason', JSON.stringify(message('jobs.interrupted')))}
      FROM (
        SELECT id AS lost_id, (
          SELECT COUNT(*) FROM jobs AS others WHERE others.status = 'Running' AND others.lease_owner = mine.lease_owner) AS together
        FROM jobs AS mine
        WHERE status = 'Running' AND (lease_expires_at <= ${now} OR lease_owner = ${owner ?? null})
        ${sql.dialect.skipLocked}) AS lost
      WHERE id = lost_id
      RETURNING *`
    const jobs = rows.map(jobOf).sort((a, b) => a.seq - b.seq)
    return {
      requeued: jobs.filter(({ status }) => status === 'Queued'),
      interrupted: jobs.filter(({ status }) => status === 'Failed'),
    }
  },

  async requeue(owner) {
    const rows = await sql.all`
      UPDATE jobs SET status = 'Queued', started_at = NULL WHERE status = 'Running' AND lease_owner = ${owner} RETURNING *`
    return rows.map(jobOf)
  },
})
