import { isAddressOrRange } from '../../shared/address-ranges.ts'
import { RequestError } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import { forRole } from '../http/access.ts'
import type { Routes } from '../http/schema.ts'
import { ById } from '../http/shapes.ts'
import type { Services } from '../services.ts'
import { type ApiKey, type CreatedApiKey, KeyChange, NewApiKey } from './types.ts'
import { apiKey } from './views.ts'

/** The account's API keys. */
export function keyRoutes(app: Routes, { keys, stores }: Services): void {
  const member = forRole('member', app)
  member.get('/app/keys', async ({ caller }) => (await keys.list(caller.accountId)).map(apiKey))

  member.post(
    '/app/keys',
    { schema: { body: NewApiKey } },
    async ({ caller, body }, reply): Promise<CreatedApiKey> => {
      const wrong = body.ipAllowlist?.find(entry => !isAddressOrRange(entry))
      if (wrong !== undefined) {
        throw new RequestError('request.invalid_parameter', message('keys.invalid_address', { entry: wrong }))
      }
      const expiresAt = body.expiresAt ? Date.parse(body.expiresAt) : null
      if (expiresAt !== null && !(expiresAt > stores.accounts.now())) {
        throw new RequestError('request.invalid_parameter', message('keys.expired'))
      }
      const { record, secret } = await keys.create(caller.accountId, { ...body, expiresAt })
      reply.code(201)
      return { ...apiKey(record), secret }
    },
  )

  member.patch(
    '/app/keys/:id',
    { schema: { params: ById, body: KeyChange } },
    async ({ caller: { accountId }, params: { id }, body }): Promise<ApiKey> => {
      await stores.accounts.setBudget(accountId, id, body.monthlyBudget)
      const changed = (await keys.list(accountId)).find(key => key.id === id)
      if (!changed) throw new RequestError('request.not_found', message('keys.not_found'))
      return apiKey(changed)
    },
  )

  member.delete('/app/keys/:id', { schema: { params: ById } }, async request => {
    const revoked = await keys.revoke(request.caller.accountId, request.params.id)
    if (!revoked) throw new RequestError('request.not_found', message('keys.not_found'))
  })
}
