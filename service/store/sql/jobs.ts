import type { Message } from '../../shared/messages/message.ts'
import {
  type Attempt,
  type Job,
  type JobError,
  type JobFilter,
  type JobStore,
  SUBMISSION_KEY_MS,
  type Success,
  type WaitingJobs,
} from '../interfaces/jobs.ts'
import { jobBlobs } from '../interfaces/keys.ts'
import { Conditions } from './conditions.ts'
import { toJob } from './job-rows.ts'
import { Leases } from './leases.ts'
import { type Row, textOrNull } from './sql.ts'

/** Stores jobs. */
export class SqlJobStore extends Leases implements JobStore {
  readonly now = (): number => this.sql.now()

  async succeed({ id, attempts }: Attempt, success: Success): Promise<boolean> {
    const changed = await this.sql.run`
      UPDATE jobs SET status = 'Succeeded', finished_at = ${this.sql.now()}, expires_at = ${success.expiresAt},
        output_name = ${success.fileName}, output_type = ${success.contentType}, output_count = ${success.fileCount},
        output_bytes = ${success.bytes}, output_key = ${success.key}, output_kept = 1,
        warnings = ${JSON.stringify(success.warnings)}
      WHERE id = ${id} AND status = 'Running' AND attempts = ${attempts}`
    await this.sql.durable()
    return changed === 1
  }

  async fail({ id, attempts }: Attempt, error: JobError, warnings: Message[]): Promise<boolean> {
    const changed = await this.sql.run`
      UPDATE jobs SET status = 'Failed', finished_at = ${this.sql.now()}, error_code = ${error.code},
        error_reason = ${JSON.stringify(error.reason)}, warnings = ${JSON.stringify(warnings)}
      WHERE id = ${id} AND status = 'Running' AND attempts = ${attempts}`
    await this.sql.durable()
    return changed === 1
  }

  async cancel(id: string): Promise<boolean> {
    const changed = await this.sql.run`
      UPDATE jobs SET status = 'Canceled', finished_at = ${this.sql.now()}
      WHERE id = ${id} AND status IN ('Queued', 'Running')`
    await this.sql.durable()
    return changed === 1
  }

  async rename(id: string, fileName: string, savedTo: string | null): Promise<void> {
    await this.sql.durably(async tx => {
      await tx.run`UPDATE jobs SET output_name = ${fileName}, saved_to = ${savedTo} WHERE id = ${id} AND status = 'Succeeded'`
      if (savedTo !== null)
        await tx.run`UPDATE batch_items SET saved_to = ${savedTo} WHERE job_id = ${id} AND delivery = 'saved'`
    })
  }

  async remove(id: string): Promise<boolean> {
    const removed = await this.sql.run`
      DELETE FROM jobs WHERE id = ${id} AND status NOT IN ('Queued', 'Running')`
    await this.sql.durable()
    return removed === 1
  }

  async get(id: string): Promise<Job | undefined> {
    const row = await this.sql.get`SELECT * FROM jobs WHERE id = ${id}`
    return row && toJob(row, this.encrypter)
  }

  async getMany(ids: readonly string[]): Promise<Job[]> {
    return this.#toJobs(await this.sql.all`SELECT * FROM jobs WHERE id ${this.sql.dialect.anyOf(ids)}`)
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
    const rows = await this.sql.all`SELECT * FROM jobs WHERE ${where} ORDER BY seq DESC LIMIT ${limit}`
    return this.#toJobs(rows)
  }

  async open(): Promise<{ queued: number; running: number }> {
    const row = await this.sql.get`
      SELECT (SELECT COUNT(*) FROM jobs WHERE status = 'Queued') AS queued,
      (SELECT COUNT(*) FROM jobs WHERE status = 'Running') AS running`
    return { queued: Number(row?.queued), running: Number(row?.running) }
  }

  async waiting(): Promise<WaitingJobs[]> {
    const rows = await this.sql.all`
      SELECT account_id, input_format, target_key, COUNT(*) AS jobs, MIN(created_at) AS since
      FROM jobs WHERE status = 'Queued' GROUP BY account_id, input_format, target_key ORDER BY account_id, jobs`
    return rows.map(row => ({
      accountId: String(row.account_id),
      from: String(row.input_format),
      to: String(row.target_key),
      jobs: Number(row.jobs),
      seconds: Math.max(0, this.sql.now() - Number(row.since)) / 1000,
    }))
  }

  async counts(accountId: string): Promise<{ queued: number; running: number; fromBatches: number }> {
    const row = await this.sql.get`
      SELECT COUNT(*) FILTER (WHERE status = 'Queued') AS queued,
             COUNT(*) FILTER (WHERE status = 'Running') AS running,
             COUNT(batch_id) AS from_batches
      FROM jobs WHERE account_id = ${accountId} AND status IN ('Queued', 'Running')`
    return {
      queued: Number(row?.queued),
      running: Number(row?.running),
      fromBatches: Number(row?.from_batches),
    }
  }

  async expire(now: number): Promise<Job[]> {
    await this.sql.run`DELETE FROM submission_keys WHERE created_at <= ${now - SUBMISSION_KEY_MS}`
    const gone = await this.sql.all`
      UPDATE jobs SET output_kept = 0, output_key = NULL
      WHERE output_kept = 1 AND expires_at <= ${now}
        AND NOT EXISTS (SELECT 1 FROM batch_items WHERE job_id = jobs.id AND delivery = 'pending')
      RETURNING *`
    if (gone.length > 0) await this.sql.durable()
    return this.#toJobs(gone)
  }

  async purge(before: number): Promise<Job[]> {
    const gone = await this.sql.all`
      DELETE FROM jobs WHERE finished_at < ${before} AND status NOT IN ('Queued', 'Running') RETURNING *`
    return this.#toJobs(gone)
  }

  async blobsNeeded(ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.sql.all`
      SELECT id, output_key FROM jobs
      WHERE id ${this.sql.dialect.anyOf(ids)} AND (status IN ('Queued', 'Running') OR output_kept = 1)`
    return new Map(
      rows.map(row => [String(row.id), textOrNull(row.output_key) ?? jobBlobs.all(String(row.id))]),
    )
  }

  #toJobs(rows: readonly Row[]): Job[] {
    return rows.map(row => toJob(row, this.encrypter))
  }
}
