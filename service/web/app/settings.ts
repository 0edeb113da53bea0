import { forRole, isOfHost, ownersIf } from '../http/access.ts'
import type { Routes } from '../http/schema.ts'
import type { Services } from '../services.ts'
import { KeptMetadata, SaveTo, type Settings } from './types.ts'

/** A person's last choices in the app. */
export function settingRoutes(app: Routes, { stores }: Services): void {
  const member = forRole('member', app)
  member.get('/app/settings', async ({ caller }): Promise<Settings> => {
    const set = await stores.settings.all(caller.accountId)
    const destination = set.get('destination') as SaveTo | undefined
    const metadata = set.get('metadata') as KeptMetadata | undefined
    return { destination: destination ?? null, metadata: metadata?.keep ?? null }
  })

  member.put(
    '/app/settings/destination',
    { schema: { body: SaveTo }, ...ownersIf(isOfHost) },
    async ({ caller, body }) => {
      await stores.settings.put(caller.accountId, 'destination', body)
      return body
    },
  )

  member.put('/app/settings/metadata', { schema: { body: KeptMetadata } }, async ({ caller, body }) => {
    await stores.settings.put(caller.accountId, 'metadata', body)
    return body
  })
}
