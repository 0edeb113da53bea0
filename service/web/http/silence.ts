import { RequestError } from '../../shared/errors.ts'
import { hasBody } from './replies.ts'
import type { Routes } from './schema.ts'

/** How often a body is checked within the time it may be silent. */
const CHECKS_PER_TIMEOUT = 4

/**
 * Answers 408 when no bytes of a body have arrived for `idleMs`. A body that is still waiting to be read here does not
 * count as silent.
 */
export function limitSilence(app: Routes, idleMs: number): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!hasBody(request)) return
    const { raw } = request
    let bytes = 0
    let quiet = 0
    const timer = setInterval(() => {
      const { bytesRead } = raw.socket
      quiet = bytesRead === bytes && raw.readableLength === 0 ? quiet + 1 : 0
      bytes = bytesRead
      if (raw.complete || quiet >= CHECKS_PER_TIMEOUT) clearInterval(timer)
      if (raw.complete || quiet < CHECKS_PER_TIMEOUT) return
      // The reader of the body passes the error on to the answer.
      if (raw.listenerCount('error') > 0) raw.emit('error', new RequestError('request.timeout'))
      else raw.destroy()
    }, idleMs / CHECKS_PER_TIMEOUT).unref()
    reply.raw.once('close', () => clearInterval(timer))
  })
}
