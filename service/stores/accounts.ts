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
  /** The API key that the job was submitted with; null for the app's own jobs and for what is no job. */
  keyId: string | null
  createdAt: number
}

/** Which entries of the ledger are wanted; what is left out narrows nothing. */
export interface EntryFilter {
  /** Part of the reason, in any case. */
  search?: string | undefined
  kind?: EntryKind | undefined
  category?: string | undefined
  keyId?: string | undefined
  /** Time of the entry: from `from` on, before `to`. */
  from?: number | undefined
  to?: number | undefined
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
  /** Most credits its jobs may cost in a calendar month (UTC); null for no such limit. */
  monthlyBudget: number | null
  /** What its jobs of this calendar month (UTC) have cost, less refunds. */
  spentThisMonth: number
  createdAt: number
  expiresAt: number | null
  lastUsedAt: number | null
}

/** What jobs of one API key have cost. It may have been revoked since; null stands for the app's own jobs. */
export interface KeySpending extends Spending {
  keyId: string | null
  name: string | null
}

/** A key with what it takes to check it. */
export interface StoredApiKey extends ApiKeyRecord {
  accountId: string
  /** SHA-256 of the secret. */
  hash: Uint8Array
}

/** A key as it is made. */
export type NewApiKey = Omit<StoredApiKey, 'spentThisMonth'>

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
  /** Whether an account tops itself up, as its owner has chosen; null when nothing was chosen. */
  autoTopUp(accountId: string): Promise<boolean | null>
  setAutoTopUp(accountId: string, on: boolean): Promise<void>

  /** Entries of the ledger older than `before`, newest first. */
  entries(accountId: string, before: number | null, limit: number, filter?: EntryFilter): Promise<Entry[]>
  /** Net credits spent since a time, by local day, by category and by API key. A refunded job counts nowhere. */
  spending(
    accountId: string,
    since: number,
  ): Promise<{
    byDay: (Spending & { day: string })[]
    byCategory: (Spending & { category: string })[]
    byKey: KeySpending[]
  }>

  addKey(key: NewApiKey): Promise<void>
  key(id: string): Promise<StoredApiKey | undefined>
  /** An account's keys, newest first. */
  keys(accountId: string): Promise<ApiKeyRecord[]>
  /** Records a use of a key. */
  touchKey(id: string, at: number): Promise<void>
  /** Changes what a key's jobs may cost in a month; false when the account has no key of this id. */
  setBudget(accountId: string, id: string, monthlyBudget: number | null): Promise<boolean>
  /** Revokes a key, of which only the name is kept for its jobs; false when the account has none of this id. */
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
