import { integer, object, optional, type Routes } from '../http/schema.ts'
import { PageQuery } from '../http/shapes.ts'
import type { Services } from '../services.ts'
import type { Credits, LedgerEntry, Page } from './types.ts'
import { ledgerEntry } from './views.ts'

const DAY_MS = 24 * 3600_000
/** Most credits one top-up may add. */
const LARGEST_TOP_UP_CREDITS = 1_000_000

/** The balance, what it was spent on, and the ledger behind it. */
export function creditRoutes(app: Routes, services: Services): void {
  const { ledger, stores } = services

  app.get(
    '/app/credits',
    {
      schema: {
        querystring: object({ days: optional(integer({ minimum: 1, maximum: 366 })) }),
      },
    },
    async ({ caller, query }): Promise<Credits> => {
      const { byDay, byCategory } = await ledger.spending(
        caller.accountId,
        Date.now() - (query.days ?? 30) * DAY_MS,
      )
      const spent = byDay.reduce((sum, day) => sum + day.spent, 0)
      return { balance: await ledger.balance(caller.accountId), spent, byDay, byCategory }
    },
  )

  app.post(
    '/app/credits/top-up',
    { schema: { body: object({ amount: integer({ minimum: 1, maximum: LARGEST_TOP_UP_CREDITS }) }) } },
    async ({ caller, body }) => {
      const balance = await ledger.topUp(caller.accountId, body.amount)
      stores.events.publish({ type: 'balance', accountId: caller.accountId })
      return { balance }
    },
  )

  app.get(
    '/app/ledger',
    { schema: { querystring: PageQuery } },
    async ({ caller, query }): Promise<Page<LedgerEntry>> => {
      const { before = null, limit = 50 } = query
      const entries = await ledger.page(caller.accountId, before, limit)
      const next = entries.length === limit ? String(entries.at(-1)?.id) : null
      return { items: entries.map(ledgerEntry), next }
    },
  )
}
