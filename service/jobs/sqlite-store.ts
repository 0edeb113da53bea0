import { writeEntry } from '../credits/ledger.ts'
import { message } from '../messages/message.ts'
import { render } from '../messages/render.ts'
import type { Database, Row } from '../storage/database.ts'
import type { Job, JobOutput, JobStatus, NewJob } from './job.ts'
import type { JobStore, QueueLimits, Submission } from './store.ts'

/** Starts after which an interrupted job is given up. */
const MAX_ATTEMPTS = 2

/** The embedded job store. */
export class SqliteJobStore implements JobStore {
  readonly #database: Database
  readonly #limits: QueueLimits

  constructor(database: Database, limits: QueueLimits) {
    this.#database = database
    this.#limits = limits
  }

  async submit(job: NewJob): Promise<Submission> {
    const db = this.#database
    return db.transaction((): Submission => {
      const { open } = db.get(
        `SELECT COUNT(*) AS open FROM jobs WHERE account_id = ? AND status IN ('Queued', 'Running')`,
        job.accountId,
      ) as { open: number }
      if (open >= this.#limits.openPerAccount) return { kind: 'queue_full' }
      const available = Number(
        db.get('SELECT balance FROM accounts WHERE id = ?', job.accountId)?.balance ?? 0,
      )
      if (available < job.creditCost) return { kind: 'insufficient_credits', available }
      db.run(
        `INSERT INTO jobs (id, account_id, origin, job, category, target_key, status, options, input_name,
                           input_format, input_bytes, measure, file_id, credit_cost, created_at)
         VALUES (?, ?, ?, ?, ?, ?, 'Queued', ?, ?, ?, ?, ?, ?, ?, ?)`,
        job.id,
        job.accountId,
        job.origin,
        job.job,
        job.category,
        job.targetKey,
        JSON.stringify(job.options),
        job.inputName,
        job.inputFormat,
        job.inputBytes,
        JSON.stringify(job.measure),
        job.fileId,
        job.creditCost,
        Date.now(),
      )
      writeEntry(db, {
        accountId: job.accountId,
        kind: 'charge',
        amount: -job.creditCost,
        reason: job.inputName,
        jobId: job.id,
        category: job.category,
      })
      return { kind: 'queued', job: this.#get(job.id)! }
    })
  }

  async claim(saturated: readonly string[]): Promise<Job | undefined> {
    const db = this.#database
    return db.transaction(() => {
      const next = db.get(
        `SELECT jobs.id, jobs.account_id FROM jobs JOIN accounts ON accounts.id = jobs.account_id
         WHERE jobs.status = 'Queued'
           AND jobs.job NOT IN (SELECT value FROM json_each(?))
           AND (SELECT COUNT(*) FROM jobs AS running
                WHERE running.account_id = jobs.account_id AND running.status = 'Running') < ?
         ORDER BY accounts.turn, jobs.seq LIMIT 1`,
        JSON.stringify(saturated),
        this.#limits.runningPerAccount,
      )
      if (!next) return undefined
      db.run(
        'UPDATE accounts SET turn = (SELECT MAX(turn) + 1 FROM accounts) WHERE id = ?',
        String(next.account_id),
      )
      db.run(
        `UPDATE jobs SET status = 'Running', started_at = ?, attempts = attempts + 1 WHERE id = ?`,
        Date.now(),
        String(next.id),
      )
      return this.#get(String(next.id))
    })
  }

  async succeed(
    id: string,
    output: JobOutput & { bytes: number; expiresAt: number; warnings: string[] },
  ): Promise<boolean> {
    return (
      this.#database.run(
        `UPDATE jobs SET status = 'Succeeded', finished_at = ?, expires_at = ?, output_name = ?, output_type = ?,
                         output_count = ?, output_bytes = ?, output_kept = 1, warnings = ?
         WHERE id = ? AND status = 'Running'`,
        Date.now(),
        output.expiresAt,
        output.fileName,
        output.contentType,
        output.fileCount,
        output.bytes,
        JSON.stringify(output.warnings),
        id,
      ) === 1
    )
  }

  async fail(id: string, error: NonNullable<Job['error']>, warnings: string[]): Promise<boolean> {
    return this.#database.transaction(() => {
      const changed = this.#database.run(
        `UPDATE jobs SET status = 'Failed', finished_at = ?, error_code = ?, error_detail = ?, warnings = ?
         WHERE id = ? AND status = 'Running'`,
        Date.now(),
        error.code,
        error.detail,
        JSON.stringify(warnings),
        id,
      )
      if (changed === 1) this.#refund(id, 'Failed')
      return changed === 1
    })
  }

  async cancel(id: string): Promise<boolean> {
    return this.#database.transaction(() => {
      const changed = this.#database.run(
        `UPDATE jobs SET status = 'Canceled', finished_at = ? WHERE id = ? AND status IN ('Queued', 'Running')`,
        Date.now(),
        id,
      )
      if (changed === 1) this.#refund(id, 'Canceled')
      return changed === 1
    })
  }

  async remove(id: string): Promise<boolean> {
    return (
      this.#database.run(`DELETE FROM jobs WHERE id = ? AND status NOT IN ('Queued', 'Running')`, id) === 1
    )
  }

  async get(id: string): Promise<Job | undefined> {
    return this.#get(id)
  }

  async list(accountId: string, before: number | null, limit: number): Promise<Job[]> {
    return this.#database
      .all(
        'SELECT * FROM jobs WHERE account_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?',
        accountId,
        before ?? Number.MAX_SAFE_INTEGER,
        limit,
      )
      .map(toJob)
  }

  async expire(now: number): Promise<string[]> {
    return this.#database
      .all('UPDATE jobs SET output_kept = 0 WHERE output_kept = 1 AND expires_at <= ? RETURNING id', now)
      .map(row => String(row.id))
  }

  async forget(before: number): Promise<string[]> {
    return this.#database
      .all(
        `DELETE FROM jobs WHERE finished_at < ? AND status NOT IN ('Queued', 'Running') RETURNING id`,
        before,
      )
      .map(row => String(row.id))
  }

  async recover(): Promise<{ requeued: string[]; interrupted: string[] }> {
    const db = this.#database
    return db.transaction(() => {
      const running = db.all(`SELECT id, attempts FROM jobs WHERE status = 'Running' ORDER BY seq`)
      const requeued: string[] = []
      const interrupted: string[] = []
      for (const row of running) {
        const id = String(row.id)
        if (Number(row.attempts) < MAX_ATTEMPTS) {
          db.run(`UPDATE jobs SET status = 'Queued', started_at = NULL WHERE id = ?`, id)
          requeued.push(id)
        } else {
          db.run(
            `UPDATE jobs SET status = 'Failed', finished_at = ?, error_code = 'jobs.interrupted', error_detail = ?
             WHERE id = ?`,
            Date.now(),
            render(message('jobs.interrupted')),
            id,
          )
          this.#refund(id, 'Failed')
          interrupted.push(id)
        }
      }
      return { requeued, interrupted }
    })
  }

  async filesNeeded(ids: readonly string[]): Promise<Map<string, 'all' | 'output'>> {
    const rows = this.#database.all(
      `SELECT id, output_kept FROM jobs
       WHERE id IN (SELECT value FROM json_each(?)) AND (status IN ('Queued', 'Running') OR output_kept = 1)`,
      JSON.stringify(ids),
    )
    return new Map(rows.map(row => [String(row.id), row.output_kept === 1 ? 'output' : 'all']))
  }

  #get(id: string): Job | undefined {
    const row = this.#database.get('SELECT * FROM jobs WHERE id = ?', id)
    return row && toJob(row)
  }

  /** Gives a job's credits back, in the transaction that ends it. */
  #refund(id: string, why: 'Failed' | 'Canceled'): void {
    const job = this.#get(id)!
    if (job.creditCost === 0) return
    writeEntry(this.#database, {
      accountId: job.accountId,
      kind: 'refund',
      amount: job.creditCost,
      reason: `${why}: ${job.inputName}`,
      jobId: id,
      category: job.category,
    })
  }
}

