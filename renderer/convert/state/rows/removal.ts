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

let timer: ReturnType<typeof setTimeout> | undefined

export const useRemoval = create<RemovalState>()((set, get) => ({
  hidden: new Set(),
  undoable: null,
  remove(keys) {
    // Only the latest removal can be undone.
    get().flush()
    const hidden = new Set(keys)
    if (hidden.size === 0) return
    set({ hidden, undoable: hidden.size })
    timer = setTimeout(get().flush, UNDO_MS)
    useUndo.getState().record(REMOVAL, get().undo)
  },
  undo() {
    clearTimeout(timer)
    useUndo.getState().purge(REMOVAL)
    set({ hidden: new Set(), undoable: null })
  },
  flush() {
    const keys = [...get().hidden]
    if (keys.length > 0) useTable.getState().discard(keys)
    get().undo()
  },
}))
