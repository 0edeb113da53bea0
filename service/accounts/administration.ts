import type {
  AccountLimits,
  AccountStore,
  Identity,
  ListedAccount,
  SessionToken,
} from '../store/interfaces/accounts.ts'
import { ApiKeys } from './keys.ts'
import { Sessions, SIGN_IN_LIFETIME_MS } from './sessions.ts'

/** Why an account is not created or changed. */
export class AccountRefused extends Error {
  readonly reason: 'unknown' | 'name_taken' | 'owner'

  constructor(reason: AccountRefused['reason'], what: string) {
    super(what)
    this.reason = reason
  }
}

/** An account as whoever operates the service sees it. */
export interface AdministeredAccount {
  id: string
  name: string
  credits: number
  /** What its jobs cost since the beginning of the calendar month (UTC), less refunds. */
  spentThisMonth: number
  /** How many of its jobs may run, and may be open. */
  running: number
  open: number
  created: string
  /** When it was closed; null while it is open. */
  closed: string | null
  /** How many browsers are signed in to it. */
  sessions: number
}

/** A token that signs a browser in to an account, once. */
export interface SignIn {
  token: string
  /** Until when. */
  expires: string
}

/** What may be changed of an account. */
export interface AccountChange {
  limits: Partial<AccountLimits>
  /** Added to what it has. */
  credits?: number | undefined
}

/** The accounts of a service, for whoever operates it. */
export class Administration {
  readonly #store: AccountStore
  readonly #keys: ApiKeys
  readonly #sessions: Sessions
  readonly #usual: { runningPerAccount: number; openPerAccount: number }
  readonly #freeCredits: number

  /** @param usual limits of accounts without limits of their own */
  constructor(
    store: AccountStore,
    usual: { runningPerAccount: number; openPerAccount: number },
    freeCredits: number,
  ) {
    this.#store = store
    this.#keys = new ApiKeys(store)
    this.#sessions = new Sessions(store)
    this.#usual = usual
    this.#freeCredits = freeCredits
  }

  async list(): Promise<AdministeredAccount[]> {
    const accounts: AdministeredAccount[] = []
    for (const account of await this.#store.list()) accounts.push(await this.#shown(account))
    return accounts
  }

  /** Creates an account with a first key, returned only here. @throws AccountRefused */
  async create(
    name: string,
    { limits, credits = this.#freeCredits }: AccountChange,
  ): Promise<{ account: AdministeredAccount; key: string }> {
    const created = await this.#store.createUnlessTaken({ name, credits })
    if (!created) throw new AccountRefused('name_taken', `There is an account ${name} already.`)
    const { id } = created
    await this.#store.setLimits(id, limits)
    const { secret } = await this.#keys.create(id, { name: 'First key' })
    return { account: await this.#shown(await this.#find(id)), key: secret }
  }

  /** Changes the account with this id or name. @throws AccountRefused */
  async change(name: string, { limits, credits = 0 }: AccountChange): Promise<AdministeredAccount> {
    const { id } = await this.#find(name)
    await this.#store.setLimits(id, limits)
    if (credits > 0) await this.#store.topUp(id, credits, 'Added by the operator')
    return this.#shown(await this.#find(id))
  }

  /** Closes the account with this id or name: its keys are revoked, its jobs still finish. @throws AccountRefused */
  async close(name: string): Promise<AdministeredAccount> {
    const { id } = await this.#find(name)
    await this.#notOwners(id, "The owner's account cannot be closed.")
    await this.#store.close(id)
    return this.#shown(await this.#find(id))
  }

  /** A link's token for the open account with this id or name; the owner opens the app without one. @throws AccountRefused */
  async signIn(name: string): Promise<SignIn> {
    const { id, closedAt } = await this.#find(name)
    if (closedAt !== null) throw new AccountRefused('unknown', `There is no open account ${name}.`)
    await this.#notOwners(id, "The owner's account is opened with --open, not with a link.")
    const expires = new Date(this.#store.now() + SIGN_IN_LIFETIME_MS).toISOString()
    return { token: await this.#sessions.signInLink(id, SIGN_IN_LIFETIME_MS), expires }
  }

  /**
   * A session of the account of somebody whom a provider of identities vouches for.
   * @param isCreated whether it is created if nobody ever had the name; a closed one stays closed
   * @throws AccountRefused
   */
  async identified(identity: Identity, isCreated: boolean): Promise<SessionToken> {
    const accountId = await this.#store.identified(identity, isCreated ? this.#freeCredits : null)
    if (accountId === undefined)
      throw new AccountRefused('unknown', `There is no open account ${identity.name} for this person.`)
    return this.#sessions.start({ accountId, role: 'member' })
  }

  async #notOwners(id: string, why: string): Promise<void> {
    const [owner] = await this.#store.list()
    if (id === owner?.id) throw new AccountRefused('owner', why)
  }

  /** The account with an id, or the open one with a name. */
  async #find(name: string): Promise<ListedAccount> {
    const accounts = await this.#store.list()
    const found = accounts.find(({ id }) => id === name) ?? accounts.find(each => isOpenWith(each, name))
    if (!found) throw new AccountRefused('unknown', `There is no open account ${name}.`)
    return found
  }

  async #shown({
    id,
    name,
    balance,
    limits,
    createdAt,
    closedAt,
  }: ListedAccount): Promise<AdministeredAccount> {
    const now = new Date(this.#store.now())
    const { byCategory } = await this.#store.spending(id, Date.UTC(now.getUTCFullYear(), now.getUTCMonth()))
    return {
      id,
      name,
      credits: balance,
      spentThisMonth: byCategory.reduce((sum, { spent }) => sum + spent, 0),
      running: limits.running ?? this.#usual.runningPerAccount,
      open: limits.open ?? this.#usual.openPerAccount,
      created: new Date(createdAt).toISOString(),
      closed: closedAt === null ? null : new Date(closedAt).toISOString(),
      sessions: (await this.#sessions.list(id)).length,
    }
  }
}

const isOpenWith = (account: ListedAccount, name: string) =>
  account.name === name && account.closedAt === null
