import { create } from 'zustand'
import type { SignedIn } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import { useSession } from '../session/session.ts'
import { type Reading, reading } from '../ui/reading.ts'

interface SignedInState extends Reading {
  /** The browsers that are signed in; null until they have been loaded. */
  sessions: readonly SignedIn[] | null
  end(id: string): Promise<void>
  /** Ends the session of this page. */
  signOut(): Promise<void>
}

export const useSignedIn = create<SignedInState>()(set => ({
  sessions: null,
  ...reading<SignedInState>(set, async () => ({ sessions: await api.sessions() })),

  async end(id) {
    await api.endSession(id)
    set(({ sessions }) => ({ sessions: sessions?.filter(session => session.id !== id) ?? null }))
  },

  async signOut() {
    await api.signOut()
    useSession.getState().signedOut()
  },
}))
