export interface WebhookDelivery {
  /** The event id that receivers see. */
  id: string
  jobId: string
  /** Receiver, without the query of its address, which may hold a secret. */
  receiver: string
  event: 'succeeded' | 'failed'
  state: 'pending' | 'delivered' | 'failed'
  attempts: number
  nextAttemptAt: string | null
  /** HTTP status of the last answer. */
  status: number | null
  /** Why the last attempt failed, in words. */
  problem: string | null
  updatedAt: string
}
