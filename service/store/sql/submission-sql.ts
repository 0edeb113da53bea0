import type { NewJob, SubmitSettings } from '../interfaces/jobs.ts'
import type { Dialect } from './sql.ts'

/** A value of the submission, all of which every statement gets as JSON; null if it is not there. */
const text = (name: string) => `(?1 ->> '${name}')`
const number = (name: string) => `CAST(?1 ->> '${name}' AS BIGINT)`

/** The columns of a new job, in order. */
const columns = {
  id: text('id'),
  account_id: text('accountId'),
  origin: text('origin'),
  key_id: text('keyId'),
  first_id: `coalesce((SELECT first_id FROM jobs WHERE id = ${text('retryOf')} AND account_id = ${text('accountId')}), ${text('id')})`,
  job: text('job'),
  category: text('category'),
  target_key: text('targetKey'),
  status: `'Queued'`,
  options: text('options'),
  further_steps: text('furtherSteps'),
  input_name: text('inputName'),
  input_format: text('inputFormat'),
  input_bytes: number('inputBytes'),
  input_source: text('inputSource'),
  measure: text('measure'),
  file_id: text('fileId'),
  batch_id: 'facts.batch_id',
  credit_cost: number('creditCost'),
  created_at: number('now'),
}

/** Condition on a known key: its job did not fail by the service's own fault, after which the same request is a new job. */
export const STILL_ANSWERS = `NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = submission_keys.job_id
  AND jobs.error_code IN ('jobs.interrupted', 'jobs.storage_failed', 'jobs.disk_full'))`

/** What decides whether a job may be queued, and as `refusal` why not. */
const factsIn = ({ locked }: Dialect): string => `
  SELECT facts.*, CASE
    WHEN is_known THEN 'submitted_before'
    WHEN open_jobs >= most_open OR (${text('itemId')} IS NOT NULL AND from_batches >= ${number('openFromBatches')}) THEN 'queue_full'
    WHEN ${text('itemId')} IS NOT NULL AND batch_id IS NULL THEN 'item_taken'
    WHEN spent + ${number('creditCost')} > budget THEN 'over_budget'
    WHEN available IS NULL OR (available < ${number('creditCost')} AND ${number('topUpCredits')} <= 0) THEN 'insufficient_credits'
  END AS refusal
  FROM (SELECT
    EXISTS (SELECT 1 FROM submission_keys WHERE account_id = ${text('accountId')}
      AND submission_key = ${text('submissionKey')} AND created_at > ${number('keysFrom')} AND ${STILL_ANSWERS}) AS is_known,
    (SELECT COUNT(*) FROM jobs
     WHERE account_id = ${text('accountId')} AND status IN ('Queued', 'Running')) AS open_jobs,
    (SELECT COUNT(batch_id) FROM jobs
     WHERE account_id = ${text('accountId')} AND status IN ('Queued', 'Running')) AS from_batches,
    (SELECT coalesce(open_limit, ${number('openPerAccount')}) FROM accounts WHERE id = ${text('accountId')}) AS most_open,
    (SELECT items.batch_id FROM batch_items AS items JOIN batches ON batches.id = items.batch_id
     WHERE items.id = ${text('itemId')} AND items.state = 'waiting' AND batches.state = 'active' ${locked}) AS batch_id,
    (SELECT monthly_budget FROM api_keys WHERE id = ${text('keyId')}) AS budget,
    coalesce((SELECT spent FROM key_spending WHERE key_id = ${text('keyId')} AND month = ${text('month')}), 0) AS spent,
    (SELECT balance FROM accounts WHERE id = ${text('accountId')}) AS available
  ) AS facts`

const QUEUED_FROM_BATCH = `UPDATE batch_items SET state = 'submitted', job_id = ${text('id')} WHERE id = ${text('itemId')}`

const WEBHOOK = `INSERT INTO webhooks (event_id, job_id, account_id, target, events, state, updated_at)
  VALUES (${text('eventId')}, ${text('id')}, ${text('accountId')}, ${text('webhookTarget')}, ${text('webhookEvents')},
          'waiting', ${number('now')})`

const REMEMBERED = `INSERT INTO submission_keys (account_id, submission_key, digest, job_id, credit_cost, created_at)
  VALUES (${text('accountId')}, ${text('submissionKey')}, ${text('submissionDigest')}, ${text('id')}, ${number('creditCost')},
          ${number('now')})
  ON CONFLICT (account_id, submission_key) DO UPDATE SET digest = excluded.digest, job_id = excluded.job_id,
    credit_cost = excluded.credit_cost, created_at = excluded.created_at`

const FILE_USED = `UPDATE files SET submitted = 1 WHERE id = ${text('fileId')}`

/** As many times the amount of a top-up as the job lacks. */
const TOP_UP = `INSERT INTO ledger (account_id, kind, amount, reason, created_at)
  SELECT id, 'grant',
    (${number('creditCost')} - balance + ${number('topUpCredits')} - 1) / ${number('topUpCredits')} * ${number('topUpCredits')},
    'Automatic top-up', ${number('now')}
  FROM accounts WHERE id = ${text('accountId')} AND balance < ${number('creditCost')}`

const CHARGE = `INSERT INTO ledger (account_id, kind, amount, reason, job_id, category, key_id, created_at)
  VALUES (${text('accountId')}, 'charge', -${number('creditCost')}, ${text('inputName')}, ${text('id')}, ${text('category')},
          ${text('keyId')}, ${number('now')})`

/** The statements that queue a job. */
export function submissionSql(dialect: Dialect) {
  const facts = factsIn(dialect)
  const insert = `INSERT INTO jobs (${Object.keys(columns).join(', ')})
    SELECT ${Object.values(columns).join(', ')} FROM (${facts}) AS facts WHERE refusal IS NULL RETURNING *`
  return {
    /** Returns one row, with `refusal` null if the job can be queued. */
    facts,
    /** What queues and charges a job; the first statement returns its row, or none if it is refused. */
    statementsOf(job: NewJob, { itemId, topUpCredits = 0 }: SubmitSettings): string[] {
      const wanted: [string, unknown][] = [
        [insert, true],
        [QUEUED_FROM_BATCH, itemId],
        [WEBHOOK, job.webhook],
        [REMEMBERED, job.submissionKey],
        [FILE_USED, job.fileId],
        [TOP_UP, topUpCredits > 0],
        [CHARGE, true],
      ]
      return wanted.filter(([, isWanted]) => isWanted).map(([statement]) => statement)
    },
  }
}
