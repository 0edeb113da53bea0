/** Rows that are being removed: hidden at once, deleted when the time to undo it is over. */
import { create } from 'zustand'
import { text } from '../../../messages/text.ts'
import { useTable } from '../store.ts'
import { useUndo } from '../undo.ts'

/** How long a removal can be undone. */
const UNDO_MS = 10_000

const REMOVAL = 'removal'

export interface RemovalState {
  hidden: ReadonlySet<string>
  /** What the latest removal did, in words; null if there is nothing to undo. */
  undoable: string | null
  remove(keys: ReadonlySet<string>, words?: string): void
  undo(): void
  /** Carries out what waits. */
  flush(): void
}

let timer: ReturnType<typeof setTimeout> | undefined

export const useRemoval = create<RemovalState>()((set, get) => ({
  hidden: new Set(),
  undoable: null,
  remove(hidden, words = text('convert.removed', { value: hidden.size })) {
    // Only the latest removal can be undone.
    get().flush()
    if (hidden.size === 0) return
    set({ hidden, undoable: words })
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
