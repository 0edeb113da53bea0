import { isAllowlistEntry } from '../credits/keys.ts'
import { RequestError } from '../errors.ts'
import type { Routes } from '../http/schema.ts'
import { ById } from '../http/shapes.ts'
import type { Services } from '../services.ts'
import { type CreatedApiKey, NewApiKey } from './types.ts'
import { apiKey } from './views.ts'

/** The account's API keys. */
export function keyRoutes(app: Routes, { keys }: Services): void {
  app.get('/app/keys', async ({ caller }) => (await keys.list(caller.accountId)).map(apiKey))

  app.post(
    '/app/keys',
    { schema: { body: NewApiKey } },
    async ({ caller, body }, reply): Promise<CreatedApiKey> => {
      const wrong = body.ipAllowlist?.find(entry => !isAllowlistEntry(entry))
      if (wrong !== undefined) {
        throw new RequestError(
          'request.invalid_parameter',
          `"${wrong}" is neither an IP address nor a CIDR range.`,
        )
      }
      const expiresAt = body.expiresAt ? Date.parse(body.expiresAt) : null
      if (expiresAt !== null && !(expiresAt > Date.now())) {
        throw new RequestError('request.invalid_parameter', 'The expiry must be a date in the future.')
      }
      const { record, secret } = await keys.create(caller.accountId, { ...body, expiresAt })
      reply.code(201)
      return { ...apiKey(record), secret }
    },
  )

  app.delete('/app/keys/:id', { schema: { params: ById } }, async (request, reply) => {
    const revoked = await keys.revoke(request.caller.accountId, request.params.id)
    if (!revoked) throw new RequestError('request.not_found', 'There is no such key.')
    return reply.code(204).send()
  })
}
