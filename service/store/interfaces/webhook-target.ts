/** Ends of a job that a webhook can subscribe to; a canceled job notifies nobody. */
export const webhookEvents = ['succeeded', 'failed'] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** Who is notified of the end of a job. */
export interface WebhookTarget {
  url: string
  secret: string
  events: readonly WebhookEvent[]
}
