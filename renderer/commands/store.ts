import { create } from 'zustand'

/** The open overlay: the commands, or the list of shortcuts. */
export type Overlay = 'palette' | 'help'

export const useOverlay = create<{ shown: Overlay | null; show(overlay: Overlay | null): void }>()(set => ({
  shown: null,
  show: shown => set({ shown }),
}))
