import { ApiError, unreachable } from '../api/errors.ts'
import { text } from '../messages/text.ts'

/** What to tell a person of a failure: the service's own words where it has some. */
export function problemText(error: unknown): string {
  // The desktop shell's failures carry a sentence for people as their message.
  if (!(error instanceof ApiError)) return (error instanceof Error && error.message) || text('errors.generic')
  if (error.detail) return error.detail
  if (error.code === unreachable) return text('errors.unreachable')
  if (error.status === 429) return text('errors.tooMany')
  return text('errors.generic')
}
