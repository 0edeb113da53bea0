import type { Config } from '../shared/config.ts'
import { RequestError } from '../shared/errors.ts'
import { message } from '../shared/messages/message.ts'
import type { Account, AccountStore } from '../store/interfaces/accounts.ts'

/** The refusal of a job that costs more credits than are available. */
export const insufficientCredits = (required: number, available: number): RequestError =>
  new RequestError(
    'entitlements.insufficient_credits',
    message('entitlements.insufficient_credits', { required, available }),
  )

/** The refusal of a job that costs more than an API key's budget has left this month; the code is the same. */
export const overBudget = (
  required: number,
  { budget, spent }: { budget: number; spent: number },
): RequestError =>
  new RequestError(
    'entitlements.insufficient_credits',
    message('entitlements.over_budget', { required, budget, left: Math.max(0, budget - spent) }),
  )

/** Credits of one automatic top-up; a job that costs more gets as many as it needs. */
const TOP_UP_CREDITS = 500

/** Who pays: an account, within the budget of the API key if there is one. */
interface Payer {
  accountId: string
  keyId?: string | null
}

/** Whether the owner's account tops itself up. */
export interface AutoTopUp {
  on: boolean
  /** Whether REFILE_AUTO_TOP_UP sets it, so that it cannot be changed. */
  isFixed: boolean
}

/**
 * What a job can be paid with: the balance; the grants with which the owner's account tops itself up, so that a number does
 * not keep people from their own files; and the budget of an API key, which always applies. Charging checks all three again,
 * within its transaction.
 */
export class Funds {
  readonly #store: AccountStore
  readonly #owner: () => Promise<Account>
  readonly #fixed: boolean | null
  readonly #isApp: boolean
  #ownerId: string | undefined

  constructor(parts: {
    store: AccountStore
    owner: () => Promise<Account>
    config: Pick<Config, 'autoTopUp'>
    /** Whether this is the app rather than a server. */
    isApp: boolean
  }) {
    this.#store = parts.store
    this.#owner = parts.owner
    this.#fixed = parts.config.autoTopUp
    this.#isApp = parts.isApp
  }

  /** Whether an account tops itself up; only the owner's can. */
  async autoTopUp(accountId: string): Promise<AutoTopUp> {
    this.#ownerId ??= (await this.#owner()).id
    if (accountId !== this.#ownerId) return { on: false, isFixed: true }
    if (this.#fixed !== null) return { on: this.#fixed, isFixed: true }
    return { on: (await this.#store.autoTopUp(accountId)) ?? this.#isApp, isFixed: false }
  }

  async setAutoTopUp(accountId: string, on: boolean): Promise<AutoTopUp> {
    const { isFixed } = await this.autoTopUp(accountId)
    if (!isFixed) await this.#store.setAutoTopUp(accountId, on)
    return this.autoTopUp(accountId)
  }

  /** Credits of one automatic top-up of an account; 0 if it has none. */
  async topUpCredits(accountId: string): Promise<number> {
    return (await this.autoTopUp(accountId)).on ? TOP_UP_CREDITS : 0
  }

  /** @throws RequestError entitlements.insufficient_credits if a cost cannot be paid */
  async check({ accountId, keyId }: Payer, cost: number): Promise<void> {
    const budget = await this.#budget(keyId)
    if (budget && budget.spent + cost > budget.budget) throw overBudget(cost, budget)
    const balance = await this.#balance(accountId)
    if (balance < cost && !(await this.autoTopUp(accountId)).on) throw insufficientCredits(cost, balance)
  }

  /** Credits that can be spent now: the balance, or the rest of the key's budget if that is less. */
  async available({ accountId, keyId }: Payer): Promise<number> {
    const budget = await this.#budget(keyId)
    const balance = await this.#balance(accountId)
    return budget ? Math.max(0, Math.min(balance, budget.budget - budget.spent)) : balance
  }

  async #balance(accountId: string): Promise<number> {
    return (await this.#store.get(accountId))?.balance ?? 0
  }

  async #budget(keyId: string | null | undefined): Promise<{ budget: number; spent: number } | undefined> {
    const key = keyId ? await this.#store.key(keyId) : undefined
    return key?.monthlyBudget == null ? undefined : { budget: key.monthlyBudget, spent: key.spentThisMonth }
  }
}
