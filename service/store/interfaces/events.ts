import type { Phase } from '../../convert/catalogue/task.ts'
import type { Message } from '../../shared/messages/message.ts'

/** Progress of a running job. */
export interface LiveProgress {
  /** 0 to 99. */
  percent: number
  phase: Phase
  /** Seconds until the end; null while it is too early to estimate. */
  eta: number | null
  warnings: Message[]
}

/** The published events. An event names what changed; the current state is in the store. */
export type ServiceEvent = {
  accountId: string
} /** `now` says what became of it, for hosts that look for work; without it, it may wait. */ & (
  | { type: 'job'; jobId: string; now?: 'queued' | 'running' | 'ended' }
  | { type: 'job-removed'; jobId: string }
  /** Progress is not stored: the event contains it, or null once the job no longer runs. */
  | { type: 'progress'; jobId: string; progress: LiveProgress | null }
  | { type: 'balance' }
  | { type: 'batch'; batchId: string }
  | { type: 'batch-removed'; batchId: string }
  /** An item changed without its job. */
  | { type: 'item'; itemId: string }
)

/**
 * Publishes changes to all hosts and open pages. Delivery is best effort and in each publisher's order: subscribers that
 * must not miss anything read the stores.
 */
export interface Events {
  /** How many hosts there are, as far as is known; undefined if there can only be one. */
  readonly hosts?: number
  /** Never throws, and does not wait for listeners. */
  publish(event: ServiceEvent): void
  /** @returns a function that unsubscribes */
  subscribe(listener: (event: ServiceEvent) => void): () => void
  /** The same, but only for events published by other hosts. */
  subscribeElsewhere(listener: (event: ServiceEvent) => void): () => void
}
