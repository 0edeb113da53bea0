import type { FastifyReply, FastifyRequest } from 'fastify'

/** Time between two comments that keep an idle stream open through proxies. */
const HEARTBEAT_MS = 15_000
/** How soon a stream ends once its key is revoked or expires, or its session ends. */
const CHECK_MS = 1000
/** What may wait to be read by a listener that has fallen behind. One that connects anew reads the present state instead. */
const BACKLOG_BYTES = 8 * 2 ** 20

export interface EventStream {
  send(event: string, data: unknown): void
  /**
   * Does work that sends something, once all that was queued before is done: what is read later must not be sent earlier. An
   * error ends the stream, so that the listener connects anew.
   */
  queue(work: () => Promise<void>): void
  end(): void
  /** Called once, when either side ends the stream. */
  onClose(listener: () => void): void
}

/**
 * Turns a reply into a stream of server-sent events; see the HTML standard, section 9.2. It ends when the key or session of
 * the request does.
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
  const heartbeat = setInterval(() => raw.write(':\n\n'), HEARTBEAT_MS).unref()
  const check = setInterval(() => {
    request.isStillValid().then(
      valid => valid || raw.end(),
      // A store that does not answer takes nobody's right away.
      () => {},
    )
  }, CHECK_MS).unref()
  raw.once('close', () => {
    clearInterval(heartbeat)
    clearInterval(check)
  })
  request.raw.once('error', () => raw.destroy())
  let queued = Promise.resolve()
  return {
    send(event, data) {
      if (raw.writableLength > BACKLOG_BYTES) raw.destroy()
      else if (!raw.writableEnded) raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    },
    queue(work) {
      queued = queued
        .then(() => (raw.writableEnded || raw.destroyed ? undefined : work()))
        .catch(() => void raw.end())
    },
    end: () => void raw.end(),
    onClose: listener => void raw.once('close', listener),
  }
}
