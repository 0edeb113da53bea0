import { jobs } from './messages/en/jobs.ts'
import type { Message, PlainKey } from './messages/message.ts'
import { render } from './messages/render.ts'

/**
 * The one catalogue of error codes: what a request can be refused with, and what a job can fail with.
 * It knows neither HTTP servers nor engines, so that every room may use it.
 */

/** Codes a request can be answered with, and the HTTP status that belongs to each. */
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
  'convert.missing_target_format': 400,
  'convert.invalid_options': 400,
  'convert.unsupported_source_format': 400,
  'convert.unsupported_format_pair': 400,
  'convert.invalid_webhook': 400,
  'api_key.invalid_or_ip_not_allowed': 401,
  'session.required': 401,
  'entitlements.insufficient_credits': 402,
  'jobs.forbidden': 403,
  'jobs.not_found': 404,
  'jobs.not_ready': 409,
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

/** Fields that some codes carry beside `error` and `detail`. */
export interface RequestErrorContext {
  sourceFormat?: string | null
  targetFormat?: string | null
  supportedTargets?: string[]
  megabytes?: number
  isRetryable?: boolean
}

/** Codes whose own message takes no parameters, so that it need not be given. */
type PlainCode = Extract<RequestErrorCode, PlainKey>

interface RequestErrorExtra {
  context?: RequestErrorContext
  /** Seconds after which a retry makes sense; sent as `Retry-After`. */
  retryAfter?: number
}

/** A request that is refused, with what happened, why, and what to do. */
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

  /** Without a reason, the message of the code itself is it. */
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

/** Codes a job can end in `Failed` with; each is also the key of the message used when nothing more precise is known. */
export type JobFailureCode = keyof typeof jobs

export const jobFailureCodes = Object.keys(jobs) as JobFailureCode[]

/**
 * The one error an engine or converter throws on purpose. Anything else that escapes a worker becomes
 * `jobs.engine_crashed`. The message must name no path of the machine.
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

/** Turns the operating system's "no space left" (for this user, or in a file of this size) into its failure, and passes everything else through. */
export function asJobFailure(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG' ? new JobFailure('jobs.disk_full') : error
}
