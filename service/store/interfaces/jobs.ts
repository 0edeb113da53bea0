import type { Measure, Options } from '../../convert/catalogue/task.ts'
import type { JobFailureCode } from '../../shared/errors.ts'
import type { Message } from '../../shared/messages/message.ts'
import type { FileSource } from './files.ts'
import type { WebhookTarget } from './webhook-target.ts'

/** Exact status words of the contract. */
export type JobStatus = 'Queued' | 'Running' | 'Succeeded' | 'Failed' | 'Canceled'

export interface JobOutput {
  fileName: string
  contentType: string
  fileCount: number
}

/** Why a job failed: a code for programs, a message for people. */
export interface JobError {
  code: JobFailureCode
  reason: Message
}

/** A job as it is stored. Times are milliseconds since 1970. */
export interface Job {
  id: string
  /** Order of submission over all accounts. */
  seq: number
  accountId: string
  origin: 'app' | 'api'
  /** The API key it was submitted with; null for the app's own. */
  keyId: string | null
  /** The first attempt of the same conversion: its own id unless it repeats another job. */
  firstId: string
  /** Job type such as `image.jpg-to-webp`. */
  job: string
  category: string
  /** The key that named the target in the request. */
  targetKey: string
  status: JobStatus
  options: Options
  /** What becomes of the result of this conversion before the job ends, in order. */
  furtherSteps: JobStep[]
  inputName: string
  /** Format of the content; for a group converter, one of its members. */
  inputFormat: string
  inputBytes: number
  /** Where the content of the input is stored. */
  inputSource: FileSource
  measure: Measure
  /** The staged file it was made from, for a retry. */
  fileId: string | null
  creditCost: number
  /** Times it was claimed. */
  attempts: number
  warnings: Message[]
  error: JobError | null
  /** The result; kept for history after the file itself has expired. */
  output: JobOutput | null
  outputBytes: number
  /** Key of the output in the blob store; null if there is none or it has expired. */
  outputKey: string | null
  /** The batch it belongs to. */
  batchId: string | null
  /** Path on this machine that the output was saved to, for a batch with a destination. */
  savedTo: string | null
  createdAt: number
  startedAt: number | null
  finishedAt: number | null
  expiresAt: number | null
}

/** A conversion of what the one before it made. */
export type JobStep = Pick<Job, 'job' | 'targetKey' | 'options'>

/** The data of a job at submission. */
export type NewJob = Pick<
  Job,
  | 'id'
  | 'accountId'
  | 'origin'
  | 'job'
  | 'category'
  | 'targetKey'
  | 'options'
  | 'inputName'
  | 'inputFormat'
  | 'inputBytes'
  | 'measure'
  | 'fileId'
  | 'creditCost'
> & {
  furtherSteps?: JobStep[]
  /** By default a blob under the job's own input key. */
  inputSource?: FileSource
  /** The API key it is submitted with. */
  keyId?: string | null
  /** The job that it repeats, as a further attempt of the same first job. */
  retryOf?: string
  /** Who is notified when it ends. */
  webhook?: WebhookTarget | undefined
  /** Under which the same submission, sent again, is not a second job. */
  submissionKey?: SubmissionKey | undefined
}

/** A caller's own key of a submission, and a digest of all that was submitted under it. */
export interface SubmissionKey {
  key: string
  digest: string
}

/** How long a submission's key is remembered. */
export const SUBMISSION_KEY_MS = 24 * 3600_000

/** What was submitted under a key before: the same, as this job, or something else. */
export type Repeated = { kind: 'repeated'; job: Pick<Job, 'id' | 'creditCost'> } | { kind: 'key_reused' }

/** One claim of a job. A job that is claimed again gets a higher number, and writes of the older claim are refused. */
export type Attempt = Pick<Job, 'id' | 'attempts'>

/** Which jobs of an account are listed. */
export interface JobFilter {
  status?: JobStatus | undefined
  /** The API key that submitted them. */
  keyId?: string | undefined
  /** Submitted from then on, in milliseconds since 1970. */
  since?: number | undefined
}

/** How many jobs an account may have at once. */
export interface QueueLimits {
  /** Queued plus running jobs. */
  openPerAccount: number
  /** How many of them may come from batches, so that a large batch leaves room for other submissions. */
  openFromBatches: number
  /** Running jobs. */
  runningPerAccount: number
}

export type Submission =
  | { kind: 'queued'; job: Job }
  | { kind: 'insufficient_credits'; available: number }
  /** The job exceeds the API key's budget for this month. */
  | { kind: 'over_budget'; budget: number; spent: number }
  | { kind: 'queue_full' }
  /**
   * The batch's item is no longer waiting, since another submission took it or it was canceled; or its batch is paused.
   */
  | { kind: 'item_taken' }
  | Repeated

