import type { components } from './api.ts'

/** The error codes that are known today, and where no service answered; a later service may have more. */
export type ErrorCode = components['schemas']['ErrorCode'] | 'connection' | (string & {})

/** The body of every refusal. */
interface Refusal {
  error: string
  detail: string | null
  isRetryable?: boolean | null
  [context: string]: unknown
}

/** A request that the service refused, with the service's own code and reason. */
export class RefileError extends Error {
  override readonly name: string = 'RefileError'
  /** Machine-readable; new codes may be added. */
  readonly code: ErrorCode
  /** HTTP status. */
  readonly status: number
  /** Seconds after which to try again, if the service gave them. */
  readonly retryAfter: number | null
  /** What the service added, such as `supportedTargets`. */
  readonly context: Readonly<Record<string, unknown>>

  constructor(status: number, { error, detail, ...context }: Refusal, retryAfter: number | null = null) {
    super(detail ?? `The service answered ${status} (${error}).`)
    this.code = error
    this.status = status
    this.retryAfter = retryAfter
    this.context = context
  }
}

/** A job that was accepted and then failed or was canceled; its credits are refunded. */
export class JobError extends Error {
  override readonly name: string = 'JobError'
  readonly code: ErrorCode
  readonly jobId: string

  constructor(jobId: string, error: { code: string; detail: string } | null) {
    super(error?.detail ?? 'The job was canceled.')
    this.code = error?.code ?? 'jobs.canceled'
    this.jobId = jobId
  }
}

/** The service could not be reached, or the connection broke. `cause` has the reason. */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError'
  readonly code = 'connection'
}

/** A file of this machine that could not be sent. */
export class FileError extends Error {
  override readonly name: string = 'FileError'
  readonly code: 'file.changed' | 'file.unreadable'

  constructor(name: string, code: FileError['code'], options?: ErrorOptions) {
    super(`${name} ${code === 'file.changed' ? 'changed while it was read.' : 'cannot be read.'}`, options)
    this.code = code
  }
}

/** Seconds of a `Retry-After`, which may be a date; NaN if there is none. */
const secondsOf = (text: string): number =>
  /^\d/.test(text) ? Number(text) : Math.max(0, (Date.parse(text) - Date.now()) / 1000)

/** The refusal in an answer that is not a success, whatever its body is. */
export async function refusalOf(answer: Response): Promise<RefileError> {
  const body = (await answer.json().catch(() => null)) as Partial<Refusal> | null
  const seconds = secondsOf(answer.headers.get('retry-after') ?? '')
  return new RefileError(
    answer.status,
    { ...body, error: body?.error ?? `http.${answer.status}`, detail: body?.detail ?? null },
    Number.isFinite(seconds) ? seconds : null,
  )
}
