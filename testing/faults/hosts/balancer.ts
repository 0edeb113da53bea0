import { once } from 'node:events'
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { listen } from '../../../service/host/listen.ts'

/** Interval of the readiness check of each host. */
const CHECK_EVERY_MS = 500
/** A host whose stores do not answer reports that within 3 seconds. */
const CHECK_TIMEOUT_MS = 4_000
/** After this time a client may find a host that is ready. */
const RETRY_SECONDS = 1

/** Headers that apply to one connection and are not forwarded (RFC 9110, section 7.6.1). */
const ofConnection = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
/** Methods that change nothing, so they can be repeated whatever happened to the first request. */
const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

interface Target {
  url: URL
  isReady: boolean
  /** Requests in progress. */
  open: number
}

export interface Balancer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  url: string
  /** Sets the addresses of the current hosts. */
  direct(urls: readonly string[]): void
  /** Resolves once this many hosts are ready. */
  ready(count: number, signal?: AbortSignal): Promise<void>
}

/**
 * Starts a balancer on loopback that forwards each request to the ready host with the fewest requests. Bodies stream both ways,
 * and the Host header is kept, so that hosts can recognise their own addresses. A request is retried on another host if the
 * connection is refused, since no body was sent yet, or if it breaks before an answer and the method is safe.
 * @param wanted port, or the next free one if it is taken; 0 means any
 */
export async function startBalancer(wanted: number): Promise<Balancer> {
  let targets: Target[] = []
  const server = createServer({ requestTimeout: 0, requireHostHeader: false }, (incoming, answer) =>
    forward(incoming, answer, () => targets),
  )
  const closing = new AbortController()
  await listen(async port => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }, wanted)
  const { port } = server.address() as AddressInfo
  const checks = checkAll(() => targets, closing.signal)
  return {
    url: `http://127.0.0.1:${port}`,
    direct: urls => {
      const known = new Map(targets.map(target => [target.url.href, target]))
      targets = urls.map(text => {
        const url = new URL(text)
        return known.get(url.href) ?? { url, isReady: false, open: 0 }
      })
    },
    ready: async (count, signal) => {
      while (targets.filter(({ isReady }) => isReady).length < count) await delay(20, undefined, { signal })
    },
    [Symbol.asyncDispose]: async () => {
      closing.abort()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      await checks
    },
  }
}

/** Checks all hosts at once, repeatedly. */
async function checkAll(targets: () => readonly Target[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const target of targets()) void check(target)
    await delay(CHECK_EVERY_MS, undefined, { signal }).catch(() => {})
  }
}

async function check(target: Target): Promise<void> {
  try {
    const answer = await fetch(new URL('/health/ready', target.url), {
      signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
    })
    await answer.body?.cancel()
    target.isReady = answer.ok
  } catch {
    target.isReady = false
  }
}

function forward(
  incoming: IncomingMessage,
  answer: ServerResponse,
  targets: () => readonly Target[],
  tried: readonly Target[] = [],
): void {
  const [target] = targets()
    .filter(each => each.isReady && !tried.includes(each))
    .toSorted((a, b) => a.open - b.open)
  if (!target) {
    refuse(answer, 503, 'No host is ready.')
    return
  }
  const { method = 'GET', url = '/' } = incoming
  const { hostname: host, port } = target.url
  const headers = passedOn(incoming.rawHeaders)
  if (incoming.headers['transfer-encoding'] !== undefined) headers.push('Transfer-Encoding', 'chunked')
  const onward = request({ host, port, method, path: url, headers, agent: false })
  target.open++
  onward.once('close', () => target.open--)
  let isConnected = false
  onward.once('socket', socket =>
    socket.once('connect', () => {
      isConnected = true
      incoming.pipe(onward)
    }),
  )
  const drop = () => onward.destroy()
  answer.once('close', drop)
  onward.once('response', reply => answerWith(reply, answer, onward))
  onward.on('error', () => {
    answer.off('close', drop)
    if (answer.destroyed) return
    if (answer.headersSent) return void answer.destroy()
    if (!isConnected) target.isReady = false
    if (!isConnected || safe.has(method)) forward(incoming, answer, targets, [...tried, target])
    else refuse(answer, 502, 'The host that had the request is gone. What it asked for may have been done.')
  })
}

function answerWith(reply: IncomingMessage, answer: ServerResponse, onward: ClientRequest): void {
  answer.sendDate = false
  answer.writeHead(reply.statusCode ?? 502, reply.statusMessage, passedOn(reply.rawHeaders))
  answer.flushHeaders()
  reply.once('error', () => answer.destroy())
  reply.pipe(answer)
  // If the host answered before it read the whole body, the request may still be sending it.
  answer.once('finish', () => onward.destroy())
}

/** The headers that do not apply to one connection, as a list of names and values. */
function passedOn(headers: readonly string[]): string[] {
  const names = headers.filter((_, index) => index % 2 === 0).map(name => name.toLowerCase())
  const connection = headers[2 * names.indexOf('connection') + 1] ?? ''
  const named = new Set(connection.split(',').map(name => name.trim().toLowerCase()))
  return headers.filter((_, index) => {
    const name = names[index >> 1] ?? ''
    return !ofConnection.has(name) && !named.has(name)
  })
}

/** A response of the balancer itself, in the format of the service's errors. */
function refuse(answer: ServerResponse, status: number, detail: string): void {
  answer.writeHead(status, {
    'content-type': 'application/json',
    'retry-after': String(RETRY_SECONDS),
    connection: 'close',
  })
  answer.end(JSON.stringify({ error: 'server.unavailable', detail }))
}
