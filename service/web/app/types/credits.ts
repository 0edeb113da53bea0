import type { AutoTopUp } from '../../../accounts/funds.ts'
import type { StoredEntry } from '../../../store/interfaces/accounts.ts'
import { object, oneOf, optional, type Static, string } from '../../http/schema.ts'

/** Filter of the ledger. */
export type LedgerQuery = Static<typeof LedgerQuery>
export const LedgerQuery = object({
  /** Part of the reason, in any case. */
  search: optional(string({ maxLength: 200 })),
  kind: optional(oneOf(['grant', 'charge', 'refund', 'top-up'])),
  category: optional(string()),
  keyId: optional(string()),
  from: optional(string()),
  to: optional(string()),
})

export interface LedgerEntry extends Omit<StoredEntry, 'createdAt'> {
  createdAt: string
}

export type { AutoTopUp }

export interface Credits {
  balance: number
  /** Net credits spent in the period: charges minus refunds. */
  spent: number
  byDay: { day: string; spent: number; jobs: number }[]
  byCategory: { category: string; spent: number; jobs: number }[]
  /** `keyId` is null for the app's own jobs; the key may have been revoked since. */
  byKey: { keyId: string | null; name: string | null; spent: number; jobs: number }[]
  autoTopUp: AutoTopUp
}
