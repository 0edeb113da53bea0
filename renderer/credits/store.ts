import { create } from 'zustand'
import type { Credits } from '../../service/web/app/types.ts'
import { api, type Client } from '../api/client.ts'

export const periods = [7, 30, 90] as const
export type Period = (typeof periods)[number]

interface CreditsState {
  days: Period
  credits: Credits | null
  status: 'loading' | 'ready' | 'failed'
  load(days?: Period): Promise<void>
  setAutoTopUp(on: boolean): Promise<void>
}

export const createCreditsStore = (client: Pick<Client, 'credits' | 'setAutoTopUp'>) =>
  create<CreditsState>()((set, get) => ({
    days: 30,
    credits: null,
    status: 'loading',

    async setAutoTopUp(on) {
      const autoTopUp = await client.setAutoTopUp(on)
      set(({ credits }) => ({ credits: credits && { ...credits, autoTopUp } }))
    },

    async load(days = get().days) {
      set({ days, status: 'loading' })
      try {
        const credits = await client.credits(days)
        // A late answer for a period that is no longer selected is dropped.
        if (get().days === days) set({ credits, status: 'ready' })
      } catch {
        if (get().days === days) set({ status: 'failed' })
      }
    },
  }))

export const useCredits = createCreditsStore(api)
