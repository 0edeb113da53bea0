/** Codes of failures that never reached the service, in addition to the service's own. */
export const unreachable = 'client.unreachable'
export const canceled = 'client.canceled'

/** A refused or failed request. `status` is 0 if there was no answer. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  /** What happened, why, and what to do, in the service's words. */
  readonly detail: string | null
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | null

  constructor(status: number, code: string, detail: string | null = null, retryAfter: number | null = null) {
    super(detail ?? code)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.detail = detail
    this.retryAfter = retryAfter
  }
}

/** Whether the service is gone or cannot answer now, so that the same request makes sense later. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 503 || (error.status === 0 && error.code === unreachable))

/** Seconds in a `Retry-After` header: a number of seconds or an HTTP date. */
export function retryAfterSeconds(header: string | null, now = Date.now()): number | null {
  if (!header) return null
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  const date = Date.parse(header)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000))
}

/** Parses the service's envelope `{ error, detail }`; anything else becomes a code with the status. */
export function errorFromBody(status: number, text: string, retryAfter: string | null): ApiError {
  const seconds = retryAfterSeconds(retryAfter)
  try {
    const body = JSON.parse(text) as { error?: unknown; detail?: unknown }
    if (typeof body.error === 'string') {
      return new ApiError(status, body.error, typeof body.detail === 'string' ? body.detail : null, seconds)
    }
  } catch {
    // Not the service's envelope: a proxy's page, or a truncated answer.
  }
  return new ApiError(status, `http.${status}`, null, seconds)
}
