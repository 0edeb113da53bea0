import { create } from 'zustand'
import type { AccountChange, CreatedAccount, NewAccount, TeamAccount } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import { listOf, type Reading, reading } from '../ui/reading.ts'

/** All accounts, the owner's first. */
interface AccountsState extends Reading<readonly TeamAccount[]> {
  /** The account just created, with its first key; dropped as soon as the person has copied it. */
  created: CreatedAccount | null
  create(account: NewAccount): Promise<void>
  forgetKey(): void
  change(id: string, change: AccountChange): Promise<void>
  close(id: string): Promise<void>
}

export const useAccounts = create<AccountsState>()(set => {
  const { edit, replace } = listOf<TeamAccount>(set)
  return {
    ...reading<readonly TeamAccount[]>(set, api.accounts),
    created: null,

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