function toJob(row: Row): Job {
  const time = (value: Row[string] | undefined) =>
    value === null || value === undefined ? null : Number(value)
  return {
    id: String(row.id),
    seq: Number(row.seq),
    accountId: String(row.account_id),
    origin: row.origin as Job['origin'],
    job: String(row.job),
    category: String(row.category),
    targetKey: String(row.target_key),
    status: row.status as JobStatus,
    options: JSON.parse(String(row.options)),
    inputName: String(row.input_name),
    inputFormat: String(row.input_format),
    inputBytes: Number(row.input_bytes),
    measure: JSON.parse(String(row.measure)),
    fileId: row.file_id === null ? null : String(row.file_id),
    creditCost: Number(row.credit_cost),
    attempts: Number(row.attempts),
    warnings: JSON.parse(String(row.warnings)),
    error:
      row.error_code === null
        ? null
        : { code: row.error_code as NonNullable<Job['error']>['code'], detail: String(row.error_detail) },
    output:
      row.output_name === null
        ? null
        : {
            fileName: String(row.output_name),
            contentType: String(row.output_type),
            fileCount: Number(row.output_count),
          },
    outputBytes: Number(row.output_bytes),
    outputKept: row.output_kept === 1,
    createdAt: Number(row.created_at),
    startedAt: time(row.started_at),
    finishedAt: time(row.finished_at),
    expiresAt: time(row.expires_at),
  }
}
