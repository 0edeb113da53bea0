import { create } from 'zustand'

/** What lies over the page: the commands, or the list of shortcuts. */
export type Overlay = 'palette' | 'help'

interface OverlayState {
  shown: Overlay | null
  show(overlay: Overlay | null): void
}

export const useOverlay = create<OverlayState>()(set => ({
  shown: null,
  show: shown => set({ shown }),
}))
