import { create } from 'zustand'

interface LookState {
  /** The row that is shown in the whole window; null if none is. */
  key: string | null
  show(key: string | null): void
}

/** Which file the person takes a quick look at. */
export const useLook = create<LookState>()(set => ({ key: null, show: key => set({ key }) }))
