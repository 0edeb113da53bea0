import type {
  Account,
  AccountStore,
  ApiKeyRecord,
  Entry,
  EntryKind,
  SessionRecord,
  Spending,
  StoredApiKey,
} from '../../stores/accounts.ts'
import { guid } from '../../stores/ids.ts'
import { type Database, numberOrNull, type Row, textOrNull } from './database.ts'

interface NewEntry {
  accountId: string
  kind: EntryKind
  amount: number
  reason: string
  jobId?: string
  category?: string
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
    return this.#database.transaction(() => {
      writeEntry(this.#database, { accountId, kind: 'top-up', amount, reason })
      return Number(this.#database.get('SELECT balance FROM accounts WHERE id = ?', accountId)?.balance)
    })
  }

  async entries(accountId: string, before: number | null, limit: number): Promise<Entry[]> {
    return this.#database
      .all(
        'SELECT * FROM ledger WHERE account_id = ? AND id < ? ORDER BY id DESC LIMIT ?',
        accountId,
        before ?? Number.MAX_SAFE_INTEGER,
        limit,
      )
      .map(toEntry)
  }

  async spending(accountId: string, since: number) {
    const grouped = (expression: string) =>
      this.#database.all(
        `SELECT ${expression} AS name, -SUM(amount) AS spent, SUM(kind = 'charge') - SUM(kind = 'refund') AS jobs
         FROM ledger WHERE account_id = ? AND created_at >= ? AND kind IN ('charge', 'refund')
         GROUP BY 1 ORDER BY 1`,
        accountId,
        since,
      )
    return {
      byDay: grouped(`date(created_at / 1000, 'unixepoch', 'localtime')`).map(row => ({
        day: String(row.name),
        ...toSpending(row),
      })),
      byCategory: grouped('category').map(row => ({ category: String(row.name), ...toSpending(row) })),
    }
  }

  async addKey(key: StoredApiKey): Promise<void> {
    this.#database.run(
      `INSERT INTO api_keys (id, account_id, name, hash, prefix, ip_allowlist, guest, created_at, expires_at,
                             last_used_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      key.id,
      key.accountId,
      key.name,
      key.hash,
      key.prefix,
      JSON.stringify(key.ipAllowlist),
      key.guest ? 1 : 0,
      key.createdAt,
      key.expiresAt,
      key.lastUsedAt,
    )
  }

  async key(id: string): Promise<StoredApiKey | undefined> {
    const row = this.#database.get('SELECT * FROM api_keys WHERE id = ?', id)
    return row && { ...toKey(row), accountId: String(row.account_id), hash: row.hash as Uint8Array }
  }

  async keys(accountId: string): Promise<ApiKeyRecord[]> {
    return this.#database
      .all('SELECT * FROM api_keys WHERE account_id = ? ORDER BY created_at DESC', accountId)
      .map(toKey)
  }

  async touchKey(id: string, at: number): Promise<void> {
    this.#database.run('UPDATE api_keys SET last_used_at = ? WHERE id = ?', at, id)
  }

  async removeKey(accountId: string, id: string): Promise<boolean> {
    return this.#database.run('DELETE FROM api_keys WHERE id = ? AND account_id = ?', id, accountId) === 1
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
  createdAt: Number(row.created_at),
})

const toSpending = (row: Row): Spending => ({ spent: Number(row.spent), jobs: Number(row.jobs) })

const toKey = (row: Row): ApiKeyRecord => ({
  id: String(row.id),
  name: String(row.name),
  prefix: String(row.prefix),
  ipAllowlist: JSON.parse(String(row.ip_allowlist)),
  guest: row.guest === 1,
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
