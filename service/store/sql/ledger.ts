import type { EntryKind } from '../interfaces/accounts.ts'
import type { Transaction } from './sql.ts'

interface NewEntry {
  accountId: string
  kind: EntryKind
  amount: number
  reason: string
  jobId?: string
  category?: string
  keyId?: string | null
}

/** Appends one entry; the database updates the balance with it and refuses a second charge or refund of a job. */
export async function writeEntry(tx: Transaction, now: number, entry: NewEntry): Promise<void> {
  await tx.run`
    INSERT INTO ledger (account_id, kind, amount, reason, job_id, category, key_id, created_at)
    VALUES (${entry.accountId}, ${entry.kind}, ${entry.amount}, ${entry.reason},
            ${entry.jobId ?? null}, ${entry.category ?? null}, ${entry.keyId ?? null}, ${now})`
}

/** The calendar month of a budget, such as `2026-11`, in UTC. */
export const thisMonth = (now: number): string => new Date(now).toISOString().slice(0, 7)
