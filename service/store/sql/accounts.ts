import type { Account, AccountStore } from '../interfaces/accounts.ts'
import { guid } from '../interfaces/ids.ts'
import { toAccount, toEntry, toKey, toListed, toSession, totals } from './account-rows.ts'
import { Conditions } from './conditions.ts'
import { thisMonth, writeEntry } from './ledger.ts'
import { found, fragment, isOne, numberOrNull, type Sql, type Transaction, textOrNull } from './sql.ts'

/** Keys, with the cost of their jobs in the month of a time. */
const keysAt = (now: number) => fragment`
  SELECT api_keys.*, coalesce(spent, 0) AS spent_this_month
  FROM api_keys LEFT JOIN key_spending ON key_id = id AND month = ${thisMonth(now)}`

/** Held by whoever creates an account only if its name is free. */
const NAMES = 'names of accounts'

/** A link may be exchanged for a session while its account is being closed, which then is nobody's. */
const OF_OPEN_ACCOUNT = fragment`account_id IN (SELECT id FROM accounts WHERE closed_at IS NULL)`

/** Stores accounts. */
export function accountStore(sql: Sql): AccountStore {
  const create = async (
    tx: Transaction,
    { name, credits }: { name: string; credits: number },
  ): Promise<Account> => {
    const id = guid()
    await tx.run`INSERT INTO accounts (id, name, created_at) VALUES (${id}, ${name}, ${sql.now()})`
    const reason = 'Free credits'
    if (credits > 0)
      await writeEntry(tx, sql.now(), { accountId: id, kind: 'grant', amount: credits, reason })
    return { id, name, balance: credits }
  }
  const bind = (tx: Transaction, id: string, issuer: string | null, subject: string | null) => tx.run`
    UPDATE accounts SET identity_issuer = ${issuer}, identity_subject = ${subject} WHERE id = ${id}`
  const keyName = async (id: string) =>
    textOrNull((await sql.get`SELECT name FROM api_keys WHERE id = ${id}`)?.name)

  return {
    now: () => sql.now(),

    owner: account =>
      sql.transaction(async tx => {
        await tx.lock('owner')
        const row = await tx.get`SELECT * FROM accounts ORDER BY rowid LIMIT 1`
        return row ? toAccount(row) : create(tx, account)
      }),

    create: account => sql.transaction(tx => create(tx, account)),

    createUnlessTaken: account =>
      sql.transaction(async tx => {
        await tx.lock(NAMES)
        const open = await tx.get`SELECT 1 FROM accounts WHERE name = ${account.name} AND closed_at IS NULL`
        return open ? undefined : create(tx, account)
      }),

    get: id => found(sql.get`SELECT * FROM accounts WHERE id = ${id}`, toAccount),

    identified: ({ issuer, subject, name }, credits) =>
      sql.transaction(async tx => {
        await tx.lock(NAMES)
        const bound = await tx.get`
          SELECT id, closed_at FROM accounts WHERE identity_issuer = ${issuer} AND identity_subject = ${subject}`
        if (bound && bound.closed_at === null) return String(bound.id)
        const named = await tx.get`
          SELECT id, closed_at, identity_subject, id = (SELECT id FROM accounts ORDER BY rowid LIMIT 1) AS is_owner
          FROM accounts WHERE name = ${name} ORDER BY (closed_at IS NOT NULL), rowid LIMIT 1`
        const isFree = named && !named.is_owner && named.closed_at === null && named.identity_subject === null
        if (!isFree && (named || bound || credits === null)) return undefined
        const id = named ? String(named.id) : (await create(tx, { name, credits: credits ?? 0 })).id
        // One that was closed is followed by another of its name.
        if (bound) await bind(tx, String(bound.id), null, null)
        await bind(tx, id, issuer, subject)
        return id
      }),

    list: async () => (await sql.all`SELECT * FROM accounts ORDER BY rowid`).map(toListed),

    setLimits: (id, limits) =>
      sql.durably(async tx => {
        const row = await tx.get`SELECT running_limit, open_limit FROM accounts WHERE id = ${id}`
        if (!row) return false
        const { running = numberOrNull(row.running_limit), open = numberOrNull(row.open_limit) } = limits
        await tx.run`UPDATE accounts SET running_limit = ${running}, open_limit = ${open} WHERE id = ${id}`
        return true
      }),

    close: id =>
      sql.durably(async tx => {
        const now = sql.now()
        const closed = await tx.run`
          UPDATE accounts SET closed_at = ${now} WHERE id = ${id} AND closed_at IS NULL`
        if (closed === 0) return false
        await tx.run`
          UPDATE api_keys SET revoked_at = ${now}, hash = ${new Uint8Array()}
          WHERE account_id = ${id} AND revoked_at IS NULL`
        return true
      }),

    topUp: (accountId, amount, reason) =>
      sql.durably(async tx => {
        await writeEntry(tx, sql.now(), { accountId, kind: 'top-up', amount, reason })
        return Number((await tx.get`SELECT balance FROM accounts WHERE id = ${accountId}`)?.balance)
      }),

    async autoTopUp(accountId) {
      const row = await sql.get`SELECT auto_top_up FROM accounts WHERE id = ${accountId}`
      const chosen = numberOrNull(row?.auto_top_up)
      return chosen === null ? null : chosen === 1
    },

    async setAutoTopUp(accountId, on) {
      await sql.run`UPDATE accounts SET auto_top_up = ${on ? 1 : 0} WHERE id = ${accountId}`
    },

    async entries(accountId, before, limit, { search, kind, category, keyId, from, to } = {}) {
      const where = new Conditions()
        .add('account_id = ?', accountId)
        .add('id < ?', before ?? undefined)
        .add('contains(reason, ?)', search)
        .add('kind = ?', kind)
        .add('category = ?', category)
        .add('key_id = ?', keyId)
        .add('created_at >= ?', from)
        .add('created_at < ?', to)
      const rows = await sql.all`SELECT * FROM ledger WHERE ${where} ORDER BY id DESC LIMIT ${limit}`
      return rows.map(toEntry)
    },

    async spending(accountId, since) {
      const rows = await sql.all`
        SELECT ${sql.dialect.localDay('created_at')} AS day, category, key_id,
               -SUM(amount) AS spent, COUNT(*) FILTER (WHERE kind = 'charge') - COUNT(*) FILTER (WHERE kind = 'refund') AS jobs
        FROM ledger WHERE account_id = ${accountId} AND created_at >= ${since} AND kind IN ('charge', 'refund')
        GROUP BY day, category, key_id`
      const byDay = totals(rows, row => String(row.day))
      const byCategory = totals(rows, row => String(row.category))
      const byKey = totals(rows, row => textOrNull(row.key_id))
      const names = new Map<string | null, string | null>()
      for (const [keyId] of byKey) names.set(keyId, keyId === null ? null : await keyName(keyId))
      return {
        byDay: byDay.map(([day, total]) => ({ day, ...total })),
        byCategory: byCategory.map(([category, total]) => ({ category, ...total })),
        byKey: byKey.map(([keyId, total]) => ({ keyId, name: names.get(keyId) ?? null, ...total })),
      }
    },

    async addKey(key) {
      await sql.run`
        INSERT INTO api_keys (id, account_id, name, hash, prefix, ip_allowlist, guest, monthly_budget, created_at,
                              expires_at, last_used_at)
        VALUES (${key.id}, ${key.accountId}, ${key.name}, ${key.hash}, ${key.prefix}, ${JSON.stringify(key.ipAllowlist)},
                ${key.guest ? 1 : 0}, ${key.monthlyBudget}, ${key.createdAt}, ${key.expiresAt}, ${key.lastUsedAt})`
      await sql.durable()
    },

    key: id =>
      found(sql.get`${keysAt(sql.now())} WHERE id = ${id} AND revoked_at IS NULL`, row => ({
        ...toKey(row),
        accountId: String(row.account_id),
        hash: row.hash as Uint8Array,
      })),

    async keys(accountId) {
      const rows = await sql.all`
        ${keysAt(sql.now())} WHERE account_id = ${accountId} AND revoked_at IS NULL ORDER BY created_at DESC`
      return rows.map(toKey)
    },

    async touchKey(id, at) {
      await sql.run`UPDATE api_keys SET last_used_at = ${at} WHERE id = ${id}`
    },

    removeKey: (accountId, id) =>
      sql.durably(tx =>
        isOne(tx.run`
          UPDATE api_keys SET revoked_at = ${sql.now()}, hash = ${new Uint8Array()}
          WHERE id = ${id} AND account_id = ${accountId} AND revoked_at IS NULL`),
      ),

    setBudget: (accountId, id, monthlyBudget) =>
      isOne(sql.run`
        UPDATE api_keys SET monthly_budget = ${monthlyBudget}
        WHERE id = ${id} AND account_id = ${accountId} AND revoked_at IS NULL`),

    async addSession({ hash, kind, accountId, role, expiresAt }) {
      await sql.run`
        INSERT INTO sessions (hash, kind, account_id, role, expires_at)
        VALUES (${hash}, ${kind}, ${accountId}, ${role}, ${expiresAt})`
    },

    session: hash =>
      found(
        sql.get`SELECT * FROM sessions WHERE hash = ${hash} AND kind = 'session' AND ${OF_OPEN_ACCOUNT}`,
        toSession,
      ),

    async sessions(accountId) {
      const rows = await sql.all`
        SELECT * FROM sessions WHERE account_id = ${accountId} AND kind = 'session' AND expires_at > ${sql.now()}
          AND ${OF_OPEN_ACCOUNT} ORDER BY expires_at DESC`
      return rows.map(toSession)
    },

    removeSession: (accountId, hash) =>
      isOne(sql.run`
        DELETE FROM sessions WHERE account_id = ${accountId} AND kind = 'session' AND hash = ${hash}`),

    async prolongSession(hash, expiresAt) {
      await sql.run`UPDATE sessions SET expires_at = ${expiresAt} WHERE hash = ${hash}`
    },

    takeLink: hash =>
      found(
        sql.get`DELETE FROM sessions WHERE hash = ${hash} AND kind = 'link' AND ${OF_OPEN_ACCOUNT} RETURNING *`,
        toSession,
      ),

    async forgetSessions(before) {
      await sql.run`DELETE FROM sessions WHERE expires_at < ${before}`
    },
  }
}
