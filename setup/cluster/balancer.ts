import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** How often each host is asked whether requests should come. */
const CHECK_EVERY_MS = 500
/** A host whose stores do not answer says so within 3 seconds. */
const CHECK_TIMEOUT_MS = 4_000
/** After this a client may find a host that is ready. */
const RETRY_SECONDS = 1
/** Ports tried after the wanted one. */
const PORT_ATTEMPTS = 50

/** Headers that are about one connection and go no further (RFC 9110, section 7.6.1). */
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
/** Methods that change nothing, so that they may be repeated whatever became of the first request. */
const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

interface Target {
  url: URL
  isReady: boolean
  /** Requests that it has now. */
  open: number
}

export interface Balancer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  url: string
  /** Sets the addresses of the hosts that there are now. */
  direct(urls: readonly string[]): void
  /** Resolves once so many hosts are ready. */
  ready(count: number, signal?: AbortSignal): Promise<void>
}

/**
 * Starts a balancer on loopback that hands each request to the ready host that has the fewest. Bodies stream both ways, and the
 * Host header stays as it came, so that hosts can tell what is theirs. A request goes to another host when a connection is refused,
 * of which no body was sent, or breaks before an answer and the method is safe.
 * @param wanted port, the next free one if taken; 0 means any
 */
export async function startBalancer(wanted: number): Promise<Balancer> {
  let targets: Target[] = []
  const server = createServer({ requestTimeout: 0, requireHostHeader: false }, (incoming, answer) =>
    forward(incoming, answer, () => targets),
  )
  const closing = new AbortController()
  const port = await listen(server, wanted)
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

async function listen(server: Server, wanted: number): Promise<number> {
  for (let port = wanted; ; port++) {
    const { promise, resolve } = Promise.withResolvers<NodeJS.ErrnoException | undefined>()
    server.once('error', resolve).listen(port, '127.0.0.1', () => resolve(undefined))
    const error = await promise
    server.off('error', resolve)
    if (!error) return (server.address() as AddressInfo).port
    if (error.code !== 'EADDRINUSE' || port - wanted >= PORT_ATTEMPTS) throw error
  }
}

/** Asks all hosts at once, again and again. */
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
  // Refused before its body was read, a request may still be sending it.
  answer.once('finish', () => onward.destroy())
}

/** Those of a list of names and values that are not about one connection. */
function passedOn(headers: readonly string[]): string[] {
  const names = headers.filter((_, index) => index % 2 === 0).map(name => name.toLowerCase())
  const connection = headers[2 * names.indexOf('connection') + 1] ?? ''
  const named = new Set(connection.split(',').map(name => name.trim().toLowerCase()))
  return headers.filter((_, index) => {
    const name = names[index >> 1] ?? ''
    return !ofConnection.has(name) && !named.has(name)
  })
}

/** An answer of the balancer's own, in the shape of the service's refusals. */
function refuse(answer: ServerResponse, status: number, detail: string): void {
  answer.writeHead(status, {
    'content-type': 'application/json',
    'retry-after': String(RETRY_SECONDS),
    connection: 'close',
  })
  answer.end(JSON.stringify({ error: 'server.unavailable', detail }))
}
