/** Ends of a job that a webhook can ask for; a canceled job tells nobody. */
export const webhookEvents = ['succeeded', 'failed'] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** Whom to tell of the end of a job. */
export interface WebhookTarget {
  url: string
  secret: string
  events: readonly WebhookEvent[]
}
