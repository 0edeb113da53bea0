import type { Measure, Options } from '../catalogue/task.ts'
import type { JobFailureCode } from '../errors.ts'
import type { Message } from '../messages/message.ts'
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
  /** The first of the attempts this job is one of: its own id unless it repeats another job. */
  firstId: string
  /** Job type such as `image.jpg-to-webp`. */
  job: string
  category: string
  /** Key the request named the target with. */
  targetKey: string
  status: JobStatus
  options: Options
  inputName: string
  /** Format of the content, which for a group converter is a member. */
  inputFormat: string
  inputBytes: number
  /** Where the content of the input is. */
  inputSource: FileSource
  measure: Measure
  /** The staged file it was made from, for a retry. */
  fileId: string | null
  creditCost: number
  /** Times it was claimed. */
  attempts: number
  warnings: Message[]
  error: JobError | null
  /** What came out; kept for history after the file itself has expired. */
  output: JobOutput | null
  outputBytes: number
  /** Key of the output in the blob store; null when there is none or it has expired. */
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

/** What is known of a job when it is submitted. */
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
  /** By default a blob under the job's own input key. */
  inputSource?: FileSource
  /** The API key it is submitted with. */
  keyId?: string | null
  /** The job that it repeats, to become an attempt of the same first job. */
  retryOf?: string
  /** Who is told when it ends. */
  webhook?: WebhookTarget | undefined
}

/** One claim of a job. A job that was claimed again has a higher number, and what the older claim writes is refused. */
export type Attempt = Pick<Job, 'id' | 'attempts'>

/** How many jobs an account may have at once. */
export interface QueueLimits {
  /** Queued plus running jobs. */
  openPerAccount: number
  /** Those of them that batches may take, so that a large batch leaves room for other submissions. */
  openFromBatches: number
  /** Running jobs. */
  runningPerAccount: number
}

export type Submission =
  | { kind: 'queued'; job: Job }
  | { kind: 'insufficient_credits'; available: number }
  /** The budget of the API key for this month does not hold the job. */
  | { kind: 'over_budget'; budget: number; spent: number }
  | { kind: 'queue_full' }
  /** The batch's item waits no more, since another submission took it or it was canceled; or its batch is paused. */
  | { kind: 'item_taken' }

/** What else is done in the transaction that queues a job. */
export interface SubmitSettings {
  /** The item of a batch that the job is for: it is linked to the job. */
  itemId?: string
  /** Credits that are granted, as many times as it takes, when the balance does not cover the job; 0 grants nothing. */
  topUpCredits?: number
}

export interface Claim {
  /** Id of the host that will run the job. */
  owner: string
  /** How long the lease lasts without being renewed. */
  leaseMs: number
  /** Job types of which this host can take no more. */
  saturated: readonly string[]
  /** How many jobs of a type may run at once over all hosts, for types that have such a limit. */
  concurrent?: ReadonlyMap<string, number>
  /** Only of accounts of which nothing runs yet. */
  fromIdleAccounts?: boolean
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
 * Where jobs live and what may happen to them. Every method is one transaction: state, money, queue place and a batch's
 * item move together or not at all. Several hosts may share a store: a running job belongs to the host that holds its
 * lease, which is measured by the store's own clock.
 */
export interface JobStore {
  /**
   * Charges the account and queues the job; its staged file counts as submitted from then on. The budget of the job's key
   * holds before the balance is looked at.
   */
  submit(job: NewJob, settings?: SubmitSettings): Promise<Submission>
  /**
   * Takes the next queued job under a lease and marks it running: the account served longest ago first, oldest job
   * first.
   */
  claim(claim: Claim): Promise<Job | undefined>
  /**
   * Prolongs the leases of running jobs, also of such whose lease is over and that nobody else has taken.
   * @returns ids of those that do not belong to the owner any more: canceled, recovered or claimed by another
   */
  renew(owner: string, attempts: readonly Attempt[], leaseMs: number): Promise<string[]>
  /** Running → Succeeded. False when this attempt is not the one that runs any more. */
  succeed(attempt: Attempt, success: Success): Promise<boolean>
  /** Running → Failed, with a full refund. False when this attempt is not the one that runs any more. */
  fail(attempt: Attempt, error: JobError, warnings: Message[]): Promise<boolean>
  /** Queued or Running → Canceled, with a full refund. False when the job is terminal. */
  cancel(id: string): Promise<boolean>
  /** Removes a terminal job. False when it is queued or running. */
  remove(id: string): Promise<boolean>
  get(id: string): Promise<Job | undefined>
  /** Those of the jobs that exist, in no order. */
  getMany(ids: readonly string[]): Promise<Job[]>
  /** An account's jobs submitted before `before` (a `seq`), newest first. */
  list(accountId: string, before: number | null, limit: number): Promise<Job[]>
  /** An account's open jobs. */
  counts(accountId: string): Promise<{ queued: number; running: number; fromBatches: number }>
  /**
   * Marks jobs whose output's time is over as having none, and returns them. Outputs that a batch has yet to save stay.
   */
  expire(now: number): Promise<Job[]>
  /** Forgets terminal jobs that finished before a time, and returns them as they were. */
  forget(before: number): Promise<Job[]>
  /**
   * Puts running jobs whose lease is over back in the queue once; one that was started twice fails with
   * `jobs.interrupted`.
   * @param owner a host that has just started: what it ran before is recovered as well
   */
  recover(owner?: string): Promise<Recovered>
  /** Keys of the blobs that jobs of these ids still need: all of a job while it is open, its output while that is kept. */
  blobsNeeded(ids: readonly string[]): Promise<Map<string, string>>
}
