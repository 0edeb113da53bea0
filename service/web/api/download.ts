import { RequestError } from '../../shared/errors.ts'
import { readDownloadToken } from '../../work/webhooks/download-token.ts'
import { forRole } from '../http/access.ts'
import { sendOutput } from '../http/outputs.ts'
import { object, optional, type Routes, string } from '../http/schema.ts'
import type { Services } from '../services.ts'

const params = object({ id: string({ description: 'Job id, a GUID of version 7.' }) })
const querystring = object({
  token: optional(string({ description: 'Of the link in a webhook, in place of a key.' })),
})

/** Downloads of outputs, authorised by a key or by the signed link in a webhook. */
export function downloadRoutes(app: Routes, services: Services): void {
  const link = forRole('link', app)
  link.get(
    '/convert/job/:id/download',
    {
      schema: {
        summary: 'Download the output',
        description:
          'The output of a succeeded job, for an hour. Several files come as one ZIP. `Range` is honoured.',
        operationId: 'downloadJob',
        params,
        querystring,
      },
      onRequest: async request => {
        const { token } = request.query
        // Then it is an account's, which is checked before.
        if (token === undefined) return
        const grant = readDownloadToken(
          services.stores.secrets,
          String(token),
          request.params.id,
          services.stores.jobs.now(),
        )
        if (!grant) throw new RequestError('api_key.invalid_or_ip_not_allowed')
        request.caller = {
          accountId: grant.accountId,
          keyId: null,
          guest: false,
          origin: 'api',
          role: 'member',
        }
        request.isStillValid = async () => grant.expiresAt > services.stores.jobs.now()
      },
    },
    async (request, reply) => {
      const job = await services.jobs.get(request.params.id, request.caller.accountId).catch(error => {
        // A signed link was valid once, so for a deleted job the answer is "expired".
        throw request.query.token === undefined ? error : new RequestError('jobs.expired')
      })
      return sendOutput(job, services, request, reply)
    },
  )
}
