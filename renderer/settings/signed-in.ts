import { create } from 'zustand'
import type { SignedIn } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import { useSession } from '../session/session.ts'
import { listOf, type Reading, reading } from '../ui/reading.ts'

/** The browsers that are signed in. */
interface SignedInState extends Reading<readonly SignedIn[]> {
  end(id: string): Promise<void>
  /** Ends the session of this page. */
  signOut(): Promise<void>
}

export const useSignedIn = create<SignedInState>()(set => ({
  ...reading<readonly SignedIn[]>(set, api.sessions),

  async end(id) {
    await api.endSession(id)
    listOf<SignedIn>(set).drop(id)
  },

  async signOut() {
    await api.signOut()
    useSession.getState().signedOut()
  },
}))
