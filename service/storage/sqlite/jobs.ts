import { type Message, message } from '../../messages/message.ts'
import { guid } from '../../stores/ids.ts'
import type {
  Attempt,
  Claim,
  Job,
  JobError,
  JobStatus,
  JobStore,
  NewJob,
  QueueLimits,
  Recovered,
  Submission,
  SubmitSettings,
  Success,
} from '../../stores/jobs.ts'
import { jobBlobs } from '../../stores/keys.ts'
import type { WebhookTarget } from '../../stores/webhook-target.ts'
import type { Sealer } from '../sealer.ts'
import { thisMonth, writeEntry } from './accounts.ts'
import { type Database, numberOrNull, type Row, textOrNull } from './database.ts'

/** Starts after which an interrupted job is given up. */
const MAX_ATTEMPTS = 2

/** The embedded job store. */
export class SqliteJobStore implements JobStore {
  readonly #database: Database
  readonly #limits: QueueLimits
  readonly #sealer: Sealer

  constructor(database: Database, limits: QueueLimits, sealer: Sealer) {
    this.#database = database
    this.#sealer = sealer
    this.#limits = limits
  }

  async submit(job: NewJob, { itemId, topUpCredits = 0 }: SubmitSettings = {}): Promise<Submission> {
    const db = this.#database
    return db.durably((): Submission => {
      const { queued, running, fromBatches } = this.#counts(job.accountId)
      const full = queued + running >= this.#limits.openPerAccount
      if (full || (itemId !== undefined && fromBatches >= this.#limits.openFromBatches))
        return { kind: 'queue_full' }
      const item =
        itemId === undefined
          ? undefined
          : db.get(
              `SELECT items.batch_id FROM batch_items AS items JOIN batches ON batches.id = items.batch_id
               WHERE items.id = ? AND items.state = 'waiting' AND batches.state = 'active'`,
              itemId,
            )
      if (itemId !== undefined && !item) return { kind: 'item_taken' }
      const refused = this.#overBudget(job) ?? this.#unpaid(job, topUpCredits)
      if (refused) return refused
      if (itemId !== undefined) {
        db.run(`UPDATE batch_items SET state = 'submitted', job_id = ? WHERE id = ?`, job.id, itemId)
      }
      this.#insert(job, item ? String(item.batch_id) : null)
      if (job.webhook) this.#insertWebhook(job, job.webhook)
      if (job.fileId !== null) db.run('UPDATE files SET submitted = 1 WHERE id = ?', job.fileId)
      writeEntry(db, {
        accountId: job.accountId,
        kind: 'charge',
        amount: -job.creditCost,
        reason: job.inputName,
        jobId: job.id,
        category: job.category,
        keyId: job.keyId ?? null,
      })
      return { kind: 'queued', job: this.#get(job.id)! }
    })
  }

  /** Why the budget of the job's key does not hold it; undefined when it does, or there is none. */
  #overBudget({ keyId, creditCost }: NewJob): Submission | undefined {
    if (!keyId) return undefined
    const key = this.#database.get(
      `SELECT monthly_budget, coalesce(spent, 0) AS spent FROM api_keys
       LEFT JOIN key_spending ON key_id = id AND month = ? WHERE id = ?`,
      thisMonth(),
      keyId,
    )
    const budget = numberOrNull(key?.monthly_budget)
    const spent = Number(key?.spent ?? 0)
    return budget === null || spent + creditCost <= budget
      ? undefined
      : { kind: 'over_budget', budget, spent }
  }

  /** Why the account cannot pay the job; undefined when it can, which a grant may have seen to. */
  #unpaid({ accountId, creditCost }: NewJob, topUpCredits: number): Submission | undefined {
    const account = this.#database.get('SELECT balance FROM accounts WHERE id = ?', accountId)
    const available = Number(account?.balance ?? 0)
    if (available >= creditCost) return undefined
    if (!account || topUpCredits <= 0) return { kind: 'insufficient_credits', available }
    const grants = Math.ceil((creditCost - available) / topUpCredits)
    writeEntry(this.#database, {
      accountId,
      kind: 'grant',
      amount: grants * topUpCredits,
      reason: 'Automatic top-up',
    })
    return undefined
  }

  #insert(job: NewJob, batchId: string | null): void {
    this.#database.run(
      `INSERT INTO jobs (id, account_id, origin, key_id, first_id, job, category, target_key, status, options, input_name,
                         input_format, input_bytes, input_source, measure, file_id, batch_id, credit_cost, created_at)
       VALUES (?, ?, ?, ?, coalesce((SELECT first_id FROM jobs WHERE id = ? AND account_id = ?), ?), ?, ?, ?, 'Queued', ?, ?, ?,
               ?, ?, ?, ?, ?, ?, ?)`,
      job.id,
      job.accountId,
      job.origin,
      job.keyId ?? null,
      job.retryOf ?? null,
      job.accountId,
      job.id,
      job.job,
      job.category,
      job.targetKey,
      this.#sealer.seal(job.options),
      job.inputName,
      job.inputFormat,
      job.inputBytes,
      JSON.stringify(job.inputSource ?? { kind: 'blob' }),
      JSON.stringify(job.measure),
      job.fileId,
      batchId,
      job.creditCost,
      Date.now(),
    )
  }

  #insertWebhook({ id, accountId }: NewJob, { url, secret, events }: WebhookTarget): void {
    this.#database.run(
      `INSERT INTO webhooks (event_id, job_id, account_id, target, events, state, updated_at)
       VALUES (?, ?, ?, ?, ?, 'waiting', ?)`,
      guid(),
      id,
      accountId,
      this.#sealer.seal({ url, secret }),
      events.join(' '),
      Date.now(),
    )
  }

  async claim({ owner, leaseMs, saturated, fromIdleAccounts = false }: Claim): Promise<Job | undefined> {
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
        fromIdleAccounts ? 1 : this.#limits.runningPerAccount,
      )
      if (!next) return undefined
      db.run(
        'UPDATE accounts SET turn = (SELECT MAX(turn) + 1 FROM accounts) WHERE id = ?',
        String(next.account_id),
      )
      const now = Date.now()
      db.run(
        `UPDATE jobs SET status = 'Running', started_at = ?, attempts = attempts + 1, lease_owner = ?,
                         lease_expires_at = ?
         WHERE id = ?`,
        now,
        owner,
        now + leaseMs,
        String(next.id),
      )
      return this.#get(String(next.id))
    })
  }

  async renew(owner: string, attempts: readonly Attempt[], leaseMs: number): Promise<string[]> {
    const until = Date.now() + leaseMs
    return this.#database.transaction(() =>
      attempts
        .filter(
          attempt =>
            this.#database.run(
              `UPDATE jobs SET lease_expires_at = ?
               WHERE id = ? AND attempts = ? AND status = 'Running' AND lease_owner = ?`,
              until,
              attempt.id,
              attempt.attempts,
              owner,
            ) === 0,
        )
        .map(({ id }) => id),
    )
  }

  async succeed({ id, attempts }: Attempt, success: Success): Promise<boolean> {
    return this.#database.durably(
      () =>
        this.#database.run(
          `UPDATE jobs SET status = 'Succeeded', finished_at = ?, expires_at = ?, output_name = ?, output_type = ?,
                         output_count = ?, output_bytes = ?, output_key = ?, output_kept = 1, warnings = ?
         WHERE id = ? AND status = 'Running' AND attempts = ?`,
          Date.now(),
          success.expiresAt,
          success.fileName,
          success.contentType,
          success.fileCount,
          success.bytes,
          success.key,
          JSON.stringify(success.warnings),
          id,
          attempts,
        ) === 1,
    )
  }

  async fail({ id, attempts }: Attempt, error: JobError, warnings: Message[]): Promise<boolean> {
    return this.#database.durably(() => {
      const changed = this.#database.run(
        `UPDATE jobs SET status = 'Failed', finished_at = ?, error_code = ?, error_reason = ?, warnings = ?
         WHERE id = ? AND status = 'Running' AND attempts = ?`,
        Date.now(),
        error.code,
        JSON.stringify(error.reason),
        JSON.stringify(warnings),
        id,
        attempts,
      )
      if (changed === 1) this.#refund(id, 'Failed')
      return changed === 1
    })
  }

  async cancel(id: string): Promise<boolean> {
    return this.#database.durably(() => {
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
    return this.#database.durably(
      () =>
        this.#database.run(`DELETE FROM jobs WHERE id = ? AND status NOT IN ('Queued', 'Running')`, id) === 1,
    )
  }

  async get(id: string): Promise<Job | undefined> {
    return this.#get(id)
  }

  async getMany(ids: readonly string[]): Promise<Job[]> {
    return this.#database
      .all('SELECT * FROM jobs WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(ids))
      .map(row => this.#toJob(row))
  }

  async list(accountId: string, before: number | null, limit: number): Promise<Job[]> {
    return this.#database
      .all(
        'SELECT * FROM jobs WHERE account_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?',
        accountId,
        before ?? Number.MAX_SAFE_INTEGER,
        limit,
      )
      .map(row => this.#toJob(row))
  }

  async counts(accountId: string): Promise<{ queued: number; running: number; fromBatches: number }> {
    return this.#counts(accountId)
  }

  #counts(accountId: string): { queued: number; running: number; fromBatches: number } {
    const row = this.#database.get(
      `SELECT COUNT(*) FILTER (WHERE status = 'Queued') AS queued,
              COUNT(*) FILTER (WHERE status = 'Running') AS running,
              COUNT(batch_id) AS from_batches
       FROM jobs WHERE account_id = ? AND status IN ('Queued', 'Running')`,
      accountId,
    )
    return {
      queued: Number(row?.queued),
      running: Number(row?.running),
      fromBatches: Number(row?.from_batches),
    }
  }

  async expire(now: number): Promise<Job[]> {
    const gone = this.#database
      .all(
        `UPDATE jobs SET output_kept = 0, output_key = NULL
         WHERE output_kept = 1 AND expires_at <= ?
           AND NOT EXISTS (SELECT 1 FROM batch_items WHERE job_id = jobs.id AND delivery = 'pending')
         RETURNING *`,
        now,
      )
      .map(row => this.#toJob(row))
    if (gone.length > 0) await this.#database.durable()
    return gone
  }

  async forget(before: number): Promise<Job[]> {
    return this.#database
      .all(
        `DELETE FROM jobs WHERE finished_at < ? AND status NOT IN ('Queued', 'Running') RETURNING *`,
        before,
      )
      .map(row => this.#toJob(row))
  }

  async recover(owner?: string): Promise<Recovered> {
    const db = this.#database
    return db.transaction(() => {
      // Jobs without a lease are from versions that knew none.
      const lost = db
        .all(
          `SELECT * FROM jobs
           WHERE status = 'Running' AND (lease_expires_at IS NULL OR lease_expires_at <= ? OR lease_owner = ?)
           ORDER BY seq`,
          Date.now(),
          owner ?? null,
        )
        .map(row => this.#toJob(row))
      const [again, given] = [
        lost.filter(job => job.attempts < MAX_ATTEMPTS),
        lost.filter(job => job.attempts >= MAX_ATTEMPTS),
      ]
      for (const { id } of again) {
        db.run(`UPDATE jobs SET status = 'Queued', started_at = NULL WHERE id = ?`, id)
      }
      for (const { id } of given) {
        db.run(
          `UPDATE jobs SET status = 'Failed', finished_at = ?, error_code = 'jobs.interrupted', error_reason = ?
           WHERE id = ?`,
          Date.now(),
          JSON.stringify(message('jobs.interrupted')),
          id,
        )
        this.#refund(id, 'Failed')
      }
      const now = (jobs: Job[]) => jobs.map(({ id }) => this.#get(id)!)
      return { requeued: now(again), interrupted: now(given) }
    })
  }

  async blobsNeeded(ids: readonly string[]): Promise<Map<string, string>> {
    const rows = this.#database.all(
      `SELECT id, output_key FROM jobs
       WHERE id IN (SELECT value FROM json_each(?)) AND (status IN ('Queued', 'Running') OR output_kept = 1)`,
      JSON.stringify(ids),
    )
    return new Map(
      rows.map(row => [String(row.id), textOrNull(row.output_key) ?? jobBlobs.all(String(row.id))]),
    )
  }

  #get(id: string): Job | undefined {
    const row = this.#database.get('SELECT * FROM jobs WHERE id = ?', id)
    return row && this.#toJob(row)
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
      keyId: job.keyId,
    })
  }

  #toJob(row: Row): Job {
    return toJob(row, this.#sealer)
  }
}

