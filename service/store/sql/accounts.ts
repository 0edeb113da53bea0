import type {
  Account,
  AccountLimits,
  AccountStore,
  ApiKeyRecord,
  EntryFilter,
  Identity,
  ListedAccount,
  NewApiKey,
  SessionRecord,
  StoredApiKey,
  StoredEntry,
} from '../interfaces/accounts.ts'
import { guid } from '../interfaces/ids.ts'
import { toAccount, toEntry, toKey, toListed, toSession, totals } from './account-rows.ts'
import { Conditions } from './conditions.ts'
import { thisMonth, writeEntry } from './ledger.ts'
import { fragment, numberOrNull, type Sql, type Transaction, textOrNull } from './sql.ts'

/** Keys, with the cost of their jobs in the month of a time. */
const keysAt = (now: number) => fragment`
  SELECT api_keys.*, coalesce(spent, 0) AS spent_this_month
  FROM api_keys LEFT JOIN key_spending ON key_id = id AND month = ${thisMonth(now)}`

/** Held by whoever creates an account only if its name is free. */
const NAMES = 'names of accounts'

/** A link may be exchanged for a session while its account is being closed, which then is nobody's. */
const OF_OPEN_ACCOUNT = fragment`account_id IN (SELECT id FROM accounts WHERE closed_at IS NULL)`

/** Stores accounts. */
export class SqlAccountStore implements AccountStore {
  readonly #sql: Sql
  readonly now: () => number

  constructor(sql: Sql) {
    this.#sql = sql
    this.now = () => sql.now()
  }

