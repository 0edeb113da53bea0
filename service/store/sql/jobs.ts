import type { Message } from '../../shared/messages/message.ts'
import {
  type Attempt,
  type Claim,
  type Job,
  type JobError,
  type JobFilter,
  type JobStore,
  type NewJob,
  type QueueLimits,
  type Recovered,
  type Repeated,
  SUBMISSION_KEY_MS,
  type Submission,
  type SubmissionKey,
  type SubmitSettings,
  type Success,
  type WaitingJobs,
} from '../interfaces/jobs.ts'
import { jobBlobs } from '../interfaces/keys.ts'
import type { Encrypter } from '../sealer.ts'
import { Conditions } from './conditions.ts'
import { countsOf, toJob } from './job-rows.ts'
import { Leases } from './leases.ts'
import { type Row, type Sql, textOrNull } from './sql.ts'
import { Submissions } from './submissions.ts'

/** Stores jobs. */
export class SqlJobStore implements JobStore {
  readonly #sql: Sql
  readonly #encrypter: Encrypter
  readonly #submissions: Submissions
  readonly #leases: Leases
  readonly now: () => number

  constructor(sql: Sql, limits: QueueLimits, encrypter: Encrypter) {
    this.#sql = sql
    this.#encrypter = encrypter
    this.now = () => sql.now()
    this.#submissions = new Submissions(sql, limits, encrypter)
    this.#leases = new Leases(sql, limits, encrypter)
  }

  submit(job: NewJob, settings?: SubmitSettings): Promise<Submission> {
    return this.#submissions.submit(job, settings)
  }

  submittedBefore(accountId: string, key: SubmissionKey): Promise<Repeated | undefined> {
    return this.#submissions.submittedBefore(accountId, key)
  }

  claim(claim: Claim): Promise<Job | undefined> {
    return this.#leases.claim(claim)
  }

  renew(owner: string, attempts: readonly Attempt[], leaseMs: number): Promise<string[]> {
    return this.#leases.renew(owner, attempts, leaseMs)
  }

  recover(owner?: string): Promise<Recovered> {
    return this.#leases.recover(owner)
  }

  requeue(owner: string): Promise<Job[]> {
    return this.#leases.requeue(owner)
  }