/** A row of `jobs` as a job. */
export function toJob(row: Row, sealer: Sealer): Job {
  return {
    id: String(row.id),
    seq: Number(row.seq),
    accountId: String(row.account_id),
    origin: row.origin as Job['origin'],
    keyId: textOrNull(row.key_id),
    firstId: String(row.first_id),
    job: String(row.job),
    category: String(row.category),
    targetKey: String(row.target_key),
    status: row.status as JobStatus,
    options: sealer.open(String(row.options)),
    inputName: String(row.input_name),
    inputFormat: String(row.input_format),
    inputBytes: Number(row.input_bytes),
    inputSource: JSON.parse(String(row.input_source)),
    measure: JSON.parse(String(row.measure)),
    fileId: textOrNull(row.file_id),
    creditCost: Number(row.credit_cost),
    attempts: Number(row.attempts),
    warnings: JSON.parse(String(row.warnings)),
    error:
      row.error_code === null
        ? null
        : { code: row.error_code as JobError['code'], reason: JSON.parse(String(row.error_reason)) },
    output:
      row.output_name === null
        ? null
        : {
            fileName: String(row.output_name),
            contentType: String(row.output_type),
            fileCount: Number(row.output_count),
          },
    outputBytes: Number(row.output_bytes),
    outputKey: textOrNull(row.output_key),
    batchId: textOrNull(row.batch_id),
    savedTo: textOrNull(row.saved_to),
    createdAt: Number(row.created_at),
    startedAt: numberOrNull(row.started_at),
    finishedAt: numberOrNull(row.finished_at),
    expiresAt: numberOrNull(row.expires_at),
  }
}
