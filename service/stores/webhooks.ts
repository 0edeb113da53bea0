import type { Message } from '../messages/message.ts'
import type { Job } from './jobs.ts'

/** How the job of a webhook ended. Kept with the webhook, so that it can be told when the job itself has been deleted. */
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
  /** Attempts that were begun. */
  attempts: number
  /** When the next attempt is due; null when there is none. */
  nextAttemptAt: number | null
  /** HTTP status of the last answer; null when there was none. */
  lastStatus: number | null
  /** Why the last attempt failed. */
  problem: Message | null
  /** When the state last changed. */
  updatedAt: number
}

/** What became of an attempt. */
export interface AttemptResult {
  state: Delivery['state']
  nextAttemptAt: number | null
  status: number | null
  problem: Message | null
}

/**
 * Webhooks and their deliveries. A job's webhook is stored with the job, in the transaction that queues it, and becomes due in
 * the transaction that ends the job, so that neither a crash nor a restart loses one.
 */
export interface WebhookStore {
  /**
   * Takes deliveries that are due, the longest due first, and counts an attempt for each. One whose attempt is not settled
   * within the lease is due again.
   */
  claim(limit: number, leaseMs: number): Promise<Delivery[]>
  /** When the next delivery is due; undefined when none is. */
  nextDue(): Promise<number | undefined>
  /** Notes how an attempt ended. What an attempt that has lost its lease says is not taken. */
  settle(delivery: Pick<Delivery, 'eventId' | 'attempts'>, result: AttemptResult): Promise<void>
  /** An account's deliveries, those that changed last first. */
  list(accountId: string, limit: number): Promise<Delivery[]>
  /** Makes a delivery that is over due once more, from the first attempt. False when it is not there or still under way. */
  replay(eventId: string, accountId: string): Promise<boolean>
  /** Forgets deliveries that were over before a time. */
  forget(before: number): Promise<void>
}
