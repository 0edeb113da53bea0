import { timingSafeEqual } from 'node:crypto'
import { digest } from '../../accounts/keys.ts'
import { RequestError } from '../../shared/errors.ts'
import { accountRoutes } from '../http/administration.ts'
import type { Routes } from '../http/schema.ts'
import type { Services } from '../services.ts'

/** All accounts, for whoever has the key of the setting REFILE_ADMIN_KEY, which is the key of no account. */
export function administrationRoutes(app: Routes, services: Services, adminKey: string): void {
  const expected = digest(adminKey)
  app.addHook('onRequest', async request => {
    const key = request.headers['x-service-api-key']
    if (typeof key === 'string' && timingSafeEqual(digest(key), expected)) return
    if (key !== undefined) await services.keys.wrong.turn(request.ip)
    throw new RequestError('api_key.invalid_or_ip_not_allowed')
  })
  accountRoutes(app, services, '/admin/accounts')
}
