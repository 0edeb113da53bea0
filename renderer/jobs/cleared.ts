import { create } from 'zustand'
import { persist } from 'zustand/middleware'

interface ClearedState {
  /** Jobs that ended before this moment are left to the History page. */
  clearedAt: string | null
  clearFinished(): void
}

/** A store of its own, because it is written to the browser's storage and jobs change many times a second. */
export const useCleared = create<ClearedState>()(
  persist(set => ({ clearedAt: null, clearFinished: () => set({ clearedAt: new Date().toISOString() }) }), {
    name: 'refile-cleared',
  }),
)
