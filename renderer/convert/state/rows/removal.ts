/** Rows that are being removed: hidden at once, deleted when the time to undo it is over. */
import { create } from 'zustand'
import { useTable } from '../store.ts'
import { useUndo } from '../undo.ts'

/** How long a removal can be undone. */
const UNDO_MS = 10_000

const REMOVAL = 'removal'

export interface RemovalState {
  hidden: ReadonlySet<string>
  /** Number of rows in the latest removal; null if there is nothing to undo. */
  undoable: number | null
  remove(keys: Iterable<string>): void
  undo(): void
  /** Carries out what waits. */
  flush(): void
}

interface RemovalDeps {
  discard: (keys: readonly string[]) => void
  later: (run: () => void, ms: number) => ReturnType<typeof setTimeout>
  cancel: (timer: ReturnType<typeof setTimeout> | undefined) => void
}

export const createRemovalStore = ({ discard, later, cancel }: RemovalDeps) =>
  create<RemovalState>()((set, get) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = () => {
      cancel(timer)
      useUndo.getState().forget(REMOVAL)
      const keys = [...get().hidden]
      if (keys.length > 0) discard(keys)
      set({ hidden: new Set(), undoable: null })
    }
    return {
      hidden: new Set(),
      undoable: null,
      remove(keys) {
        // Only the latest removal can be undone.
        end()
        const hidden = new Set(keys)
        if (hidden.size === 0) return
        set({ hidden, undoable: hidden.size })
        timer = later(end, UNDO_MS)
        useUndo.getState().record(REMOVAL, get().undo)
      },
      undo() {
        cancel(timer)
        useUndo.getState().forget(REMOVAL)
        set({ hidden: new Set(), undoable: null })
      },
      flush: end,
    }
  })

export const useRemoval = createRemovalStore({
  discard: keys => useTable.getState().discard(keys),
  later: (run, ms) => setTimeout(run, ms),
  cancel: clearTimeout,
})

/** Completes a removal if the page is left before the time to undo it is over. @returns a function that stops this */
export function holdRemovals(): () => void {
  const hold = () => useRemoval.getState().flush()
  window.addEventListener('pagehide', hold)
  return () => window.removeEventListener('pagehide', hold)
}
