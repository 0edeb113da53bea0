import { forRole } from '../http/access.ts'
import type { Routes } from '../http/schema.ts'
import type { Services } from '../services.ts'
import { EntitlementsResponse } from './shapes.ts'

/** `GET /convert/entitlements/me`: what the caller may do and has left. */
export function entitlementRoutes(app: Routes, { funds }: Services): void {
  const account = forRole('account', app)
  account.get(
    '/convert/entitlements/me',
    {
      schema: {
        summary: 'Plan and credits of the caller',
        description: "The balance of the account, or the rest of the key's monthly budget if that is less.",
        operationId: 'getEntitlements',
        response: { 200: EntitlementsResponse },
      },
    },
    async ({ caller }) => ({
      userId: caller.accountId,
      organizationId: null,
      planId: 'pro',
      planName: 'Refile Pro',
      accessDisplayName: 'Pro',
      totalCredits: await funds.available(caller),
      tier: 'pro',
      dailyLimit: null,
      dailyUsed: null,
      resetDate: null,
    }),
  )
}
