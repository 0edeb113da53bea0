import type { ApiKeyRecord } from '../../../store/interfaces/accounts.ts'
import { boolean, integer, list, nullable, object, optional, type Static, string } from '../../http/schema.ts'

/** A listed key; the secret was only shown once. */
export interface ApiKey extends Omit<ApiKeyRecord, 'createdAt' | 'expiresAt' | 'lastUsedAt'> {
  createdAt: string
  expiresAt: string | null
  lastUsedAt: string | null
}

/** Credits of a budget. */
const budget = () => integer({ minimum: 0, maximum: 1_000_000_000 })

export type KeyChange = Static<typeof KeyChange>
export const KeyChange = object({ monthlyBudget: nullable(budget()) })

export type NewApiKey = Static<typeof NewApiKey>
export const NewApiKey = object({
  name: string({ minLength: 1, maxLength: 100 }),
  /** Addresses and CIDR ranges; empty means any address. */
  ipAllowlist: optional(list(string(), { maxItems: 100 })),
  /** Guest keys may not convert from a URL. */
  guest: optional(boolean()),
  monthlyBudget: optional(nullable(budget())),
  expiresAt: optional(nullable(string())),
})

export interface CreatedApiKey extends ApiKey {
  secret: string
}
