import type { AdministeredAccount } from '../../../accounts/administration.ts'

export type { AccountChange, NewAccount } from '../../http/administration.ts'

/** An account as the owner sees it. */
export type TeamAccount = AdministeredAccount

/** A link that signs a browser in, once. */
export interface SignInLink {
  url: string
  expires: string
}

/** With its first key, which is shown only here. */
export interface CreatedAccount extends TeamAccount {
  key: string
}
