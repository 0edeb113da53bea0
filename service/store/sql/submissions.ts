import { guid } from '../interfaces/ids.ts'
import {
  type NewJob,
  type QueueLimits,
  type Repeated,
  SUBMISSION_KEY_MS,
  type Submission,
  type SubmissionKey,
  type SubmitSettings,
} from '../interfaces/jobs.ts'
import type { WebhookTarget } from '../interfaces/webhook-target.ts'
import type { Sealer } from '../sealer.ts'
import { countsOf, toJob } from './job-rows.ts'
import { thisMonth, writeEntry } from './ledger.ts'
import { numberOrNull, type Row, type Sql, type Statements, type Transaction } from './sql.ts'

const ofAccount = (id: string): string => `account ${id}`

/** Queues jobs: places, budget and money are checked and taken in one transaction. */
export class Submissions {
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
      // Only one submission of an account at a time checks what is free and takes it.
      await tx.lock(ofAccount(job.accountId))
      const before = job.submissionKey && (await this.submittedBefore(tx, job.accountId, job.submissionKey))
      if (before) return before
      const { queued, running, fromBatches } = await countsOf(tx, job.accountId)
      const own = await tx.get('SELECT open_limit FROM accounts WHERE id = ?', job.accountId)
      const full = queued + running >= (numberOrNull(own?.open_limit) ?? this.#limits.openPerAccount)
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
      if (job.submissionKey) await this.#remember(tx, job, job.submissionKey)
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

  /** What was submitted under this key before; undefined if nothing was, or its day is over. */
  async submittedBefore(
    statements: Statements,
    accountId: string,
    { key, digest }: SubmissionKey,
  ): Promise<Repeated | undefined> {
    const row = await statements.get(
      'SELECT * FROM submission_keys WHERE account_id = ? AND submission_key = ? AND created_at > ?',
      accountId,
      key,
      this.#sql.now() - SUBMISSION_KEY_MS,
    )
    if (!row) return undefined
    return this.#sealer.open(String(row.digest)).digest === digest
      ? { kind: 'repeated', job: { id: String(row.job_id), creditCost: Number(row.credit_cost) } }
      : { kind: 'key_reused' }
  }

  /** The digest is sealed: what was submitted may have a short password in it, which could be found by trying. */
  async #remember(tx: Transaction, job: NewJob, { key, digest }: SubmissionKey): Promise<void> {
    await tx.run(
      `INSERT INTO submission_keys (account_id, submission_key, digest, job_id, credit_cost, created_at)
       VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (account_id, submission_key) DO UPDATE SET digest = excluded.digest, job_id = excluded.job_id,
         credit_cost = excluded.credit_cost, created_at = excluded.created_at`,
      job.accountId,
      key,
      this.#sealer.seal({ digest }),
      job.id,
      job.creditCost,
      this.#sql.now(),
    )
  }

  /** Why the job exceeds the budget of its key; undefined if it does not, or there is no budget. */
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

  /** Why the account cannot pay for the job; undefined if it can, possibly after a grant. */
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
}
