import { create } from 'zustand'
import type { ApiKey, CreatedApiKey, NewApiKey } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import { listOf, type Reading, reading } from '../ui/reading.ts'

interface KeysState extends Reading<readonly ApiKey[]> {
  /** The key just created, with its secret; dropped as soon as the person has copied it. */
  created: CreatedApiKey | null
  createKey(key: NewApiKey): Promise<void>
  forgetSecret(): void
  setBudget(id: string, monthlyBudget: number | null): Promise<void>
  revoke(id: string): Promise<void>
}

export const useKeys = create<KeysState>()(set => {
  const { edit, replace, drop } = listOf<ApiKey>(set)
  return {
    ...reading<readonly ApiKey[]>(set, api.keys),
    created: null,

    async createKey(key) {
      const created = await api.createKey(key)
      const { secret: _, ...listed } = created
      set({ created })
      edit(keys => [listed, ...keys])
    },

    forgetSecret: () => set({ created: null }),
    setBudget: async (id, monthlyBudget) => replace(await api.setBudget(id, monthlyBudget)),

    async revoke(id) {
      await api.revokeKey(id)
      drop(id)
    },
  }
})
