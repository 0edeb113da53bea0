import { ApiError, unreachable } from '../../api/errors.ts'
import { text } from '../../messages/text.ts'

/** The message for a failure: the service's own text if it has one. */
export function problemText(error: unknown): string {
  // Failures of the desktop shell have a sentence for people as their message.
  if (!(error instanceof ApiError)) return (error instanceof Error && error.message) || text('errors.generic')
  if (error.detail) return error.detail
  if (error.code === unreachable) return text('errors.unreachable')
  if (error.status === 429) return text('errors.tooMany')
  return text('errors.generic')
}
