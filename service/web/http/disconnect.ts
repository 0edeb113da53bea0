import type { FastifyReply } from 'fastify'
import { RequestError } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'

const hungUp = () => new RequestError('request.invalid_content_type', message('request.broken_off'))

/**
 * Returns a signal that aborts when the caller disconnects before the reply is sent, so that no work is started or
 * charged for a caller that has gone.
 */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(hungUp())
  })
  return controller.signal
}
