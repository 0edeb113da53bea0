import { create } from 'zustand'
import type { Session } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import type { Catalogue } from '../api/contract.ts'
import { ApiError } from '../api/errors.ts'

type Status = 'loading' | 'ready' | 'signed-out' | 'unreachable'

export interface SessionState {
  status: Status
  session: Session | null
  balance: number
  /** The available conversions; null until loaded. */
  catalogue: Catalogue | null
  /** Job types whose engine is not on this machine. */
  missing: readonly string[]
  /** Whether live events arrive. */
  live: boolean
  start(): Promise<void>
  /** Loads the catalogue, unless it was. */
  loadCatalogue(): Promise<void>
  /** Hides the session's notice permanently. */
  dismissNotice(): void
}

export const useSession = create<SessionState>()((set, get) => ({
  status: 'loading',
  session: null,
  balance: 0,
  catalogue: null,
  missing: [],
  live: true,

  async start() {
    try {
      const session = await api.session()
      set({ status: 'ready', session, balance: session.balance })
    } catch (error) {
      const signedOut = error instanceof ApiError && error.status === 401
      set({ status: signedOut ? 'signed-out' : 'unreachable' })
      return
    }
    // From then on, files also know about missing engines.
    void api.missing().then(
      missing => set({ missing }),
      () => {},
    )
  },

  async loadCatalogue() {
    // The page works without it: prices come with each file.
    if (!get().catalogue) set({ catalogue: await api.catalogue().catch(() => null) })
  },

  dismissNotice() {
    set(({ session }) => ({ session: session && { ...session, notice: null } }))
    // If it could not be dismissed, the next start shows it again.
    api.dismissNotice().catch(() => {})
  },
}))

/** Whether the person is a member of an account, who cannot use the machine of the service. */
export const isMember = ({ session }: Pick<SessionState, 'session'> = useSession.getState()): boolean =>
  session?.isOwner === false