  async succeed({ id, attempts }: Attempt, success: Success): Promise<boolean> {
    const changed = await this.#sql.run(
      `UPDATE jobs SET status = 'Succeeded', finished_at = ?, expires_at = ?, output_name = ?, output_type = ?,
                       output_count = ?, output_bytes = ?, output_key = ?, output_kept = 1, warnings = ?
       WHERE id = ? AND status = 'Running' AND attempts = ?`,
      this.#sql.now(),
      success.expiresAt,
      success.fileName,
      success.contentType,
      success.fileCount,
      success.bytes,
      success.key,
      JSON.stringify(success.warnings),
      id,
      attempts,
    )
    await this.#sql.durable()
    return changed === 1
  }

  async fail({ id, attempts }: Attempt, error: JobError, warnings: Message[]): Promise<boolean> {
    const changed = await this.#sql.run(
      `UPDATE jobs SET status = 'Failed', finished_at = ?, error_code = ?, error_reason = ?, warnings = ?
       WHERE id = ? AND status = 'Running' AND attempts = ?`,
      this.#sql.now(),
      error.code,
      JSON.stringify(error.reason),
      JSON.stringify(warnings),
      id,
      attempts,
    )
    await this.#sql.durable()
    return changed === 1
  }

  async cancel(id: string): Promise<boolean> {
    const changed = await this.#sql.run(
      `UPDATE jobs SET status = 'Canceled', finished_at = ? WHERE id = ? AND status IN ('Queued', 'Running')`,
      this.#sql.now(),
      id,
    )
    await this.#sql.durable()
    return changed === 1
  }

  async remove(id: string): Promise<boolean> {
    const removed = await this.#sql.run(
      `DELETE FROM jobs WHERE id = ? AND status NOT IN ('Queued', 'Running')`,
      id,
    )
    await this.#sql.durable()
    return removed === 1
  }

  async get(id: string): Promise<Job | undefined> {
    const row = await this.#sql.get('SELECT * FROM jobs WHERE id = ?', id)
    return row && toJob(row, this.#encrypter)
  }

  async getMany(ids: readonly string[]): Promise<Job[]> {
    const sql = `SELECT * FROM jobs WHERE id ${this.#sql.dialect.anyOf}`
    return this.#toJobs(await this.#sql.all(sql, JSON.stringify(ids)))
  }

  async list(
    accountId: string,
    before: number | null,
    limit: number,
    { status, keyId, since }: JobFilter = {},
  ): Promise<Job[]> {
    const where = new Conditions()
      .add('account_id = ?', accountId)
      .add('seq < ?', before ?? Number.MAX_SAFE_INTEGER)
      .add('status = ?', status)
      .add('key_id = ?', keyId)
      .add('created_at >= ?', since)
    const rows = await this.#sql.all(
      `SELECT * FROM jobs WHERE ${where.sql} ORDER BY seq DESC LIMIT ?`,
      ...where.values,
      limit,
    )
    return this.#toJobs(rows)
  }

  async open(): Promise<{ queued: number; running: number }> {
    const row = await this.#sql.get(
      `SELECT (SELECT COUNT(*) FROM jobs WHERE status = 'Queued') AS queued,
              (SELECT COUNT(*) FROM jobs WHERE status = 'Running') AS running`,
    )
    return { queued: Number(row?.queued), running: Number(row?.running) }
  }

  async waiting(): Promise<WaitingJobs[]> {
    const rows = await this.#sql.all(
      `SELECT account_id, input_format, target_key, COUNT(*) AS jobs, MIN(created_at) AS since
       FROM jobs WHERE status = 'Queued' GROUP BY account_id, input_format, target_key ORDER BY account_id, jobs`,
    )
    return rows.map(row => ({
      accountId: String(row.account_id),
      from: String(row.input_format),
      to: String(row.target_key),
      jobs: Number(row.jobs),
      seconds: Math.max(0, this.#sql.now() - Number(row.since)) / 1000,
    }))
  }

  counts(accountId: string): Promise<{ queued: number; running: number; fromBatches: number }> {
    return countsOf(this.#sql, accountId)
  }

  async expire(now: number): Promise<Job[]> {
    await this.#sql.run('DELETE FROM submission_keys WHERE created_at <= ?', now - SUBMISSION_KEY_MS)
    const gone = await this.#sql.all(
      `UPDATE jobs SET output_kept = 0, output_key = NULL
       WHERE output_kept = 1 AND expires_at <= ?
         AND NOT EXISTS (SELECT 1 FROM batch_items WHERE job_id = jobs.id AND delivery = 'pending')
       RETURNING *`,
      now,
    )
    if (gone.length > 0) await this.#sql.durable()
    return this.#toJobs(gone)
  }

  async purge(before: number): Promise<Job[]> {
    const gone = await this.#sql.all(
      `DELETE FROM jobs WHERE finished_at < ? AND status NOT IN ('Queued', 'Running') RETURNING *`,
      before,
    )
    return this.#toJobs(gone)
  }

  async blobsNeeded(ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.#sql.all(
      `SELECT id, output_key FROM jobs
       WHERE id ${this.#sql.dialect.anyOf} AND (status IN ('Queued', 'Running') OR output_kept = 1)`,
      JSON.stringify(ids),
    )
    return new Map(
      rows.map(row => [String(row.id), textOrNull(row.output_key) ?? jobBlobs.all(String(row.id))]),
    )
  }

  #toJobs(rows: readonly Row[]): Job[] {
    return rows.map(row => toJob(row, this.#encrypter))
  }
}
