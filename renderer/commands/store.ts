import { create } from 'zustand'

/** The open overlay: the commands, or the list of shortcuts. */
export type Overlay = 'palette' | 'help'

interface OverlayState {
  shown: Overlay | null
  show(overlay: Overlay | null): void
}

export const useOverlay = create<OverlayState>()(set => ({
  shown: null,
  show: shown => set({ shown }),
}))
