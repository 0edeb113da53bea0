export interface Account {
  id: string
  name: string
  balance: number
}

export type EntryKind = 'grant' | 'charge' | 'refund' | 'top-up'

/** An entry of the ledger. */
export interface Entry {
  id: number
  kind: EntryKind
  /** Signed credits: charges are negative. */
  amount: number
  reason: string
  jobId: string | null
  category: string | null
  createdAt: number
}

/** Net credits spent and jobs that cost them. */
export interface Spending {
  spent: number
  jobs: number
}

export interface ApiKeyRecord {
  id: string
  name: string
  /** First characters of the key, to recognise it by. */
  prefix: string
  /** Addresses and CIDR ranges; empty means any address. */
  ipAllowlist: string[]
  /** A guest may not convert from a URL. */
  guest: boolean
  createdAt: number
  expiresAt: number | null
  lastUsedAt: number | null
}

/** A key with what it takes to check it. */
export interface StoredApiKey extends ApiKeyRecord {
  accountId: string
  /** SHA-256 of the secret. */
  hash: Uint8Array
}

/** What the page is opened with: a link, once, and the session it is traded for. */
export interface SessionRecord {
  /** SHA-256 of the token. */
  hash: Uint8Array
  kind: 'link' | 'session'
  accountId: string
  expiresAt: number
}

/**
 * Accounts and what belongs to them: credits, API keys, sessions. No secret is stored, only hashes. Charges and refunds
 * are written by the job store, with the jobs they belong to.
 */
export interface AccountStore {
  /** The first account, which is the local owner; made from `account` when there is none. */
  owner(account: { name: string; credits: number }): Promise<Account>
  /** Makes an account, with its first credits as a grant. */
  create(account: { name: string; credits: number }): Promise<Account>
  get(id: string): Promise<Account | undefined>

  /** Adds credits and returns the balance. */
  topUp(accountId: string, amount: number, reason: string): Promise<number>
  /** Entries of the ledger older than `before`, newest first. */
  entries(accountId: string, before: number | null, limit: number): Promise<Entry[]>
  /** Net credits spent since a time, by local day and by category. A refunded job counts nowhere. */
  spending(
    accountId: string,
    since: number,
  ): Promise<{ byDay: (Spending & { day: string })[]; byCategory: (Spending & { category: string })[] }>

  addKey(key: StoredApiKey): Promise<void>
  key(id: string): Promise<StoredApiKey | undefined>
  /** An account's keys, newest first. */
  keys(accountId: string): Promise<ApiKeyRecord[]>
  /** Records a use of a key. */
  touchKey(id: string, at: number): Promise<void>
  /** Deletes a key; false when the account has none of this id. */
  removeKey(accountId: string, id: string): Promise<boolean>

  addSession(session: SessionRecord): Promise<void>
  /** A session, also one that is over; links are not found. */
  session(hash: Uint8Array): Promise<SessionRecord | undefined>
  prolongSession(hash: Uint8Array, expiresAt: number): Promise<void>
  /** Takes a link away and returns it: of several callers one gets it. */
  takeLink(hash: Uint8Array): Promise<SessionRecord | undefined>
  /** Forgets links and sessions that ended before a time. */
  forgetSessions(before: number): Promise<void>
}
