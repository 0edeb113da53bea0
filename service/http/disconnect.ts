import type { FastifyReply } from 'fastify'
import { RequestError } from '../errors.ts'
import { message } from '../messages/message.ts'

const hungUp = () => new RequestError('request.invalid_content_type', message('request.broken_off'))

/** Aborts when the caller hangs up before the reply is sent: work for nobody is not begun, and nothing is charged. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(hungUp())
  })
  return controller.signal
}
