import type { AccountStore, EntryFilter, StoredEntry } from '../store/interfaces/accounts.ts'

/** Reads the ledger, and adds manual entries. Charges and refunds are written together with their jobs. */
export class Ledger {
  readonly #store: AccountStore

  constructor(store: AccountStore) {
    this.#store = store
  }

  async balance(accountId: string): Promise<number> {
    return (await this.#store.get(accountId))?.balance ?? 0
  }

  topUp(accountId: string, amount: number): Promise<number> {
    return this.#store.topUp(accountId, amount, 'Top-up')
  }

  /** Entries older than `before`, newest first. */
  page(
    accountId: string,
    before: number | null,
    limit: number,
    filter: EntryFilter = {},
  ): Promise<StoredEntry[]> {
    return this.#store.entries(accountId, before, limit, filter)
  }

  /** Net credits spent since a time, by local day, category and API key. Refunded jobs are not counted. */
  spending(accountId: string, since: number): ReturnType<AccountStore['spending']> {
    return this.#store.spending(accountId, since)
  }
}
