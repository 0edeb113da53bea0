import { type Message, message } from '../../messages/message.ts'
import { guid } from '../../stores/ids.ts'
import type {
  Attempt,
  Claim,
  Job,
  JobError,
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
import { toJob } from './job-rows.ts'
import { numberOrNull, type Row, type Sql, type Statements, type Transaction, textOrNull } from './sql.ts'

/** Starts after which an interrupted job is given up. */
const MAX_ATTEMPTS = 2
/** Held by whoever takes jobs out of the queue or puts them back: order and limits are those of all hosts together. */
const QUEUE_LOCK = 'queue'

const ofAccount = (id: string): string => `account ${id}`

/** Stores jobs. */
export class SqlJobStore implements JobStore {
  readonly #sql: Sql
  readonly #limits: QueueLimits
  readonly #sealer: Sealer

  constructor(sql: Sql, limits: QueueLimits, sealer: Sealer) {
    this.#sql = sql
    this.#sealer = sealer
    this.#limits = limits
  }

  async submit(job: NewJob, { itemId, topUpCredits = 0 }: SubmitSettings = {}): Promise<Submission> {
    return this.#sql.durably(async (tx): Promise<Submission> => {
      // Of an account one submission at a time looks at what is free and takes it.
      await tx.lock(ofAccount(job.accountId))
      const { queued, running, fromBatches } = await countsOf(tx, job.accountId)
      const full = queued + running >= this.#limits.openPerAccount
      if (full || (itemId !== undefined && fromBatches >= this.#limits.openFromBatches))
        return { kind: 'queue_full' }
      const item =
        itemId === undefined
          ? undefined
          : await tx.get(
              `SELECT items.batch_id FROM batch_items AS items JOIN batches ON batches.id = items.batch_id
               WHERE items.id = ? AND items.state = 'waiting' AND batches.state = 'active' ${this.#sql.dialect.locked}`,
              itemId,
            )
      if (itemId !== undefined && !item) return { kind: 'item_taken' }
      const refused = (await this.#overBudget(tx, job)) ?? (await this.#unpaid(tx, job, topUpCredits))
      if (refused) return refused
      if (itemId !== undefined) {
        await tx.run(`UPDATE batch_items SET state = 'submitted', job_id = ? WHERE id = ?`, job.id, itemId)
      }
      const row = await this.#insert(tx, job, item ? String(item.batch_id) : null)
      if (job.webhook) await this.#insertWebhook(tx, job, job.webhook)
      if (job.fileId !== null) await tx.run('UPDATE files SET submitted = 1 WHERE id = ?', job.fileId)
      await writeEntry(tx, this.#sql.now(), {
        accountId: job.accountId,
        kind: 'charge',
        amount: -job.creditCost,
        reason: job.inputName,
        jobId: job.id,
        category: job.category,
        keyId: job.keyId ?? null,
      })
      return { kind: 'queued', job: toJob(row, this.#sealer) }
    })
  }

  /** Why the budget of the job's key does not hold it; undefined when it does, or there is none. */
  async #overBudget(tx: Transaction, { keyId, creditCost }: NewJob): Promise<Submission | undefined> {
    if (!keyId) return undefined
    const key = await tx.get(
      `SELECT monthly_budget, coalesce(spent, 0) AS spent FROM api_keys
       LEFT JOIN key_spending ON key_id = id AND month = ? WHERE id = ?`,
      thisMonth(this.#sql.now()),
      keyId,
    )
    const budget = numberOrNull(key?.monthly_budget)
    const spent = Number(key?.spent ?? 0)
    return budget === null || spent + creditCost <= budget
      ? undefined
      : { kind: 'over_budget', budget, spent }
  }

  /** Why the account cannot pay the job; undefined when it can, which a grant may have seen to. */
  async #unpaid(
    tx: Transaction,
    { accountId, creditCost }: NewJob,
    topUpCredits: number,
  ): Promise<Submission | undefined> {
    const account = await tx.get('SELECT balance FROM accounts WHERE id = ?', accountId)
    const available = Number(account?.balance ?? 0)
    if (available >= creditCost) return undefined
    if (!account || topUpCredits <= 0) return { kind: 'insufficient_credits', available }
    const grants = Math.ceil((creditCost - available) / topUpCredits)
    await writeEntry(tx, this.#sql.now(), {
      accountId,
      kind: 'grant',
      amount: grants * topUpCredits,
      reason: 'Automatic top-up',
    })
    return undefined
  }

  async #insert(tx: Transaction, job: NewJob, batchId: string | null): Promise<Row> {
    const row = await tx.get(
      `INSERT INTO jobs (id, account_id, origin, key_id, first_id, job, category, target_key, status, options, input_name,
                         input_format, input_bytes, input_source, measure, file_id, batch_id, credit_cost, created_at)
       VALUES (?, ?, ?, ?, coalesce((SELECT first_id FROM jobs WHERE id = ? AND account_id = ?), ?), ?, ?, ?, 'Queued', ?, ?, ?,
               ?, ?, ?, ?, ?, ?, ?)
       RETURNING *`,
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
      this.#sql.now(),
    )
    return row!
  }

  async #insertWebhook(
    tx: Transaction,
    { id, accountId }: NewJob,
    { url, secret, events }: WebhookTarget,
  ): Promise<void> {
    await tx.run(
      `INSERT INTO webhooks (event_id, job_id, account_id, target, events, state, updated_at)
       VALUES (?, ?, ?, ?, ?, 'waiting', ?)`,
      guid(),
      id,
      accountId,
      this.#sealer.seal({ url, secret }),
      events.join(' '),
      this.#sql.now(),
    )
  }

  async claim(claim: Claim): Promise<Job | undefined> {
    const { owner, leaseMs, saturated, concurrent, fromIdleAccounts = false } = claim
    return this.#sql.transaction(async tx => {
      await tx.lock(QUEUE_LOCK)
      const full = concurrent ? await fullTypes(tx, concurrent) : []
      for (;;) {
        const next = await tx.get(
          this.#sql.dialect.nextJob,
          JSON.stringify([...saturated, ...full]),
          fromIdleAccounts ? 1 : this.#limits.runningPerAccount,
        )
        if (!next) return undefined
        const now = this.#sql.now()
        const row = await tx.get(
          `UPDATE jobs SET status = 'Running', started_at = ?, attempts = attempts + 1, lease_owner = ?,
                           lease_expires_at = ?
           WHERE id = ? AND status = 'Queued' RETURNING *`,
          now,
          owner,
          now + leaseMs,
          String(next.id),
        )
        // Canceled in this moment.
        if (!row) continue
        await tx.run(
          'UPDATE accounts SET turn = (SELECT MAX(turn) + 1 FROM accounts) WHERE id = ?',
          String(next.account_id),
        )
        return toJob(row, this.#sealer)
      }
    })
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
    return this.#sql.durably(async tx => {
      const row = await tx.get(
        `UPDATE jobs SET status = 'Failed', finished_at = ?, error_code = ?, error_reason = ?, warnings = ?
         WHERE id = ? AND status = 'Running' AND attempts = ? RETURNING *`,
        this.#sql.now(),
        error.code,
        JSON.stringify(error.reason),
        JSON.stringify(warnings),
        id,
        attempts,
      )
      if (row) await this.#refund(tx, row, 'Failed')
      return row !== undefined
    })
  }

  async cancel(id: string): Promise<boolean> {
    return this.#sql.durably(async tx => {
      const row = await tx.get(
        `UPDATE jobs SET status = 'Canceled', finished_at = ?
         WHERE id = ? AND status IN ('Queued', 'Running') RETURNING *`,
        this.#sql.now(),
        id,
      )
      if (row) await this.#refund(tx, row, 'Canceled')
      return row !== undefined
    })
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
    return row && toJob(row, this.#sealer)
  }

  async getMany(ids: readonly string[]): Promise<Job[]> {
    const sql = `SELECT * FROM jobs WHERE id ${this.#sql.dialect.anyOf}`
    return this.#toJobs(await this.#sql.all(sql, JSON.stringify(ids)))
  }

  async list(accountId: string, before: number | null, limit: number): Promise<Job[]> {
    const rows = await this.#sql.all(
      'SELECT * FROM jobs WHERE account_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?',
      accountId,
      before ?? Number.MAX_SAFE_INTEGER,
      limit,
    )
    return this.#toJobs(rows)
  }

  counts(accountId: string): Promise<{ queued: number; running: number; fromBatches: number }> {
    return countsOf(this.#sql, accountId)
  }

  async expire(now: number): Promise<Job[]> {
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

  async forget(before: number): Promise<Job[]> {
    const gone = await this.#sql.all(
      `DELETE FROM jobs WHERE finished_at < ? AND status NOT IN ('Queued', 'Running') RETURNING *`,
      before,
    )
    return this.#toJobs(gone)
  }

  async recover(owner?: string): Promise<Recovered> {
    return this.#sql.transaction(async tx => {
      await tx.lock(QUEUE_LOCK)
      // Jobs without a lease are from versions that knew none. One that is just being ended or renewed is not lost.
      const lost = await tx.all(
        `SELECT id, attempts FROM jobs
         WHERE status = 'Running' AND (lease_expires_at IS NULL OR lease_expires_at <= ? OR lease_owner = ?)
         ORDER BY seq ${this.#sql.dialect.skipLocked}`,
        this.#sql.now(),
        owner ?? null,
      )
      const recovered: Recovered = { requeued: [], interrupted: [] }
      for (const { id, attempts } of lost) {
        if (Number(attempts) < MAX_ATTEMPTS) {
          const row = await tx.get(
            `UPDATE jobs SET status = 'Queued', started_at = NULL WHERE id = ? RETURNING *`,
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
          await this.#refund(tx, row!, 'Failed')
          recovered.interrupted.push(toJob(row!, this.#sealer))
        }
      }
      return recovered
    })
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

  /** Gives a job's credits back, in the transaction that ends it. */
  async #refund(tx: Transaction, row: Row, why: 'Failed' | 'Canceled'): Promise<void> {
    const amount = Number(row.credit_cost)
    if (amount === 0) return
    await writeEntry(tx, this.#sql.now(), {
      accountId: String(row.account_id),
      kind: 'refund',
      amount,
      reason: `${why}: ${row.input_name}`,
      jobId: String(row.id),
      category: String(row.category),
      keyId: textOrNull(row.key_id),
    })
  }

  #toJobs(rows: readonly Row[]): Job[] {
    return rows.map(row => toJob(row, this.#sealer))
  }
}

/** An account's open jobs. */
async function countsOf(sql: Statements, accountId: string) {
  const row = await sql.get(
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

/** Those job types of which as many run, over all hosts, as may. */
async function fullTypes(tx: Transaction, concurrent: ReadonlyMap<string, number>): Promise<string[]> {
  const rows = await tx.all(`SELECT job, COUNT(*) AS number FROM jobs WHERE status = 'Running' GROUP BY job`)
  return rows
    .filter(({ job, number }) => Number(number) >= (concurrent.get(String(job)) ?? Number.POSITIVE_INFINITY))
    .map(({ job }) => String(job))
}
