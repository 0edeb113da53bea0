/** Files that are converted as soon as they have been read. */
import { create } from 'zustand'

interface JoiningState {
  /** Rows that are converted as soon as they have been read. */
  waiting: ReadonlySet<string>
  /** Number of presses whose batches are being created now. */
  submitting: number
  stop(): void
}

/** Whether more is going to be converted than the service knows of. */
export const isExpecting = ({ waiting, submitting }: Pick<JoiningState, 'waiting' | 'submitting'>): boolean =>
  waiting.size + submitting > 0

export const useJoining = create<JoiningState>()(set => ({
  waiting: new Set(),
  submitting: 0,
  stop: () => set({ waiting: new Set() }),
}))
