export type { components, paths } from './api.ts'
export { Refile } from './client.ts'
export type { ErrorCode } from './codes.ts'
export { ConnectionError, FileError, JobError, RefileError } from './errors.ts'
export { type FileSource, type FileStamp, fileFrom } from './file.ts'
export type { RetryPolicy } from './retry.ts'
export type {
  ClientSettings,
  Conversions,
  ConvertAllSettings,
  Converted,
  Entitlements,
  Estimate,
  FollowSettings,
  Input,
  Inspection,
  Job,
  JobAccepted,
  Preset,
  Result,
  Step,
  SubmitSettings,
  Target,
} from './types.ts'
export {
  type JobFailed,
  type JobSucceeded,
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
} from './webhooks.ts'
