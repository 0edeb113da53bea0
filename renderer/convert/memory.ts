import { create } from 'zustand'
import { persist } from 'zustand/middleware'

export interface MemoryState {
  /** What each source format was last converted to. */
  lastTargets: Readonly<Record<string, string>>
  remember(targets: Record<string, string>): void
}

/** What the page remembers of earlier conversions, on this computer only. */
export const useMemory = create<MemoryState>()(
  persist(
    set => ({
      lastTargets: {},
      remember: targets => set(state => ({ lastTargets: { ...state.lastTargets, ...targets } })),
    }),
    { name: 'refile-last-targets' },
  ),
)
