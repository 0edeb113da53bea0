import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import type { Database } from '../storage/database.ts'

export interface ApiKeyRecord {
  id: string
  name: string
  prefix: string
  ipAllowlist: string[]
  guest: boolean
  createdAt: number
  expiresAt: number | null
  lastUsedAt: number | null
}

/** Who a valid key speaks for. */
export interface KeyHolder {
  accountId: string
  /** A guest may not convert from a URL. */
  guest: boolean
}

/** `rf_<id>_<secret>`: the id finds the row, so that the secret is only ever compared, never looked up. */
const KEY = /^rf_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/

// A key is 256 random bits, so a plain hash cannot be searched; slow password hashing would add nothing.
const digest = (secret: string) => createHash('sha256').update(secret).digest()

/** How often at most the time of last use is written, in milliseconds. */
const USE_RESOLUTION = 60_000

/** API keys. Only a hash of the secret is kept; the key itself is seen once, when it is made. */
export class ApiKeys {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Makes a key. `ipAllowlist` holds addresses and CIDR ranges; empty means every address. */
  create(
    accountId: string,
    settings: { name: string; ipAllowlist?: string[]; guest?: boolean; expiresAt?: number | null },
  ): { record: ApiKeyRecord; secret: string } {
    const id = randomBytes(8).toString('hex')
    const secret = randomBytes(32).toString('base64url')
    const prefix = `rf_${id.slice(0, 6)}…`
    this.#database.run(
      `INSERT INTO api_keys (id, account_id, name, hash, prefix, ip_allowlist, guest, created_at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      accountId,
      settings.name,
      digest(secret),
      prefix,
      JSON.stringify(settings.ipAllowlist ?? []),
      settings.guest ? 1 : 0,
      Date.now(),
      settings.expiresAt ?? null,
    )
    return { record: this.list(accountId).find(key => key.id === id)!, secret: `rf_${id}_${secret}` }
  }

  list(accountId: string): ApiKeyRecord[] {
    return this.#database
      .all(
        `SELECT id, name, prefix, ip_allowlist, guest, created_at AS createdAt, expires_at AS expiresAt,
                last_used_at AS lastUsedAt
         FROM api_keys WHERE account_id = ? ORDER BY created_at DESC`,
        accountId,
      )
      .map(({ ip_allowlist, guest, ...row }) => ({
        ...(row as unknown as Omit<ApiKeyRecord, 'ipAllowlist' | 'guest'>),
        ipAllowlist: JSON.parse(String(ip_allowlist)) as string[],
        guest: guest === 1,
      }))
  }

  /** Deletes a key; false when the account has none of this id. */
  revoke(accountId: string, id: string): boolean {
    return this.#database.run('DELETE FROM api_keys WHERE id = ? AND account_id = ?', id, accountId) === 1
  }

  /** The holder of a key, or undefined when it is unknown, expired, or not allowed from this address. */
  verify(key: string, address: string, now = Date.now()): KeyHolder | undefined {
    const [, id, secret] = KEY.exec(key) ?? []
    if (id === undefined || secret === undefined) return undefined
    const row = this.#database.get('SELECT * FROM api_keys WHERE id = ?', id)
    if (!row || !timingSafeEqual(row.hash as Uint8Array, digest(secret))) return undefined
    if (row.expires_at !== null && Number(row.expires_at) <= now) return undefined
    const allowlist = JSON.parse(String(row.ip_allowlist)) as string[]
    if (allowlist.length > 0 && !isAllowed(address, allowlist)) return undefined
    if (now - Number(row.last_used_at ?? 0) > USE_RESOLUTION) {
      this.#database.run('UPDATE api_keys SET last_used_at = ? WHERE id = ?', now, id)
    }
    return { accountId: String(row.account_id), guest: row.guest === 1 }
  }
}

/** Whether an entry is an address or a CIDR range that an allowlist can hold. */
export function isAllowlistEntry(entry: string): boolean {
  const [address = '', prefix, ...rest] = entry.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
}

function isAllowed(address: string, allowlist: readonly string[]): boolean {
  const list = new BlockList()
  for (const entry of allowlist) {
    const [base = '', prefix] = entry.split('/')
    const type = isIP(base) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(base, type)
    else list.addSubnet(base, Number(prefix), type)
  }
  // A dual-stack socket shows IPv4 callers as ::ffff:a.b.c.d.
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
}
