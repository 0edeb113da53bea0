import { create } from 'zustand'
import type { About } from '../../service/web/app/types.ts'
import { api, type Client } from '../api/client.ts'

interface SettingsState {
  about: About | null
  failed: boolean
  load(): Promise<void>
}

export const createSettingsStore = (client: Pick<Client, 'about'>) =>
  create<SettingsState>()(set => ({
    about: null,
    failed: false,
    async load() {
      try {
        set({ about: await client.about(), failed: false })
      } catch {
        set({ failed: true })
      }
    },
  }))

export const useSettings = createSettingsStore(api)
