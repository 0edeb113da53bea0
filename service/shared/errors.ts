import { jobs } from './messages/en/jobs.ts'
import type { Message, PlainKey } from './messages/message.ts'
import { render } from './messages/render.ts'

/**
 * The list of all error codes: for refused requests, and for failed jobs. It is independent of HTTP servers and
 * engines, so that everything may use it.
 */

/** Error codes of requests, with their HTTP status. */
export const requestErrors = {
  'request.invalid_content_type': 400,
  'request.no_files': 400,
  'request.empty_file': 400,
  'request.invalid_extension': 400,
  'request.multiple_files': 400,
  'request.file_too_large': 413,
  'request.invalid_parameter': 400,
  'request.malformed': 400,
  'request.headers_too_large': 431,
  'request.timeout': 408,
  'request.forbidden_origin': 403,
  'request.not_found': 404,
  'request.method_not_allowed': 405,
  'convert.missing_target_format': 400,
  'convert.invalid_options': 400,
  'convert.unsupported_source_format': 400,
  'convert.unsupported_format_pair': 400,
  'convert.invalid_webhook': 400,
  'convert.idempotency_key_reused': 422,
  'convert.failed': 400,
  'api_key.invalid_or_ip_not_allowed': 401,
  'session.required': 401,
  'session.not_owner': 403,
  'entitlements.insufficient_credits': 402,
  'jobs.forbidden': 403,
  'jobs.not_found': 404,
  'jobs.not_ready': 409,
  'jobs.unfinished': 503,
  'jobs.not_cancellable': 409,
  'jobs.not_deletable': 409,
  'jobs.expired': 410,
  rate_limited: 429,
  'queue.limit_exceeded': 429,
  'estimate.unsupported_format_pair': 400,
  'estimate.unsupported_source_format': 400,
  'estimate.invalid_variant': 400,
  'schema.unsupported_format_pair': 400,
  'schema.unsupported_source_format': 400,
  'schema.converter_not_found': 400,
  'url_fetch.invalid_url': 400,
  'url_fetch.invalid_scheme': 400,
  'url_fetch.private_ip': 400,
  'url_fetch.dns_failure': 400,
  'url_fetch.timeout': 400,
  'url_fetch.too_large': 400,
  'url_fetch.http_error': 400,
  'url_fetch.url_expired': 400,
  'url_fetch.redirect_loop': 400,
  'url_fetch.redirect_denied': 400,
  'url_fetch.invalid_content': 400,
  'url_fetch.no_filename': 400,
  'url_fetch.domain_circuit_open': 400,
  'url_fetch.mutually_exclusive': 400,
  'url_fetch.output_url_reserved': 400,
  'url_fetch.disabled': 400,
  'url_fetch.missing_source_format': 400,
  'url_fetch.guest_not_allowed': 403,
  'url_fetch.rate_limited': 429,
  'server.internal_error': 500,
  'server.unavailable': 503,
  'server.disk_full': 507,
} as const

export type RequestErrorCode = keyof typeof requestErrors

/** Fields that some codes have besides `error` and `detail`. */
export interface RequestErrorContext {
  sourceFormat?: string | null
  targetFormat?: string | null
  supportedTargets?: string[]
  megabytes?: number
  isRetryable?: boolean
}

/** Codes whose own message takes no parameters, so that the message is optional. */
type PlainCode = Extract<RequestErrorCode, PlainKey>

interface RequestErrorExtra {
  context?: RequestErrorContext
  /** Seconds after which a retry makes sense; sent as `Retry-After`. */
  retryAfter?: number
}

/** A refused request, with what happened, why, and what to do. */
export class RequestError extends Error {
  readonly code: RequestErrorCode
  readonly status: number
  /** Why it is refused, for people. */
  readonly reason: Message
  /** The reason in English. */
  readonly detail: string
  readonly context: RequestErrorContext
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined

  /** Without a reason, the code's own message is used. */
  constructor(code: PlainCode, reason?: Message, extra?: RequestErrorExtra)
  constructor(code: RequestErrorCode, reason: Message, extra?: RequestErrorExtra)
  constructor(
    code: RequestErrorCode,
    reason: Message = { key: code },
    { context = {}, retryAfter }: RequestErrorExtra = {},
  ) {
    const detail = render(reason, 'en')
    super(detail)
    this.name = 'RequestError'
    this.code = code
    this.status = requestErrors[code]
    this.reason = reason
    this.detail = detail
    this.context = context
    this.retryAfter = retryAfter
  }
}

/**
 * Codes of jobs that end as `Failed`; each is also the key of the message that is used if nothing more precise is known.
 */
export type JobFailureCode = keyof typeof jobs

export const jobFailureCodes = Object.keys(jobs) as JobFailureCode[]

/**
 * The only error that engines and converters throw on purpose. Any other error that leaves a worker becomes
 * `jobs.engine_crashed`. The message must not contain paths of the machine.
 */
export class JobFailure extends Error {
  readonly code: JobFailureCode
  /** Why it failed, for people. */
  readonly reason: Message
  /** The reason in English, at most 256 characters. */
  readonly detail: string

  constructor(code: JobFailureCode, reason: Message = { key: code }, options?: ErrorOptions) {
    const detail = render(reason, 'en')
    super(detail, options)
    this.name = 'JobFailure'
    this.code = code
    this.reason = reason
    this.detail = detail
  }
}

/**
 * Converts the operating system's "no space left" (for this user, or in a file of this size) to its failure, and returns other
 * errors unchanged.
 */
export function asJobFailure(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG' ? new JobFailure('jobs.disk_full') : error
}
