import { create } from 'zustand'
import type { ApiKey, CreatedApiKey, NewApiKey } from '../../service/web/app/types.ts'
import { api, type Client } from '../api/client.ts'

interface KeysState {
  keys: readonly ApiKey[]
  status: 'loading' | 'ready' | 'failed'
  /** The key just created, with its secret; dropped as soon as the person has copied it. */
  created: CreatedApiKey | null
  load(): Promise<void>
  createKey(key: NewApiKey): Promise<void>
  forgetSecret(): void
  setBudget(id: string, monthlyBudget: number | null): Promise<void>
  revoke(id: string): Promise<void>
}

export const createKeysStore = (client: Pick<Client, 'keys' | 'createKey' | 'setBudget' | 'revokeKey'>) =>
  create<KeysState>()(set => ({
    keys: [],
    status: 'loading',
    created: null,

    async load() {
      try {
        set({ keys: await client.keys(), status: 'ready' })
      } catch {
        set({ status: 'failed' })
      }
    },

    async createKey(key) {
      const created = await client.createKey(key)
      const { secret: _, ...listed } = created
      set(state => ({ created, keys: [listed, ...state.keys] }))
    },

    forgetSecret: () => set({ created: null }),

    async setBudget(id, monthlyBudget) {
      const changed = await client.setBudget(id, monthlyBudget)
      set(state => ({ keys: state.keys.map(key => (key.id === id ? changed : key)) }))
    },

    async revoke(id) {
      await client.revokeKey(id)
      set(state => ({ keys: state.keys.filter(key => key.id !== id) }))
    },
  }))

export const useKeys = createKeysStore(api)
