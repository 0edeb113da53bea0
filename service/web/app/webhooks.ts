import { RequestError } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import { forRole } from '../http/access.ts'
import type { Routes } from '../http/schema.ts'
import { ById } from '../http/shapes.ts'
import type { Services } from '../services.ts'
import { webhookDelivery } from './views.ts'

/** Number of deliveries listed. */
const LISTED = 100

/** The log of webhook deliveries. */
export function webhookRoutes(app: Routes, { stores, webhooks }: Services): void {
  const member = forRole('member', app)
  member.get('/app/webhooks', async ({ caller }) =>
    (await stores.webhooks.list(caller.accountId, LISTED)).map(webhookDelivery),
  )

  member.post('/app/webhooks/:id/replay', { schema: { params: ById } }, async (request, reply) => {
    const replayed = await stores.webhooks.replay(request.params.id, request.caller.accountId)
    if (!replayed) throw new RequestError('request.not_found', message('webhook.not_replayable'))
    webhooks.wake()
    return reply.code(202).send()
  })
}
