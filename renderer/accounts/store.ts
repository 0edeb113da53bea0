import { create } from 'zustand'
import type { AccountChange, CreatedAccount, NewAccount, TeamAccount } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import { type Reading, reading } from '../ui/reading.ts'

interface AccountsState extends Reading {
  /** All accounts, the owner's first; null until they have been loaded. */
  accounts: readonly TeamAccount[] | null
  /** The account just created, with its first key; dropped as soon as the person has copied it. */
  created: CreatedAccount | null
  create(account: NewAccount): Promise<void>
  forgetKey(): void
  change(id: string, change: AccountChange): Promise<void>
  close(id: string): Promise<void>
}

export const useAccounts = create<AccountsState>()(set => {
  const edit = (change: (accounts: readonly TeamAccount[]) => readonly TeamAccount[]) =>
    set(({ accounts }) => ({ accounts: accounts && change(accounts) }))
  const replace = (changed: TeamAccount) =>
    edit(accounts => accounts.map(account => (account.id === changed.id ? changed : account)))
  return {
    accounts: null,
    created: null,
    ...reading<AccountsState>(set, async () => ({ accounts: await api.accounts() })),

    async create(account) {
      const created = await api.createAccount(account)
      const { key: _, ...listed } = created
      set({ created })
      edit(accounts => [...accounts, listed])
    },

    forgetKey: () => set({ created: null }),
    change: async (id, change) => replace(await api.changeAccount(id, change)),
    close: async id => replace(await api.closeAccount(id)),
  }
})
