import type {
  Account,
  ApiKeyRecord,
  EntryKind,
  ListedAccount,
  SessionRecord,
  SessionRole,
  Spending,
  StoredEntry,
} from '../interfaces/accounts.ts'
import { numberOrNull, type Row, textOrNull } from './sql.ts'

export const toAccount = (row: Row): Account => ({
  id: String(row.id),
  name: String(row.name),
  balance: Number(row.balance),
})

export const toListed = (row: Row): ListedAccount => ({
  ...toAccount(row),
  limits: { running: numberOrNull(row.running_limit), open: numberOrNull(row.open_limit) },
  createdAt: Number(row.created_at),
  closedAt: numberOrNull(row.closed_at),
})

export const toEntry = (row: Row): StoredEntry => ({
  id: Number(row.id),
  kind: row.kind as EntryKind,
  amount: Number(row.amount),
  reason: String(row.reason),
  jobId: textOrNull(row.job_id),
  category: textOrNull(row.category),
  keyId: textOrNull(row.key_id),
  createdAt: Number(row.created_at),
})

/** Sums rows by one of their columns, in its order. */
export function totals<Key extends string | null>(
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
): [Key, Spending][] {
  const sums = new Map<Key, Spending>()
  for (const row of rows) {
    const key = keyOf(row)
    const { spent, jobs } = sums.get(key) ?? { spent: 0, jobs: 0 }
    sums.set(key, { spent: spent + Number(row.spent), jobs: jobs + Number(row.jobs) })
  }
  return [...sums].sort(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1))
}

export const toKey = (row: Row): ApiKeyRecord => ({
  id: String(row.id),
  name: String(row.name),
  prefix: String(row.prefix),
  ipAllowlist: JSON.parse(String(row.ip_allowlist)),
  guest: Number(row.guest) === 1,
  monthlyBudget: numberOrNull(row.monthly_budget),
  spentThisMonth: Number(row.spent_this_month),
  createdAt: Number(row.created_at),
  expiresAt: numberOrNull(row.expires_at),
  lastUsedAt: numberOrNull(row.last_used_at),
})

export const toSession = (row: Row): SessionRecord => ({
  hash: row.hash as Uint8Array,
  kind: row.kind as SessionRecord['kind'],
  accountId: String(row.account_id),
  role: row.role as SessionRole,
  expiresAt: Number(row.expires_at),
})
