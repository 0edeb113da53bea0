import type { Message } from '../../shared/messages/message.ts'
import type { Job } from './jobs.ts'

/**
 * How the job of a webhook ended. Stored with the webhook, so that it can be reported even after the job has been
 * deleted.
 */
export type EndedJob = Pick<
  Job,
  'inputBytes' | 'outputBytes' | 'creditCost' | 'output' | 'error' | 'warnings'
> & {
  status: 'Succeeded' | 'Failed'
  startedAt: number | null
  finishedAt: number
  expiresAt: number | null
}

/** A webhook whose job has ended. Times are milliseconds since 1970. */
export interface Delivery {
  /** Stays the same over all attempts. */
  eventId: string
  jobId: string
  accountId: string
  url: string
  secret: string
  job: EndedJob
  state: 'pending' | 'delivered' | 'failed'
  /** Number of attempts started. */
  attempts: number
  /** When the next attempt is due; null if there is none. */
  nextAttemptAt: number | null
  /** HTTP status of the last answer; null if there was none. */
  lastStatus: number | null
  /** Why the last attempt failed. */
  problem: Message | null
  /** When the state last changed. */
  updatedAt: number
}

/** The result of an attempt. */
export interface AttemptResult {
  state: Delivery['state']
  /** Milliseconds until the next attempt is due; null when there is none. */
  retryInMs: number | null
  status: number | null
  problem: Message | null
}

/**
 * Webhooks and their deliveries. A job's webhook is stored in the transaction that queues the job, and becomes due in the
 * transaction that ends it, so that neither a crash nor a restart loses one.
 */
export interface WebhookStore {
  /**
   * Takes deliveries that are due, the most overdue first, and counts an attempt for each. One whose result is not
   * recorded within the lease becomes due again.
   */
  claim(limit: number, leaseMs: number): Promise<Delivery[]>
  /**
   * Milliseconds until the next delivery is due, by the store's clock, since a host's own may be wrong. 0 if one is due;
   * undefined if there is none.
   */
  dueIn(): Promise<number | undefined>
  /** Records the result of an attempt. Results of an attempt that has lost its lease are ignored. */
  settle(delivery: Pick<Delivery, 'eventId' | 'attempts'>, result: AttemptResult): Promise<void>
  /** An account's deliveries, those that changed last first. */
  list(accountId: string, limit: number): Promise<Delivery[]>
  /**
   * Makes a finished delivery due again, starting from the first attempt. False if it does not exist or is still in
   * progress.
   */
  replay(eventId: string, accountId: string): Promise<boolean>
  /** Deletes deliveries that finished before a time. */
  purge(before: number): Promise<void>
}
