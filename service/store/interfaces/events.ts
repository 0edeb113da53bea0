import type { Phase } from '../../convert/catalogue/task.ts'
import type { Message } from '../../shared/messages/message.ts'
import type { Job } from './jobs.ts'

/** Progress of a running job. */
export interface LiveProgress {
  /** 0 to 99. */
  percent: number
  phase: Phase
  /** Seconds until the end; null while it is too early to estimate. */
  eta: number | null
  warnings: Message[]
}

/** A job changed. */
export interface JobEvent {
  type: 'job'
  jobId: string
  /** What became of it. */
  now: 'queued' | 'running' | 'ended'
  /** How often it had been started by then. */
  attempts: number
  /** The batch it belongs to; null if it belongs to none. */
  batchId: string | null
}

/** The event of a job's change. */
export const jobEvent = (
  { id, accountId, batchId, attempts }: Pick<Job, 'id' | 'accountId' | 'batchId' | 'attempts'>,
  now: JobEvent['now'],
): ServiceEvent => ({ type: 'job', accountId, jobId: id, batchId, attempts, now })

/** The published events. An event names what changed; the current state is in the store. */
export type ServiceEvent = {
  accountId: string
} & (
  | JobEvent
  | { type: 'job-removed'; jobId: string }
  /** Progress is not stored: the event contains it, or null once the job no longer runs. */
  | { type: 'progress'; jobId: string; progress: LiveProgress | null }
  | { type: 'balance' }
  | { type: 'batch'; batchId: string }
  | { type: 'batch-removed'; batchId: string }
  /** An item changed without its job. */
  | { type: 'item'; itemId: string }
  /** A window of the page changed what waits to be converted. */
  | { type: 'waiting'; window: string }
)

/**
 * Publishes changes to all hosts and open pages. Delivery is best effort and in each publisher's order: subscribers that
 * must not miss anything read the stores.
 */
export interface Events {
  /** How many hosts there are, as far as is known. */
  readonly hosts: number
  /** Never throws, and does not wait for listeners. */
  publish(event: ServiceEvent): void
  /** @returns a function that unsubscribes */
  subscribe(listener: (event: ServiceEvent) => void): () => void
  /** The same, but only for events published by other hosts. */
  subscribeElsewhere(listener: (event: ServiceEvent) => void): () => void
}
