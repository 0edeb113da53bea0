import type { FastifyReply, FastifyRequest } from 'fastify'

/** Time between two comments that keep an idle stream open through proxies. */
const HEARTBEAT_MS = 15_000

export interface EventStream {
  send(event: string, data: unknown): void
  end(): void
  /** Called once, when either side ends the stream. */
  onClose(listener: () => void): void
}

/** Turns a reply into a stream of server-sent events; see the HTML standard, section 9.2. */
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
  raw.once('close', () => clearInterval(heartbeat))
  request.raw.once('error', () => raw.destroy())
  return {
    send(event, data) {
      if (!raw.writableEnded) raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    },
    end: () => void raw.end(),
    onClose: listener => void raw.once('close', listener),
  }
}
