import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { isWithin } from '../shared/address-ranges.ts'
import type { AccountStore, ApiKeyRecord, NewApiKey } from '../store/interfaces/accounts.ts'
import { unlessFault } from '../store/interfaces/errors.ts'

/** Whom a valid key identifies. */
export interface KeyHolder {
  accountId: string
  keyId: string
  /** Guests may not convert from a URL. */
  guest: boolean
}

/** `rf_<id>_<secret>`: the id finds the row, so the secret is only ever compared, never looked up. */
const KEY = /^rf_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/

/** SHA-256 of a secret. A key has 256 random bits, so a plain hash cannot be brute-forced; slow password hashing would add nothing. */
export const digest = (secret: string) => createHash('sha256').update(secret).digest()

/** The time of last use is written at most this often. */
const USE_RESOLUTION_MS = 60_000

/** API keys. Only a hash of the secret is stored; the key itself is shown once, when it is created. */
export class ApiKeys {
  readonly #store: AccountStore

  constructor(store: AccountStore) {
    this.#store = store
  }

  /**
   * Creates a key. `ipAllowlist` holds addresses and CIDR ranges; empty means every address. `monthlyBudget` is what its jobs
   * may cost in a calendar month (UTC), in credits; null means no limit of its own.
   */
  async create(
    accountId: string,
    settings: Pick<NewApiKey, 'name'> &
      Partial<Pick<NewApiKey, 'ipAllowlist' | 'guest' | 'expiresAt' | 'monthlyBudget'>>,
  ): Promise<{ record: ApiKeyRecord; secret: string }> {
    const id = randomBytes(8).toString('hex')
    const secret = randomBytes(32).toString('base64url')
    const record = {
      id,
      name: settings.name,
      prefix: `rf_${id.slice(0, 6)}…`,
      ipAllowlist: settings.ipAllowlist ?? [],
      guest: settings.guest ?? false,
      monthlyBudget: settings.monthlyBudget ?? null,
      createdAt: this.#store.now(),
      expiresAt: settings.expiresAt ?? null,
      lastUsedAt: null,
    }
    await this.#store.addKey({ ...record, accountId, hash: digest(secret) })
    return { record: { ...record, spentThisMonth: 0 }, secret: `rf_${id}_${secret}` }
  }

  /** Creates a key that replaces all keys of the same name. */
  async replace(
    accountId: string,
    settings: { name: string },
  ): Promise<{ record: ApiKeyRecord; secret: string }> {
    const former = (await this.list(accountId)).filter(({ name }) => name === settings.name)
    const made = await this.create(accountId, settings)
    for (const { id } of former) await this.revoke(accountId, id)
    return made
  }

  list(accountId: string): Promise<ApiKeyRecord[]> {
    return this.#store.keys(accountId)
  }

  /** Revokes a key; false if the account has no key with this id. */
  revoke(accountId: string, id: string): Promise<boolean> {
    return this.#store.removeKey(accountId, id)
  }

  /** The holder of a key, or undefined if it is unknown, expired, or not allowed from this address. */
  async verify(key: string, address: string, now = this.#store.now()): Promise<KeyHolder | undefined> {
    const [, id, secret] = KEY.exec(key) ?? []
    if (id === undefined || secret === undefined) return undefined
    const stored = await this.#store.key(id)
    if (!stored || !timingSafeEqual(stored.hash, digest(secret))) return undefined
    if (stored.expiresAt !== null && stored.expiresAt <= now) return undefined
    if (stored.ipAllowlist.length > 0 && !isWithin(address, stored.ipAllowlist)) return undefined
    if (now - (stored.lastUsedAt ?? 0) > USE_RESOLUTION_MS) {
      await this.#store.touchKey(id, now).catch(unlessFault)
    }
    return { accountId: stored.accountId, keyId: stored.id, guest: stored.guest }
  }
}
