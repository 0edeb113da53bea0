import type { Config } from '../shared/config.ts'
import type { Account, AccountStore } from '../store/interfaces/accounts.ts'

/** The accounts that own jobs and credits on this machine. The first one is the owner, created at the first start. */
export class Accounts {
  readonly #store: AccountStore
  readonly #freeCredits: number

  constructor(store: AccountStore, config: Pick<Config, 'freeCredits'>) {
    this.#store = store
    this.#freeCredits = config.freeCredits
  }

  /** The local owner; created with the free credits if there is none yet. */
  owner(): Promise<Account> {
    return this.#store.owner({ name: 'Owner', credits: this.#freeCredits })
  }

  create(name: string): Promise<Account> {
    return this.#store.create({ name, credits: this.#freeCredits })
  }
}
