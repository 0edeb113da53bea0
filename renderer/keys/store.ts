import { create } from 'zustand'
import type { ApiKey, CreatedApiKey, NewApiKey } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import { type Reading, reading } from '../ui/reading.ts'

interface KeysState extends Reading {
  /** Null until they have been loaded. */
  keys: readonly ApiKey[] | null
  /** The key just created, with its secret; dropped as soon as the person has copied it. */
  created: CreatedApiKey | null
  createKey(key: NewApiKey): Promise<void>
  forgetSecret(): void
  setBudget(id: string, monthlyBudget: number | null): Promise<void>
  revoke(id: string): Promise<void>
}

export const useKeys = create<KeysState>()(set => {
  const edit = (change: (keys: readonly ApiKey[]) => readonly ApiKey[]) =>
    set(({ keys }) => ({ keys: keys && change(keys) }))
  return {
    keys: null,
    created: null,
    ...reading<KeysState>(set, async () => ({ keys: await api.keys() })),

    async createKey(key) {
      const created = await api.createKey(key)
      const { secret: _, ...listed } = created
      set({ created })
      edit(keys => [listed, ...keys])
    },

    forgetSecret: () => set({ created: null }),

    async setBudget(id, monthlyBudget) {
      const changed = await api.setBudget(id, monthlyBudget)
      edit(keys => keys.map(key => (key.id === id ? changed : key)))
    },

    async revoke(id) {
      await api.revokeKey(id)
      edit(keys => keys.filter(key => key.id !== id))
    },
  }
})
