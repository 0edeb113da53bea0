import type { FastifyReply, FastifyRequest } from 'fastify'

/** Time between two comments that keep an idle stream open through proxies. */
const HEARTBEAT_MS = 15_000
/** How soon a stream ends after its key is revoked or expires, or its session ends. */
const CHECK_MS = 1000
/** How much unread data a slow listener may accumulate. After reconnecting, it reads the current state instead. */
const BACKLOG_BYTES = 8 * 2 ** 20
/** How long a listener may take to read the rest after the end of its stream. */
const LINGER_MS = 5000

export interface EventStream {
  send(event: string, data: unknown): void
  /**
   * Runs work that sends something, after all work queued earlier: what is read later must not be sent earlier. An error
   * ends the stream, so that the listener reconnects.
   */
  queue(work: () => Promise<void>): void
  end(): void
  /** Called once, when either side ends the stream. */
  onClose(listener: () => void): void
}

/**
 * Turns a reply into a stream of server-sent events; see the HTML standard, section 9.2. The stream ends when the key or
 * session of the request becomes invalid.
 */
export function streamEvents(request: FastifyRequest, reply: FastifyReply): EventStream {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-accel-buffering': 'no',
  })
  raw.flushHeaders()
  const write = (text: string) => {
    if (raw.writableLength > BACKLOG_BYTES) raw.destroy()
    else if (!raw.writableEnded && !raw.destroyed) raw.write(text)
  }
  const end = () => {
    if (raw.writableEnded) return
    raw.end()
    // A listener that does not read would keep the connection, and what it has not read, for as long as it likes.
    linger = setTimeout(() => raw.destroy(), LINGER_MS).unref()
  }
  let linger: NodeJS.Timeout | undefined
  const heartbeat = setInterval(() => write(':\n\n'), HEARTBEAT_MS).unref()
  const check = setInterval(() => {
    request.isStillValid().then(
      valid => valid || end(),
      // A store that does not answer revokes nobody's access.
      () => {},
    )
  }, CHECK_MS).unref()
  raw.once('close', () => {
    clearInterval(heartbeat)
    clearInterval(check)
    clearTimeout(linger)
  })
  // What goes wrong with a connection ends this stream only.
  raw.on('error', () => raw.destroy())
  request.raw.on('error', () => raw.destroy())
  let queued = Promise.resolve()
  return {
    send: (event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    queue(work) {
      queued = queued.then(() => (raw.writableEnded || raw.destroyed ? undefined : work())).catch(end)
    },
    end,
    onClose: listener => void raw.once('close', listener),
  }
}
