import type { Job, JobOutput, NewJob } from './job.ts'

/** How many jobs may be open at once. */
export interface QueueLimits {
  /** Queued plus running jobs of one account. */
  openPerAccount: number
  /** Running jobs of one account. */
  runningPerAccount: number
}

export type Submission =
  | { kind: 'queued'; job: Job }
  | { kind: 'insufficient_credits'; available: number }
  | { kind: 'queue_full' }

/**
 * Where jobs live and what may happen to them. Every method is one transaction: state, money and queue place
 * move together or not at all. The embedded implementation is SQLite; a shared database is a second one.
 */
export interface JobStore {
  /** Charges the account and queues the job. */
  submit(job: NewJob): Promise<Submission>
  /**
   * Takes the next queued job and marks it running: the account served longest ago first, oldest job first.
   * @param saturated job types that run as often as they may already
   */
  claim(saturated: readonly string[]): Promise<Job | undefined>
  /** Running → Succeeded. False when the job is not running any more. */
  succeed(
    id: string,
    output: JobOutput & { bytes: number; expiresAt: number; warnings: string[] },
  ): Promise<boolean>
  /** Running → Failed, with a full refund. False when the job is not running any more. */
  fail(id: string, error: NonNullable<Job['error']>, warnings: string[]): Promise<boolean>
  /** Queued or Running → Canceled, with a full refund. False when the job is terminal. */
  cancel(id: string): Promise<boolean>
  /** Removes a terminal job. False when it is queued or running. */
  remove(id: string): Promise<boolean>
  get(id: string): Promise<Job | undefined>
  /** An account's jobs submitted before `before` (a `seq`), newest first. */
  list(accountId: string, before: number | null, limit: number): Promise<Job[]>
  /** Jobs whose output's time is over; they are marked as having none. */
  expire(now: number): Promise<string[]>
  /** Forgets terminal jobs that finished before a time. */
  forget(before: number): Promise<string[]>
  /**
   * After a stop: puts every running job back in the queue once; one that was started twice fails with
   * `jobs.interrupted`.
   */
  recover(): Promise<{ requeued: string[]; interrupted: string[] }>
  /** Of these ids, which still need their files: all of them while the job is open, the output while it is kept. */
  filesNeeded(ids: readonly string[]): Promise<Map<string, 'all' | 'output'>>
}
