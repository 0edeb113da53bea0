import { ConnectionError, FileError, RefileError, refusalOf } from './errors.ts'

/** How often, and how patiently, a request is repeated. */
export interface RetryPolicy {
  /** Attempts after the first one. */
  retries: number
  /** Attempts after nobody answered, if other than `retries`. */
  reconnects?: number
  /** Longest pause between two attempts, in milliseconds; also of a `Retry-After`. */
  maxDelayMs: number
}

export const defaultRetries: RetryPolicy = { retries: 5, maxDelayMs: 60_000 }

/** Statuses with which nothing has happened yet, so that the same request may be sent again. */
const busy = new Set([429, 502, 503, 504])
const FIRST_DELAY_MS = 250

/**
 * Sends a request until it is answered otherwise than "busy". A `Retry-After` is obeyed; without one, pauses double from a quarter
 * of a second, with jitter.
 * @param send one attempt
 * @param repeatsLost whether the request may be sent again if the connection breaks, when nobody knows if it arrived
 * @throws RefileError for an answer that is not a success
 * @throws ConnectionError if the service cannot be reached
 */
export async function withRetries(
  send: () => Promise<Response>,
  { retries, reconnects = retries, maxDelayMs }: RetryPolicy,
  signal: AbortSignal | undefined,
  repeatsLost: () => boolean | Promise<boolean> = () => true,
): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const failure = await attemptOnce(send, signal)
    if (failure instanceof Response) return failure
    const isRefusal = failure instanceof RefileError
    if (attempt >= (isRefusal ? retries : reconnects)) throw failure
    if (!(isRefusal ? busy.has(failure.status) : await repeatsLost())) throw failure
    const named = isRefusal ? failure.retryAfter : null
    const delay = named === null ? FIRST_DELAY_MS * 2 ** attempt * (0.5 + Math.random()) : named * 1000
    await pause(Math.min(delay, maxDelayMs), signal)
  }
}

async function attemptOnce(
  send: () => Promise<Response>,
  signal: AbortSignal | undefined,
): Promise<Response | RefileError | ConnectionError> {
  try {
    const answer = await send()
    return answer.ok ? answer : await refusalOf(answer)
  } catch (cause) {
    signal?.throwIfAborted()
    const { cause: reason } = cause as { cause?: unknown }
    if (reason instanceof FileError) throw reason
    return new ConnectionError('The service could not be reached, or the connection broke.', { cause })
  }
}

/** Waits, and throws the signal's reason if it aborts meanwhile. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}
