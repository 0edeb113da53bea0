export interface Account {
  id: string
  name: string
  balance: number
}

/** How many jobs an account may have at once; null is the usual number. */
export interface AccountLimits {
  running: number | null
  /** Queued plus running. */
  open: number | null
}

/** An account as the operator of a service sees it. */
export interface ListedAccount extends Account {
  limits: AccountLimits
  createdAt: number
  closedAt: number | null
}

export type EntryKind = 'grant' | 'charge' | 'refund' | 'top-up'

/** An entry of the ledger. */
export interface StoredEntry {
  id: number
  kind: EntryKind
  /** Signed credits: charges are negative. */
  amount: number
  reason: string
  jobId: string | null
  category: string | null
  /** The API key that the job was submitted with; null for the app's own jobs and for entries without a job. */
  keyId: string | null
  createdAt: number
}

/** Filters the ledger; fields that are left out do not restrict it. */
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

/** Net credits spent, and the number of jobs they were spent on. */
export interface Spending {
  spent: number
  jobs: number
}

export interface ApiKeyRecord {
  id: string
  name: string
  /** First characters of the key, for recognising it. */
  prefix: string
  /** Addresses and CIDR ranges; empty means any address. */
  ipAllowlist: string[]
  /** Guests may not convert from a URL. */
  guest: boolean
  /** Maximum cost of its jobs in a calendar month (UTC); null for no limit. */
  monthlyBudget: number | null
  /** Cost of its jobs in this calendar month (UTC), minus refunds. */
  spentThisMonth: number
  createdAt: number
  expiresAt: number | null
  lastUsedAt: number | null
}

/** What the jobs of one API key have cost. The key may have been revoked since; null means the app's own jobs. */
export interface KeySpending extends Spending {
  keyId: string | null
  name: string | null
}

/** A key with the data needed to verify it. */
export interface StoredApiKey extends ApiKeyRecord {
  accountId: string
  /** SHA-256 of the secret. */
  hash: Uint8Array
}

/** A key as it is made. */
export type NewApiKey = Omit<StoredApiKey, 'spentThisMonth'>

/** Whom a provider of identities vouches for: only issuer and subject together stay one person's (OpenID Connect Core 1.0, 5.7). */
export interface Identity {
  issuer: string
  subject: string
  /** The name of the account that they may open. */
  name: string
}

/**
 * The token of a session, in two halves that are worth nothing alone: browsers send a cookie to every port of a host, and so to
 * servers of other users of this machine, but let no other origin see what a page keeps.
 */
export interface SessionToken {
  cookie: string
  page: string
}

/** The owner of a service opens its page on its machine, and may use that; members use their account. */
export type SessionRole = 'owner' | 'member'

/** A one-time link that opens the page, or the session that it is exchanged for. */
export interface SessionRecord {
  /** SHA-256 of the token. */
  hash: Uint8Array
  kind: 'link' | 'session'
  accountId: string
  role: SessionRole
  expiresAt: number
}

/**
 * Accounts and what belongs to them: credits, API keys, sessions. Only hashes of secrets are stored. Charges and
 * refunds are written by the job store, together with their jobs.
 */
export interface AccountStore {
  /** Milliseconds since 1970 by the store's own clock, which all its hosts share: it decides when something of it is over. */
  now(): number
  /** The first account, which is the local owner; created from `account` if there is none. */
  owner(account: { name: string; credits: number }): Promise<Account>
  /** Creates an account, with its first credits as a grant. */
  create(account: { name: string; credits: number }): Promise<Account>
  /** The same, unless an open account has this name: undefined then. Of those who ask for a name at once, one gets it. */
  createUnlessTaken(account: { name: string; credits: number }): Promise<Account | undefined>
  get(id: string): Promise<Account | undefined>
  /**
   * The open account of a person: the one that they opened before, else the open one with their name that nobody has opened so, from
   * then on theirs. The owner's is nobody's.
   * @param credits of a new account if no account ever had the name; null if none is created
   */
  identified(identity: Identity, credits: number | null): Promise<string | undefined>
  /** All accounts, the owner's first. */
  list(): Promise<ListedAccount[]>
  /** Changes the limits that are given; false if there is no such account. */
  setLimits(id: string, limits: Partial<AccountLimits>): Promise<boolean>
  /** Revokes an account's keys and ends its sessions; its jobs and results stay. False if it is closed already, or there is none. */
  close(id: string): Promise<boolean>

  /** Adds credits and returns the balance. */
  topUp(accountId: string, amount: number, reason: string): Promise<number>
  /** The owner's choice whether an account tops itself up; null if nothing was chosen. */
  autoTopUp(accountId: string): Promise<boolean | null>
  setAutoTopUp(accountId: string, on: boolean): Promise<void>

  /** Entries of the ledger older than `before`, newest first. */
  entries(
    accountId: string,
    before: number | null,
    limit: number,
    filter?: EntryFilter,
  ): Promise<StoredEntry[]>
  /** Net credits spent since a time, by local day, by category and by API key. Refunded jobs are not counted. */
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
  /** Changes the monthly budget of a key; false if the account has no key with this id. */
  setBudget(accountId: string, id: string, monthlyBudget: number | null): Promise<boolean>
  /** Revokes a key, keeping only its name for its jobs; false if the account has no key with this id. */
  removeKey(accountId: string, id: string): Promise<boolean>

  addSession(session: SessionRecord): Promise<void>
  /** Returns a session of an open account, even an expired one, but no links. */
  session(hash: Uint8Array): Promise<SessionRecord | undefined>
  prolongSession(hash: Uint8Array, expiresAt: number): Promise<void>
  /** An account's sessions that have not expired, the one that lasts longest first. */
  sessions(accountId: string): Promise<SessionRecord[]>
  /** Ends a session; false if the account has no session with this hash. */
  removeSession(accountId: string, hash: Uint8Array): Promise<boolean>
  /** Removes a link of an open account and returns it; if several callers try at once, only one gets it. */
  takeLink(hash: Uint8Array): Promise<SessionRecord | undefined>
  /** Deletes links and sessions that ended before a time. */
  forgetSessions(before: number): Promise<void>
}
