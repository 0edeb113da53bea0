import { create } from 'zustand'
import type { Credits } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import { useSession } from '../session/session.ts'
import { type Reading, reading } from '../ui/reading.ts'

export const periods = [7, 30, 90] as const
type Period = (typeof periods)[number]

interface CreditsState extends Reading<Credits> {
  days: Period
  choose(days: Period): Promise<void>
  setAutoTopUp(on: boolean): Promise<void>
}

export const useCredits = create<CreditsState>()((set, get) => ({
  days: 30,
  ...reading<Credits>(set, () => api.credits(get().days)),

  choose(days) {
    set({ days })
    return get().load()
  },

  async setAutoTopUp(on) {
    const autoTopUp = await api.setAutoTopUp(on)
    set(({ value }) => ({ value: value && { ...value, autoTopUp } }))
    useSession.setState(({ session }) => ({ session: session && { ...session, autoTopUp: autoTopUp.on } }))
  },
}))
