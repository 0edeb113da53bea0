export interface WebhookDelivery {
  /** The event id that receivers get. */
  id: string
  jobId: string
  /** Receiver, without the query of its URL, which may contain a secret. */
  receiver: string
  event: 'succeeded' | 'failed'
  state: 'pending' | 'delivered' | 'failed'
  attempts: number
  nextAttemptAt: string | null
  /** HTTP status of the last answer. */
  status: number | null
  /** Why the last attempt failed, as text. */
  problem: string | null
  updatedAt: string
}
