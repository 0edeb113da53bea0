/**
 * The only client for outbound requests: every request Refile itself makes to the internet goes through here. Only https,
 * only host names whose addresses are all public (checked when connecting, so that a name cannot resolve differently in
 * between), redirects checked like first requests, sizes and times bounded.
 */
import { message } from '../messages/message.ts'
import { isLiteralAddress, isLocalName } from './addresses.ts'
import { OutboundError, privateAddress } from './errors.ts'
import { guardedTransport, type Transport } from './transport.ts'

export interface OutboundRequest {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH'
  headers?: Record<string, string>
  /** What is sent; a stream only reaches the first address. */
  body?: string | ReadableStream<Uint8Array>
  /** Largest size of the answer's body; one byte more ends the transfer. */
  maxBytes: number
  /** How many redirects are followed, 3 by default; with 0 a redirect is returned as the answer. */
  maxRedirects?: number
  signal?: AbortSignal | undefined
}

/** Disposing closes the connection, whether or not the body was read. */
export interface OutboundResponse extends AsyncDisposable {
  status: number
  headers: Headers
  /** The final URL, after redirects. */
  url: string
  /** The body, piece by piece. Leaving the loop early closes the connection. */
  body: AsyncIterable<Uint8Array>
}

export interface OutboundSettings {
  /** REFILE_OFFLINE: no requests are made. */
  offline: boolean
  transport?: Transport
  /** The name of a host that the owner of the service has named, which may be in a network of its own. */
  ownHost?: string
  /** How long the answer may take to begin, for each redirect. */
  answerTimeoutMs?: number
  /** The body must grow by `PROGRESS_BYTES`, or end, within this time. */
  idleTimeoutMs?: number
}

export type Outbound = (url: string, request: OutboundRequest) => Promise<OutboundResponse>

const MAX_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** A server that sends less than this at a time is only keeping the connection open. */
const PROGRESS_BYTES = 16 * 2 ** 10

/**
 * Parses an address to request.
 * @param ownHost a host that may have a private address
 * @throws OutboundError `invalid_url`, `invalid_scheme`, or `private_address` for an IP address in any spelling and for a
 * name of this machine or its network
 */
export function checkedUrl(text: string, base?: URL, ownHost?: string): URL {
  let url: URL
  try {
    url = new URL(text, base)
  } catch {
    throw new OutboundError('invalid_url', message('network.invalid_url'))
  }
  if (url.protocol !== 'https:') throw new OutboundError('invalid_scheme', message('network.invalid_scheme'))
  if (url.username || url.password) {
    throw new OutboundError('invalid_url', message('network.credentials'))
  }
  if (url.hostname !== ownHost && (isLiteralAddress(url.hostname) || isLocalName(url.hostname)))
    throw privateAddress(url.hostname)
  return url
}

/** An outbound client with these settings. */
export function createOutbound({
  offline,
  ownHost,
  transport = guardedTransport(ownHost === undefined ? {} : { ownHost }),
  answerTimeoutMs = 30_000,
  idleTimeoutMs = 30_000,
}: OutboundSettings): Outbound {
  return async (text, request) => {
    if (offline) throw new OutboundError('offline', message('network.offline'))
    const { method = 'GET', headers = {}, body, maxBytes, maxRedirects = MAX_REDIRECTS, signal } = request
    const stop = new AbortController()
    const both = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
    let url = checkedUrl(text, undefined, ownHost)
    for (let redirects = 0; ; redirects++) {
      try {
        signal?.throwIfAborted()
        const answer = await within(answerTimeoutMs, stop, () =>
          transport(url, { method, headers, signal: both, body }),
        ).catch(error => {
          throw signal?.aborted ? signal.reason : failure(url, error)
        })
        const target = answer.headers.get('location')
        if (!REDIRECTS.has(answer.status) || target === null || maxRedirects === 0) {
          const length = Number(answer.headers.get('content-length') ?? 0)
          if (length > maxBytes) {
            stop.abort()
            throw tooLarge(url)
          }
          const pieces = read(answer.body, { url, maxBytes, idleTimeoutMs, stop, signal })
          return {
            status: answer.status,
            headers: answer.headers,
            url: url.href,
            body: pieces,
            [Symbol.asyncDispose]: async () => stop.abort(),
          }
        }
        await answer.body?.cancel().catch(() => {})
        if (redirects === maxRedirects) {
          throw new OutboundError(
            'too_many_redirects',
            message('network.too_many_redirects', { host: url.host, most: maxRedirects }),
          )
        }
        url = redirectTarget(target, url)
      } catch (error) {
        if (error instanceof OutboundError) error.redirected ||= redirects > 0
        throw error
      }
    }
  }
}

function redirectTarget(target: string, from: URL): URL {
  try {
    return checkedUrl(target, from)
  } catch (error) {
    if (error instanceof OutboundError) error.redirected = true
    throw error
  }
}

const tooLarge = (url: URL) =>
  new OutboundError('too_large', message('network.too_large', { host: url.host }))

/** The meaning of a transport error, which may be wrapped several times. */
function failure(url: URL, error: unknown): OutboundError {
  const { host } = url
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutboundError) return cause
  }
  return new OutboundError('unreachable', message('network.unreachable', { host }), { cause: error })
}

/** Runs `work`, and aborts `stop` if it takes longer than `milliseconds`. */
async function within<T>(milliseconds: number, stop: AbortController, work: () => Promise<T>): Promise<T> {
  using _end = setTimeout(
    () => stop.abort(new OutboundError('timeout', message('network.timeout'))),
    milliseconds,
  )
  try {
    return await work()
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error
  }
}

interface Reading {
  url: URL
  maxBytes: number
  idleTimeoutMs: number
  stop: AbortController
  signal: AbortSignal | undefined
}

async function* read(
  body: ReadableStream<Uint8Array> | null,
  { url, maxBytes, idleTimeoutMs, stop, signal }: Reading,
): AsyncGenerator<Uint8Array> {
  if (!body) return
  const reader = body.getReader()
  let bytes = 0
  let progress = { bytes: 0, at: performance.now() }
  try {
    for (;;) {
      const left = Math.max(0, progress.at + idleTimeoutMs - performance.now())
      const { done, value } = await within(left, stop, () => reader.read())
      if (done) return
      bytes += value.byteLength
      if (bytes > maxBytes) throw tooLarge(url)
      const received = performance.now()
      yield value
      if (bytes - progress.bytes >= PROGRESS_BYTES) progress = { bytes, at: performance.now() }
      // The time spent storing the data is not the server's fault.
      else progress.at += performance.now() - received
    }
  } catch (error) {
    throw signal?.aborted ? signal.reason : failure(url, error)
  } finally {
    await reader.cancel().catch(() => {})
    stop.abort()
  }
}
