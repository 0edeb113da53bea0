import { MEGABYTE } from '../../../convert/catalogue/costing.ts'
import { RequestError, type RequestErrorCode } from '../../../shared/errors.ts'
import { type Message, message, type PlainKey } from '../../../shared/messages/message.ts'
import type { OutboundError } from '../../../shared/net/errors.ts'

type UrlErrorCode = Extract<RequestErrorCode, `url_fetch.${string}`>

/** Codes after which the same request may succeed a little later. */
const RETRYABLE: ReadonlySet<UrlErrorCode> = new Set([
  'url_fetch.dns_failure',
  'url_fetch.timeout',
  'url_fetch.domain_circuit_open',
  'url_fetch.rate_limited',
])
/** HTTP statuses of servers that may succeed later. */
const RETRYABLE_STATUS = new Set([408, 425, 429, 500, 502, 503, 504])

/** The refusal of a URL, with the contract's `isRetryable`. */
export function urlRefused(code: UrlErrorCode & PlainKey): RequestError
export function urlRefused(
  code: UrlErrorCode,
  reason: Message,
  extra?: { isRetryable?: boolean; retryAfter?: number },
): RequestError
export function urlRefused(
  code: UrlErrorCode,
  reason: Message = { key: code as PlainKey },
  extra: { isRetryable?: boolean; retryAfter?: number } = {},
): RequestError {
  const { isRetryable = RETRYABLE.has(code), retryAfter } = extra
  return new RequestError(code, reason, {
    context: { isRetryable },
    ...(retryAfter === undefined ? {} : { retryAfter }),
  })
}

/** The refusal for an HTTP status other than success. */
export function refusedByServer(status: number): RequestError {
  if (status === 403) return urlRefused('url_fetch.url_expired')
  const isRetryable = RETRYABLE_STATUS.has(status)
  return urlRefused('url_fetch.http_error', message('url_fetch.http_error', { status }), { isRetryable })
}

/**
 * The contract's error for a failed request.
 * @param hasAnswered whether the server had started to send the file
 */
export function refusalOf(
  { code, redirected }: OutboundError,
  { maxBytes = 0, hasAnswered = false } = {},
): RequestError {
  switch (code) {
    case 'offline':
      return urlRefused('url_fetch.disabled')
    case 'invalid_url':
    case 'invalid_scheme':
      return urlRefused(redirected ? 'url_fetch.redirect_denied' : `url_fetch.${code}`)
    case 'private_address':
      return urlRefused(redirected ? 'url_fetch.redirect_denied' : 'url_fetch.private_ip')
    case 'too_many_redirects':
      return urlRefused('url_fetch.redirect_loop')
    case 'too_large': {
      const megabytes = Math.floor(maxBytes / MEGABYTE)
      return urlRefused('url_fetch.too_large', message('url_fetch.too_large', { megabytes }))
    }
    case 'unreachable': {
      const reason = message(hasAnswered ? 'url_fetch.broken_off' : 'url_fetch.unreachable')
      return urlRefused('url_fetch.http_error', reason, { isRetryable: true })
    }
    case 'dns_failure':
    case 'timeout':
      return urlRefused(`url_fetch.${code}`)
  }
}
