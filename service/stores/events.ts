import type { Phase } from '../catalogue/task.ts'
import type { Message } from '../messages/message.ts'

/** How far a running job is. */
export interface LiveProgress {
  /** 0 to 99. */
  percent: number
  phase: Phase
  /** Seconds until the end; null while too little is done to tell. */
  eta: number | null
  warnings: Message[]
}

/** What can be heard of. An event names what changed; its present state is in the store. */
export type ServiceEvent = { accountId: string } & (
  | { type: 'job'; jobId: string }
  | { type: 'job-removed'; jobId: string }
  /** Progress is not stored: the event carries it, and null once the job does not run any more. */
  | { type: 'progress'; jobId: string; progress: LiveProgress | null }
  | { type: 'balance' }
  | { type: 'batch'; batchId: string }
  | { type: 'batch-removed'; batchId: string }
)

/**
 * Tells every host and every open page of changes. Delivery is at best effort and in the order of each publisher: whoever
 * must not miss anything reads the stores.
 */
export interface Events {
  /** Never throws, and does not wait for listeners. */
  publish(event: ServiceEvent): void
  /** @returns ends the subscription */
  subscribe(listener: (event: ServiceEvent) => void): () => void
  /** The same, but hears only of what other hosts publish. */
  subscribeElsewhere(listener: (event: ServiceEvent) => void): () => void
}
