/** What was changed last in the table, to be taken back. */
import { create } from 'zustand'

interface Step {
  /** What was changed, if it may take many steps: the same again within a moment, such as by a slider, is one step. */
  of: string | null
  at: number
  undo(): void
}

interface UndoState {
  steps: readonly Step[]
  record(of: string | null, undo: () => void): void
  /** Drops steps that can no longer be taken back. */
  purge(of: string): void
  undo(): void
}

const MOST_STEPS = 100
const MOMENT_MS = 1000

export const useUndo = create<UndoState>()((set, get) => ({
  steps: [],
  record(of, undo) {
    const { steps } = get()
    const last = steps.at(-1)
    const at = Date.now()
    const isSame = last !== undefined && of !== null && last.of === of && at - last.at < MOMENT_MS
    const step = { of, at, undo: isSame ? last.undo : undo }
    set({ steps: [...(isSame ? steps.slice(0, -1) : steps), step].slice(-MOST_STEPS) })
  },
  purge: of => set({ steps: get().steps.filter(step => step.of !== of) }),
  undo() {
    const { steps } = get()
    set({ steps: steps.slice(0, -1) })
    steps.at(-1)?.undo()
  },
}))
