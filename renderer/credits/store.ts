import { create } from 'zustand'
import type { Credits } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import { useSession } from '../session/session.ts'
import { type Reading, reading } from '../ui/reading.ts'

export const periods = [7, 30, 90] as const
export type Period = (typeof periods)[number]

interface CreditsState extends Reading {
  days: Period
  credits: Credits | null
  choose(days: Period): Promise<void>
  setAutoTopUp(on: boolean): Promise<void>
}

export const useCredits = create<CreditsState>()((set, get) => ({
  days: 30,
  credits: null,
  ...reading<CreditsState>(set, async () => ({ credits: await api.credits(get().days) })),

  choose(days) {
    set({ days })
    return get().load()
  },

  async setAutoTopUp(on) {
    const autoTopUp = await api.setAutoTopUp(on)
    set(({ credits }) => ({ credits: credits && { ...credits, autoTopUp } }))
    useSession.setState(({ session }) => ({ session: session && { ...session, autoTopUp: autoTopUp.on } }))
  },
}))
