import { guid } from '../interfaces/ids.ts'
import {
  type JobStore,
  type NewJob,
  type QueueLimits,
  SUBMISSION_KEY_MS,
  type Submission,
  type SubmitSettings,
} from '../interfaces/jobs.ts'
import type { Encrypter } from '../sealer.ts'
import { toJob } from './job-rows.ts'
import { thisMonth } from './ledger.ts'
import { asJson, fragment, type Sql } from './sql.ts'
import { STILL_ANSWERS, submissionSql } from './submission-sql.ts'

/** Reasons for a refusal that change before they are read are looked for again this often. */
const MAX_LOOKS = 10

/** Queues jobs: places, budget and money are checked and taken by the database in one go. A part of the store of jobs. */
export function submissions(
  sql: Sql,
  limits: QueueLimits,
  encrypter: Encrypter,
): Pick<JobStore, 'submit' | 'submittedBefore'> {
  const { facts: factsOf, statementsOf } = submissionSql(sql.dialect)

  /** What was submitted under this key before; undefined if nothing was, or its day is over. */
  const submittedBefore: JobStore['submittedBefore'] = async (accountId, { key, digest }) => {
    const row = await sql.get`
      SELECT * FROM submission_keys WHERE account_id = ${accountId} AND submission_key = ${key} AND created_at > ${sql.now() - SUBMISSION_KEY_MS} AND ${fragment(STILL_ANSWERS)}`
    if (!row) return undefined
    return encrypter.decrypt(String(row.digest)).digest === digest
      ? { kind: 'repeated', job: { id: String(row.job_id), creditCost: Number(row.credit_cost) } }
      : { kind: 'key_reused' }
  }

  /** Why the job cannot be queued; undefined if it can by now. */
  const refusal = async (job: NewJob, values: object): Promise<Submission | undefined> => {
    const facts = await sql.get(factsOf, asJson(values))
    switch (facts?.refusal) {
      case 'submitted_before':
        return job.submissionKey && (await submittedBefore(job.accountId, job.submissionKey))
      case 'queue_full':
      case 'item_taken':
        return { kind: facts.refusal }
      case 'over_budget':
        return { kind: 'over_budget', budget: Number(facts.budget), spent: Number(facts.spent) }
      case 'insufficient_credits':
        return { kind: 'insufficient_credits', available: Number(facts.available ?? 0) }
      default:
        return undefined
    }
  }

  /** What the statements read, by the names that they use. */
  const valuesOf = (job: NewJob, { itemId, topUpCredits = 0 }: SubmitSettings) => {
    const { webhook, submissionKey, inputSource = { kind: 'blob' }, furtherSteps: steps = [], ...rest } = job
    const now = sql.now()
    return {
      ...rest,
      options: encrypter.encrypt(job.options),
      furtherSteps: steps.length > 0 ? encrypter.encrypt({ steps }) : '{}',
      inputSource: JSON.stringify(inputSource),
      measure: JSON.stringify(job.measure),
      itemId,
      topUpCredits,
      ...limits,
      now,
      month: thisMonth(now),
      eventId: guid(),
      webhookTarget: webhook && encrypter.encrypt({ url: webhook.url, secret: webhook.secret }),
      webhookEvents: webhook?.events.join(' '),
      submissionKey: submissionKey?.key,
      // Sealed: what was submitted may have a short password in it, which could be found by trying.
      submissionDigest: submissionKey && encrypter.encrypt({ digest: submissionKey.digest }),
      keysFrom: now - SUBMISSION_KEY_MS,
    }
  }

  return {
    submittedBefore,

    async submit(job, settings = {}) {
      for (let look = 0; look < MAX_LOOKS; look++) {
        const values = valuesOf(job, settings)
        // Only one submission of an account at a time checks what is free and takes it.
        const row = await sql.inOneGo(`account ${job.accountId}`, statementsOf(job, settings), values)
        if (row) return { kind: 'queued', job: toJob(row, encrypter) }
        const refused = await refusal(job, values)
        if (refused) return refused
      }
      throw new Error('A submission is refused for reasons that never last.')
    },
  }
}