/** What else happens in the transaction that queues a job. */
export interface SubmitSettings {
  /** The batch item to link to the job. */
  itemId?: string
  /** Size of a grant in credits; as many are made as necessary if the balance does not cover the job; 0 for none. */
  topUpCredits?: number
}

export interface Claim {
  /** Id of the host that will run the job. */
  owner: string
  /** How long the lease lasts without renewal. */
  leaseMs: number
  /** Job types of which this host can run no more. */
  saturated: readonly string[]
  /** Only for accounts without running jobs. */
  fromIdleAccounts?: boolean
}

/** The queued jobs of an account with the same source and target. */
export interface WaitingJobs {
  accountId: string
  from: string
  to: string
  jobs: number
  seconds: number
}

/** How a job succeeded. */
export interface Success extends JobOutput {
  bytes: number
  /** Key of the output in the blob store. */
  key: string
  expiresAt: number
  warnings: Message[]
}

export interface Recovered {
  /** Queued once more. */
  requeued: Job[]
  /** Given up: failed with `jobs.interrupted` and refunded. */
  interrupted: Job[]
}

/**
 * The jobs and their state changes. Every method is one transaction: state, money, queue place and a batch's item
 * change together or not at all. Several hosts may share a store: a running job belongs to the host that holds its
 * lease, which is measured by the store's own clock.
 */
export interface JobStore {
  /** Milliseconds since 1970 by the store's own clock, which all its hosts share: it decides when something of it is over. */
  now(): number
  /**
   * Charges the account and queues the job; its staged file then counts as submitted. The key's budget is checked before
   * the balance.
   */
  submit(job: NewJob, settings?: SubmitSettings): Promise<Submission>
  /** What the account submitted under this key within the last day; undefined if nothing. */
  submittedBefore(accountId: string, key: SubmissionKey): Promise<Repeated | undefined>
  /**
   * Takes the next queued job under a lease and marks it as running: from the account served longest ago, its oldest
   * job.
   */
  claim(claim: Claim): Promise<Job | undefined>
  /**
   * Extends the leases of running jobs, including expired ones that nobody else has taken.
   * @returns ids of jobs that no longer belong to the owner: canceled, recovered or claimed by another
   */
  renew(owner: string, attempts: readonly Attempt[], leaseMs: number): Promise<string[]>
  /** Running → Succeeded. False if this attempt is no longer the running one. */
  succeed(attempt: Attempt, success: Success): Promise<boolean>
  /** Running → Failed, with a full refund. False if this attempt is no longer the running one. */
  fail(attempt: Attempt, error: JobError, warnings: Message[]): Promise<boolean>
  /** Queued or Running → Canceled, with a full refund. False if the job is terminal. */
  cancel(id: string): Promise<boolean>
  /** Gives the result of a job another name, and the path that it was saved to, if it was. */
  rename(id: string, fileName: string, savedTo: string | null): Promise<void>
  /** Removes a terminal job. False if it is queued or running. */
  remove(id: string): Promise<boolean>
  get(id: string): Promise<Job | undefined>
  /** Those of the jobs that exist, in no particular order. */
  getMany(ids: readonly string[]): Promise<Job[]>
  /** An account's jobs submitted before `before` (a `seq`), newest first. */
  list(accountId: string, before: number | null, limit: number, filter?: JobFilter): Promise<Job[]>
  /** All accounts' open jobs. */
  open(): Promise<{ queued: number; running: number }>
  /** How many jobs wait, and for how long the oldest has, by account and pair. */
  waiting(): Promise<WaitingJobs[]>
  /** An account's open jobs. */
  counts(accountId: string): Promise<{ queued: number; running: number; fromBatches: number }>
  /**
   * Clears expired outputs of jobs, and returns those jobs. Outputs that a batch has yet to save are kept. Keys of submissions are
   * forgotten after their day.
   */
  expire(now: number): Promise<Job[]>
  /** Deletes terminal jobs that finished before a time, and returns their last state. */
  purge(before: number): Promise<Job[]>
  /**
   * Requeues running jobs with an expired lease, which counts as an interruption; a job that was interrupted too often fails with
   * `jobs.interrupted`.
   * @param owner a host that has just started: the jobs it was running before are recovered as well
   */
  recover(owner?: string): Promise<Recovered>
  /** Requeues the running jobs of a host that stops. That is no interruption: a job may be given back any number of times. */
  requeue(owner: string): Promise<Job[]>
  /** Keys of the blobs that these jobs still need: all of an open job's, and the output while it is kept. */
  blobsNeeded(ids: readonly string[]): Promise<Map<string, string>>
}
