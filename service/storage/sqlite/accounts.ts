import type {
  Account,
  AccountStore,
  ApiKeyRecord,
  Entry,
  EntryFilter,
  EntryKind,
  NewApiKey,
  SessionRecord,
  Spending,
  StoredApiKey,
} from '../../stores/accounts.ts'
import { guid } from '../../stores/ids.ts'
import { Conditions } from './conditions.ts'
import { type Database, numberOrNull, type Row, textOrNull } from './database.ts'

interface NewEntry {
  accountId: string
  kind: EntryKind
  amount: number
  reason: string
  jobId?: string
  category?: string
  keyId?: string | null
}

/** Appends one entry; the database moves the balance with it and refuses a second charge or refund of a job. */
export function writeEntry(database: Database, entry: NewEntry): void {
  database.run(
    `INSERT INTO ledger (account_id, kind, amount, reason, job_id, category, key_id, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    entry.accountId,
    entry.kind,
    entry.amount,
    entry.reason,
    entry.jobId ?? null,
    entry.category ?? null,
    entry.keyId ?? null,
    Date.now(),
  )
}

/** The calendar month that a budget counts, such as `2026-11`, in UTC. */
export const thisMonth = (): string => new Date().toISOString().slice(0, 7)

/** Keys, with what the jobs of one month, the first parameter, have cost. */
const KEYS = `SELECT api_keys.*, coalesce(spent, 0) AS spent_this_month
   FROM api_keys LEFT JOIN key_spending ON key_id = id AND month = ?`

/** The embedded store of accounts. */
export class SqliteAccountStore implements AccountStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async owner(account: { name: string; credits: number }): Promise<Account> {
    return this.#database.transaction(() => {
      const row = this.#database.get('SELECT * FROM accounts ORDER BY rowid LIMIT 1')
      return row ? toAccount(row) : this.#create(account)
    })
  }

  async create(account: { name: string; credits: number }): Promise<Account> {
    return this.#database.transaction(() => this.#create(account))
  }

  #create({ name, credits }: { name: string; credits: number }): Account {
    const id = guid()
    this.#database.run('INSERT INTO accounts (id, name, created_at) VALUES (?, ?, ?)', id, name, Date.now())
    if (credits > 0) {
      writeEntry(this.#database, { accountId: id, kind: 'grant', amount: credits, reason: 'Free credits' })
    }
    return { id, name, balance: credits }
  }

  async get(id: string): Promise<Account | undefined> {
    const row = this.#database.get('SELECT * FROM accounts WHERE id = ?', id)
    return row && toAccount(row)
  }

  async topUp(accountId: string, amount: number, reason: string): Promise<number> {
    return this.#database.durably(() => {
      writeEntry(this.#database, { accountId, kind: 'top-up', amount, reason })
      return Number(this.#database.get('SELECT balance FROM accounts WHERE id = ?', accountId)?.balance)
    })
  }

  async autoTopUp(accountId: string): Promise<boolean | null> {
    const chosen = numberOrNull(
      this.#database.get('SELECT auto_top_up FROM accounts WHERE id = ?', accountId)?.auto_top_up,
    )
    return chosen === null ? null : chosen === 1
  }

  async setAutoTopUp(accountId: string, on: boolean): Promise<void> {
    this.#database.run('UPDATE accounts SET auto_top_up = ? WHERE id = ?', on ? 1 : 0, accountId)
  }

  async entries(
    accountId: string,
    before: number | null,
    limit: number,
    { search, kind, category, keyId, from, to }: EntryFilter = {},
  ): Promise<Entry[]> {
    const where = new Conditions()
      .add('account_id = ?', accountId)
      .add('id < ?', before ?? undefined)
      .add('contains(reason, ?)', search)
      .add('kind = ?', kind)
      .add('category = ?', category)
      .add('key_id = ?', keyId)
      .add('created_at >= ?', from)
      .add('created_at < ?', to)
    return this.#database
      .all(`SELECT * FROM ledger WHERE ${where.sql} ORDER BY id DESC LIMIT ?`, ...where.values, limit)
      .map(toEntry)
  }

  async spending(accountId: string, since: number) {
    const rows = this.#database.all(
      `SELECT date(created_at / 1000, 'unixepoch', 'localtime') AS day, category, key_id,
              -SUM(amount) AS spent, SUM(kind = 'charge') - SUM(kind = 'refund') AS jobs
       FROM ledger WHERE account_id = ? AND created_at >= ? AND kind IN ('charge', 'refund')
       GROUP BY day, category, key_id`,
      accountId,
      since,
    )
    const byDay = totals(rows, row => String(row.day))
    const byCategory = totals(rows, row => String(row.category))
    const byKey = totals(rows, row => textOrNull(row.key_id))
    return {
      byDay: byDay.map(([day, total]) => ({ day, ...total })),
      byCategory: byCategory.map(([category, total]) => ({ category, ...total })),
      byKey: byKey.map(([keyId, total]) => ({
        keyId,
        name: keyId === null ? null : this.#keyName(keyId),
        ...total,
      })),
    }
  }

  async addKey(key: NewApiKey): Promise<void> {
    this.#database.run(
      `INSERT INTO api_keys (id, account_id, name, hash, prefix, ip_allowlist, guest, monthly_budget, created_at,
                             expires_at, last_used_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      key.id,
      key.accountId,
      key.name,
      key.hash,
      key.prefix,
      JSON.stringify(key.ipAllowlist),
      key.guest ? 1 : 0,
      key.monthlyBudget,
      key.createdAt,
      key.expiresAt,
      key.lastUsedAt,
    )
    await this.#database.durable()
  }

  async key(id: string): Promise<StoredApiKey | undefined> {
    const row = this.#database.get(`${KEYS} WHERE id = ? AND revoked_at IS NULL`, thisMonth(), id)
    return row && { ...toKey(row), accountId: String(row.account_id), hash: row.hash as Uint8Array }
  }

  async keys(accountId: string): Promise<ApiKeyRecord[]> {
    return this.#database
      .all(
        `${KEYS} WHERE account_id = ? AND revoked_at IS NULL ORDER BY created_at DESC`,
        thisMonth(),
        accountId,
      )
      .map(toKey)
  }

  #keyName(id: string): string | null {
    return textOrNull(this.#database.get('SELECT name FROM api_keys WHERE id = ?', id)?.name)
  }

  async touchKey(id: string, at: number): Promise<void> {
    this.#database.run('UPDATE api_keys SET last_used_at = ? WHERE id = ?', at, id)
  }

  async removeKey(accountId: string, id: string): Promise<boolean> {
    return this.#database.durably(
      () =>
        this.#database.run(
          `UPDATE api_keys SET revoked_at = ?, hash = x'' WHERE id = ? AND account_id = ? AND revoked_at IS NULL`,
          Date.now(),
          id,
          accountId,
        ) === 1,
    )
  }

  async setBudget(accountId: string, id: string, monthlyBudget: number | null): Promise<boolean> {
    return (
      this.#database.run(
        'UPDATE api_keys SET monthly_budget = ? WHERE id = ? AND account_id = ? AND revoked_at IS NULL',
        monthlyBudget,
        id,
        accountId,
      ) === 1
    )
  }

  async addSession({ hash, kind, accountId, expiresAt }: SessionRecord): Promise<void> {
    this.#database.run(
      'INSERT INTO sessions (hash, kind, account_id, expires_at) VALUES (?, ?, ?, ?)',
      hash,
      kind,
      accountId,
      expiresAt,
    )
  }

  async session(hash: Uint8Array): Promise<SessionRecord | undefined> {
    const row = this.#database.get(`SELECT * FROM sessions WHERE hash = ? AND kind = 'session'`, hash)
    return row && toSession(row)
  }

  async prolongSession(hash: Uint8Array, expiresAt: number): Promise<void> {
    this.#database.run('UPDATE sessions SET expires_at = ? WHERE hash = ?', expiresAt, hash)
  }

  async takeLink(hash: Uint8Array): Promise<SessionRecord | undefined> {
    const row = this.#database.get(`DELETE FROM sessions WHERE hash = ? AND kind = 'link' RETURNING *`, hash)
    return row && toSession(row)
  }

  async forgetSessions(before: number): Promise<void> {
    this.#database.run('DELETE FROM sessions WHERE expires_at < ?', before)
  }
}

