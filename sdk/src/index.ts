export type { components, paths } from './api.ts'
export {
  type ClientSettings,
  type Conversions,
  type Entitlements,
  type Estimate,
  type FollowSettings,
  type Input,
  type Job,
  type JobAccepted,
  Refile,
  type Result,
  type SubmitSettings,
} from './client.ts'
export type { ErrorCode } from './codes.ts'
export { ConnectionError, JobError, RefileError } from './errors.ts'
export type { RetryPolicy } from './retry.ts'
export { verifyWebhook, WebhookError, type WebhookEvent } from './webhooks.ts'
