import type { FastifyReply, FastifyRequest } from 'fastify'

/** Time between two comments that keep an idle stream open through proxies. */
const HEARTBEAT_MS = 15_000
/** How soon a stream ends once its key is revoked or expires, or its session ends. */
const CHECK_MS = 1000

export interface EventStream {
  send(event: string, data: unknown): void
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
  return {
    send(event, data) {
      if (!raw.writableEnded) raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    },
    end: () => void raw.end(),
    onClose: listener => void raw.once('close', listener),
  }
}