const toAccount = (row: Row): Account => ({
  id: String(row.id),
  name: String(row.name),
  balance: Number(row.balance),
})

const toEntry = (row: Row): Entry => ({
  id: Number(row.id),
  kind: row.kind as EntryKind,
  amount: Number(row.amount),
  reason: String(row.reason),
  jobId: textOrNull(row.job_id),
  category: textOrNull(row.category),
  keyId: textOrNull(row.key_id),
  createdAt: Number(row.created_at),
})

/** Sums of rows by a part of them, in its order. */
function totals<Key extends string | null>(
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

const toKey = (row: Row): ApiKeyRecord => ({
  id: String(row.id),
  name: String(row.name),
  prefix: String(row.prefix),
  ipAllowlist: JSON.parse(String(row.ip_allowlist)),
  guest: row.guest === 1,
  monthlyBudget: numberOrNull(row.monthly_budget),
  spentThisMonth: Number(row.spent_this_month),
  createdAt: Number(row.created_at),
  expiresAt: numberOrNull(row.expires_at),
  lastUsedAt: numberOrNull(row.last_used_at),
})

const toSession = (row: Row): SessionRecord => ({
  hash: row.hash as Uint8Array,
  kind: row.kind as SessionRecord['kind'],
  accountId: String(row.account_id),
  expiresAt: Number(row.expires_at),
})
