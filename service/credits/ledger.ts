import type { Database } from '../storage/database.ts'

export type EntryKind = 'grant' | 'charge' | 'refund' | 'top-up'

export interface NewEntry {
  accountId: string
  kind: EntryKind
  /** Signed credits: charges are negative. */
  amount: number
  reason: string
  jobId?: string
  category?: string
}

export interface Entry {
  id: number
  kind: EntryKind
  amount: number
  reason: string
  jobId: string | null
  category: string | null
  createdAt: number
}

/** Appends one entry; the database moves the balance with it and refuses a second charge or refund of a job. */
export function writeEntry(database: Database, entry: NewEntry): void {
  database.run(
    `INSERT INTO ledger (account_id, kind, amount, reason, job_id, category, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    entry.accountId,
    entry.kind,
    entry.amount,
    entry.reason,
    entry.jobId ?? null,
    entry.category ?? null,
    Date.now(),
  )
}

/** Reading the ledger, and adding to it by hand. Charges and refunds are written with the jobs they belong to. */
export class Ledger {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  balance(accountId: string): number {
    return Number(this.#database.get('SELECT balance FROM accounts WHERE id = ?', accountId)?.balance ?? 0)
  }

  topUp(accountId: string, amount: number): number {
    writeEntry(this.#database, { accountId, kind: 'top-up', amount, reason: 'Top-up' })
    return this.balance(accountId)
  }

  /** Entries older than `before`, newest first. */
  page(accountId: string, before: number | null, limit: number): Entry[] {
    return this.#database.all(
      `SELECT id, kind, amount, reason, job_id AS jobId, category, created_at AS createdAt FROM ledger
       WHERE account_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
      accountId,
      before ?? Number.MAX_SAFE_INTEGER,
      limit,
    ) as unknown as Entry[]
  }

  /** Net credits spent since a time, by local day and by category. A refunded job counts nowhere. */
  spending(
    accountId: string,
    since: number,
  ): { byDay: Spending<'day'>[]; byCategory: Spending<'category'>[] } {
    const grouped = (expression: string, name: string) =>
      this.#database.all(
        `SELECT ${expression} AS ${name}, -SUM(amount) AS spent,
                SUM(kind = 'charge') - SUM(kind = 'refund') AS jobs
         FROM ledger WHERE account_id = ? AND created_at >= ? AND kind IN ('charge', 'refund')
         GROUP BY 1 ORDER BY 1`,
        accountId,
        since,
      )
    return {
      byDay: grouped(
        `date(created_at / 1000, 'unixepoch', 'localtime')`,
        'day',
      ) as unknown as Spending<'day'>[],
      byCategory: grouped('category', 'category') as unknown as Spending<'category'>[],
    }
  }
}

type Spending<K extends string> = Record<K, string> & { spent: number; jobs: number }
