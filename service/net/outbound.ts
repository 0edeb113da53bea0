/**
 * The only client for outbound requests: every request Refile itself makes to the internet goes through here. Only https,
 * only named hosts whose addresses are all public (checked when connecting, so that a name cannot resolve differently
 * in between), redirects checked like first requests, sizes and times bounded.
 */
import dns from 'node:dns'
import type { LookupFunction } from 'node:net'
import { type Message, message } from '../messages/message.ts'
import { render } from '../messages/render.ts'
import { isLiteralAddress, isPublicAddress } from './addresses.ts'

export type OutboundCode =
  | 'offline'
  | 'invalid_url'
  | 'invalid_scheme'
  | 'private_address'
  | 'too_many_redirects'
  | 'too_large'
  | 'timeout'
  | 'unreachable'

/** A request that was not made, or did not come to its end. */
export class OutboundError extends Error {
  readonly code: OutboundCode
  /** Why, for people. */
  readonly reason: Message

  constructor(code: OutboundCode, reason: Message, options?: ErrorOptions) {
    super(render(reason), options)
    this.name = 'OutboundError'
    this.code = code
    this.reason = reason
  }
}

export interface OutboundRequest {
  method?: 'GET' | 'HEAD'
  headers?: Record<string, string>
  /** Most bytes of the body; one byte more ends the transfer. */
  maxBytes: number
  signal?: AbortSignal | undefined
}

export interface OutboundResponse {
  status: number
  headers: Headers
  /** Where the last redirect led. */
  url: string
  /** The body, piece by piece. Leaving the loop early closes the connection. */
  body: AsyncIterable<Uint8Array>
}

/** Makes one request and follows no redirect. */
export type Transport = (
  url: URL,
  init: { method: string; headers: Record<string, string>; signal: AbortSignal },
) => Promise<Pick<Response, 'status' | 'headers' | 'body'>>

export interface OutboundSettings {
  /** REFILE_OFFLINE: nothing goes out. */
  offline: boolean
  transport?: Transport
  /** Milliseconds until the answer begins, redirects each. */
  answerTimeoutMs?: number
  /** Milliseconds without a byte of the body. */
  idleTimeoutMs?: number
}

export type Outbound = (url: string, request: OutboundRequest) => Promise<OutboundResponse>

const MAX_REDIRECTS = 3
const CONNECT_TIMEOUT_MS = 10_000
const REDIRECTS = new Set([301, 302, 303, 307, 308])

const privateAddress = (host: string) =>
  new OutboundError('private_address', message('network.private_address', { host }))

/**
 * Reads an address that is to be requested.
 * @throws OutboundError `invalid_url`, `invalid_scheme`, or `private_address` for an IP address in any spelling
 */
export function checkedUrl(text: string, base?: URL): URL {
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
  if (isLiteralAddress(url.hostname)) throw privateAddress(url.hostname)
  return url
}

type Resolver = (
  host: string,
  options: dns.LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: dns.LookupAddress[]) => void,
) => void

/** A name look-up that fails when any address of the name is not public. */
export const guardedLookup =
  (resolve: Resolver = dns.lookup): LookupFunction =>
  (host, options, callback) =>
    resolve(host, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? []
      const problem =
        error ??
        (first && addresses.every(found => isPublicAddress(found.address)) ? null : privateAddress(host))
      if (problem || !first) callback(problem, '', 0)
      else if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })

/** Requests with undici through connections that reach public addresses only. */
export function guardedTransport(resolve?: Resolver): Transport {
  let client: ReturnType<typeof guardedClient> | undefined
  return async (url, init) => {
    client ??= guardedClient(resolve)
    return (await client)(url, init)
  }
}

/** Loads undici, which a service that requests nothing does not need in its memory. */
async function guardedClient(resolve?: Resolver): Promise<Transport> {
  const { Agent, buildConnector, fetch } = await import('undici')
  const connect = buildConnector({ lookup: guardedLookup(resolve), timeout: CONNECT_TIMEOUT_MS })
  const dispatcher = new Agent({
    // Look-ups do not run for addresses written out, so those are refused here once more.
    connect: (options, callback) =>
      isLiteralAddress(options.hostname)
        ? callback(privateAddress(options.hostname), null)
        : connect(options, callback),
  })
  return (url, init) =>
    fetch(url, { ...init, redirect: 'manual', dispatcher }) as unknown as ReturnType<Transport>
}

/** An outbound client with these settings. */
export function createOutbound({
  offline,
  transport = guardedTransport(),
  answerTimeoutMs = 30_000,
  idleTimeoutMs = 60_000,
}: OutboundSettings): Outbound {
  return async (text, { method = 'GET', headers = {}, maxBytes, signal }) => {
    if (offline) {
      throw new OutboundError('offline', message('network.offline'))
    }
    const stop = new AbortController()
    const both = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
    let url = checkedUrl(text)
    for (let redirects = 0; ; redirects++) {
      signal?.throwIfAborted()
      const answer = await within(answerTimeoutMs, stop, () =>
        transport(url, { method, headers, signal: both }),
      ).catch(error => {
        throw signal?.aborted ? signal.reason : unreachable(url, error)
      })
      const target = answer.headers.get('location')
      if (!REDIRECTS.has(answer.status) || target === null) {
        const length = Number(answer.headers.get('content-length') ?? 0)
        if (length > maxBytes) {
          stop.abort()
          throw tooLarge(url)
        }
        const body = read(answer.body, { url, maxBytes, idleTimeoutMs, stop, signal })
        return { status: answer.status, headers: answer.headers, url: url.href, body }
      }
      await answer.body?.cancel().catch(() => {})
      if (redirects === MAX_REDIRECTS) {
        throw new OutboundError(
          'too_many_redirects',
          message('network.too_many_redirects', { host: url.host, most: MAX_REDIRECTS }),
        )
      }
      url = checkedUrl(target, url)
    }
  }
}

const tooLarge = (url: URL) =>
  new OutboundError('too_large', message('network.too_large', { host: url.host }))

function unreachable(url: URL, error: unknown): OutboundError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutboundError) return cause
  }
  return new OutboundError('unreachable', message('network.unreachable', { host: url.host }), {
    cause: error,
  })
}

/** Does `work`, and aborts `stop` when it takes longer than `milliseconds`. */
async function within<T>(milliseconds: number, stop: AbortController, work: () => Promise<T>): Promise<T> {
  const timer = setTimeout(
    () => stop.abort(new OutboundError('timeout', message('network.timeout'))),
    milliseconds,
  )
  try {
    return await work()
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error
  } finally {
    clearTimeout(timer)
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
  try {
    for (;;) {
      const { done, value } = await within(idleTimeoutMs, stop, () => reader.read())
      if (done) return
      bytes += value.byteLength
      if (bytes > maxBytes) throw tooLarge(url)
      yield value
    }
  } catch (error) {
    throw signal?.aborted ? signal.reason : unreachable(url, error)
  } finally {
    await reader.cancel().catch(() => {})
    stop.abort()
  }
}