  async owner(account: { name: string; credits: number }): Promise<Account> {
    return this.#sql.transaction(async tx => {
      await tx.lock('owner')
      const row = await tx.get`SELECT * FROM accounts ORDER BY rowid LIMIT 1`
      return row ? toAccount(row) : this.#create(tx, account)
    })
  }

  async create(account: { name: string; credits: number }): Promise<Account> {
    return this.#sql.transaction(async tx => this.#create(tx, account))
  }

  async createUnlessTaken(account: { name: string; credits: number }): Promise<Account | undefined> {
    return this.#sql.transaction(async tx => {
      await tx.lock(NAMES)
      const open = await tx.get`SELECT 1 FROM accounts WHERE name = ${account.name} AND closed_at IS NULL`
      return open ? undefined : this.#create(tx, account)
    })
  }

  async #create(tx: Transaction, { name, credits }: { name: string; credits: number }): Promise<Account> {
    const id = guid()
    await tx.run`INSERT INTO accounts (id, name, created_at) VALUES (${id}, ${name}, ${this.#sql.now()})`
    if (credits > 0) {
      await writeEntry(tx, this.#sql.now(), {
        accountId: id,
        kind: 'grant',
        amount: credits,
        reason: 'Free credits',
      })
    }
    return { id, name, balance: credits }
  }

  async get(id: string): Promise<Account | undefined> {
    const row = await this.#sql.get`SELECT * FROM accounts WHERE id = ${id}`
    return row && toAccount(row)
  }

  async identified({ issuer, subject, name }: Identity, credits: number | null): Promise<string | undefined> {
    return this.#sql.transaction(async tx => {
      await tx.lock(NAMES)
      const bound = await tx.get`
        SELECT id, closed_at FROM accounts WHERE identity_issuer = ${issuer} AND identity_subject = ${subject}`
      if (bound && bound.closed_at === null) return String(bound.id)
      const found = await tx.get`
        SELECT id, closed_at, identity_subject, id = (SELECT id FROM accounts ORDER BY rowid LIMIT 1) AS is_owner
        FROM accounts WHERE name = ${name} ORDER BY (closed_at IS NOT NULL), rowid LIMIT 1`
      const isFree = found && !found.is_owner && found.closed_at === null && found.identity_subject === null
      if (!isFree && (found || bound || credits === null)) return undefined
      const id = found ? String(found.id) : (await this.#create(tx, { name, credits: credits ?? 0 })).id
      // One that was closed is followed by another of its name.
      if (bound) await this.#bind(tx, String(bound.id), null, null)
      await this.#bind(tx, id, issuer, subject)
      return id
    })
  }

  #bind(tx: Transaction, id: string, issuer: string | null, subject: string | null): Promise<number> {
    return tx.run`
      UPDATE accounts SET identity_issuer = ${issuer}, identity_subject = ${subject} WHERE id = ${id}`
  }

  async list(): Promise<ListedAccount[]> {
    const rows = await this.#sql.all`SELECT * FROM accounts ORDER BY rowid`
    return rows.map(toListed)
  }

  async setLimits(id: string, limits: Partial<AccountLimits>): Promise<boolean> {
    return this.#sql.durably(async tx => {
      const row = await tx.get`SELECT running_limit, open_limit FROM accounts WHERE id = ${id}`
      if (!row) return false
      const { running = numberOrNull(row.running_limit), open = numberOrNull(row.open_limit) } = limits
      await tx.run`UPDATE accounts SET running_limit = ${running}, open_limit = ${open} WHERE id = ${id}`
      return true
    })
  }

  async close(id: string): Promise<boolean> {
    return this.#sql.durably(async tx => {
      const now = this.#sql.now()
      const closed = await tx.run`
        UPDATE accounts SET closed_at = ${now} WHERE id = ${id} AND closed_at IS NULL`
      if (closed === 0) return false
      await tx.run`
        UPDATE api_keys SET revoked_at = ${now}, hash = ${new Uint8Array()}
        WHERE account_id = ${id} AND revoked_at IS NULL`
      await tx.run`DELETE FROM sessions WHERE account_id = ${id}`
      return true
    })
  }

  async topUp(accountId: string, amount: number, reason: string): Promise<number> {
    return this.#sql.durably(async tx => {
      await writeEntry(tx, this.#sql.now(), { accountId, kind: 'top-up', amount, reason })
      return Number((await tx.get`SELECT balance FROM accounts WHERE id = ${accountId}`)?.balance)
    })
  }

  async autoTopUp(accountId: string): Promise<boolean | null> {
    const chosen = numberOrNull(
      (await this.#sql.get`SELECT auto_top_up FROM accounts WHERE id = ${accountId}`)?.auto_top_up,
    )
    return chosen === null ? null : chosen === 1
  }

  async setAutoTopUp(accountId: string, on: boolean): Promise<void> {
    await this.#sql.run`UPDATE accounts SET auto_top_up = ${on ? 1 : 0} WHERE id = ${accountId}`
  }

  async entries(
    accountId: string,
    before: number | null,
    limit: number,
    { search, kind, category, keyId, from, to }: EntryFilter = {},
  ): Promise<StoredEntry[]> {
    const where = new Conditions()
      .add('account_id = ?', accountId)
      .add('id < ?', before ?? undefined)
      .add('contains(reason, ?)', search)
      .add('kind = ?', kind)
      .add('category = ?', category)
      .add('key_id = ?', keyId)
      .add('created_at >= ?', from)
      .add('created_at < ?', to)
    const rows = await this.#sql.all`SELECT * FROM ledger WHERE ${where} ORDER BY id DESC LIMIT ${limit}`
    return rows.map(toEntry)
  }

  async spending(accountId: string, since: number) {
    const rows = await this.#sql.all`
      SELECT ${this.#sql.dialect.localDay('created_at')} AS day, category, key_id,
             -SUM(amount) AS spent, COUNT(*) FILTER (WHERE kind = 'charge') - COUNT(*) FILTER (WHERE kind = 'refund') AS jobs
      FROM ledger WHERE account_id = ${accountId} AND created_at >= ${since} AND kind IN ('charge', 'refund')
      GROUP BY day, category, key_id`
    const byDay = totals(rows, row => String(row.day))
    const byCategory = totals(rows, row => String(row.category))
    const byKey = totals(rows, row => textOrNull(row.key_id))
    const names = new Map<string | null, string | null>()
    for (const [keyId] of byKey) names.set(keyId, keyId === null ? null : await this.#keyName(keyId))
    return {
      byDay: byDay.map(([day, total]) => ({ day, ...total })),
      byCategory: byCategory.map(([category, total]) => ({ category, ...total })),
      byKey: byKey.map(([keyId, total]) => ({ keyId, name: names.get(keyId) ?? null, ...total })),
    }
  }

  async addKey(key: NewApiKey): Promise<void> {
    await this.#sql.run`
      INSERT INTO api_keys (id, account_id, name, hash, prefix, ip_allowlist, guest, monthly_budget, created_at,
                            expires_at, last_used_at)
      VALUES (${key.id}, ${key.accountId}, ${key.name}, ${key.hash}, ${key.prefix}, ${JSON.stringify(key.ipAllowlist)},
              ${key.guest ? 1 : 0}, ${key.monthlyBudget}, ${key.createdAt}, ${key.expiresAt}, ${key.lastUsedAt})`
    await this.#sql.durable()
  }

  async key(id: string): Promise<StoredApiKey | undefined> {
    const row = await this.#sql.get`${keysAt(this.#sql.now())} WHERE id = ${id} AND revoked_at IS NULL`
    return row && { ...toKey(row), accountId: String(row.account_id), hash: row.hash as Uint8Array }
  }

  async keys(accountId: string): Promise<ApiKeyRecord[]> {
    const rows = await this.#sql.all`
      ${keysAt(this.#sql.now())} WHERE account_id = ${accountId} AND revoked_at IS NULL ORDER BY created_at DESC`
    return rows.map(toKey)
  }

  async #keyName(id: string): Promise<string | null> {
    return textOrNull((await this.#sql.get`SELECT name FROM api_keys WHERE id = ${id}`)?.name)
  }

  async touchKey(id: string, at: number): Promise<void> {
    await this.#sql.run`UPDATE api_keys SET last_used_at = ${at} WHERE id = ${id}`
  }

  async removeKey(accountId: string, id: string): Promise<boolean> {
    return this.#sql.durably(async tx => {
      const removed = await tx.run`
        UPDATE api_keys SET revoked_at = ${this.#sql.now()}, hash = ${new Uint8Array()}
        WHERE id = ${id} AND account_id = ${accountId} AND revoked_at IS NULL`
      return removed === 1
    })
  }

  async setBudget(accountId: string, id: string, monthlyBudget: number | null): Promise<boolean> {
    const changed = await this.#sql.run`
      UPDATE api_keys SET monthly_budget = ${monthlyBudget}
      WHERE id = ${id} AND account_id = ${accountId} AND revoked_at IS NULL`
    return changed === 1
  }

  async addSession({ hash, kind, accountId, role, expiresAt }: SessionRecord): Promise<void> {
    await this.#sql.run`
      INSERT INTO sessions (hash, kind, account_id, role, expires_at)
      VALUES (${hash}, ${kind}, ${accountId}, ${role}, ${expiresAt})`
  }

  async session(hash: Uint8Array): Promise<SessionRecord | undefined> {
    const row = await this.#sql.get`
      SELECT * FROM sessions WHERE hash = ${hash} AND kind = 'session' AND ${OF_OPEN_ACCOUNT}`
    return row && toSession(row)
  }

  async sessions(accountId: string): Promise<SessionRecord[]> {
    const rows = await this.#sql.all`
      SELECT * FROM sessions WHERE account_id = ${accountId} AND kind = 'session' AND expires_at > ${this.#sql.now()}
        AND ${OF_OPEN_ACCOUNT} ORDER BY expires_at DESC`
    return rows.map(toSession)
  }

  async removeSession(accountId: string, hash: Uint8Array): Promise<boolean> {
    const removed = await this.#sql.run`
      DELETE FROM sessions WHERE account_id = ${accountId} AND kind = 'session' AND hash = ${hash}`
    return removed === 1
  }

  async prolongSession(hash: Uint8Array, expiresAt: number): Promise<void> {
    await this.#sql.run`UPDATE sessions SET expires_at = ${expiresAt} WHERE hash = ${hash}`
  }

  async takeLink(hash: Uint8Array): Promise<SessionRecord | undefined> {
    const row = await this.#sql.get`
      DELETE FROM sessions WHERE hash = ${hash} AND kind = 'link' AND ${OF_OPEN_ACCOUNT} RETURNING *`
    return row && toSession(row)
  }

  async forgetSessions(before: number): Promise<void> {
    await this.#sql.run`DELETE FROM sessions WHERE expires_at < ${before}`
  }
}
