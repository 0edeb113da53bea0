import type { AdministeredAccount } from '../../../accounts/administration.ts'

export type { AccountChange, NewAccount } from '../../http/administration.ts'

/** An account as the owner sees it. */
export type TeamAccount = AdministeredAccount

/** With its first key, which is shown only here. */
export interface CreatedAccount extends TeamAccount {
  key: string
}
