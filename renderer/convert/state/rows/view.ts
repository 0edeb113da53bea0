/** The state of the table's view: groups, selection, cursor. */
import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import type { Arrangement, Line } from './layout.ts'
import { nothingSelected, type Selection, selectLine } from './selection.ts'

export interface ViewState extends Selection {
  toggled: ReadonlySet<string>
  /** Counts requests to move the focus to the cursor's line. */
  focusing: number
  /** Whether the details are open if the window is too narrow for both. */
  detailsOpen: boolean
  /** The row that is shown in the whole window; null if none is. */
  looking: string | null
  /** The row whose result is being renamed. */
  renaming: string | null
  look(key: string | null): void
  rename(key: string | null): void
  toggle(key: string): void
  go(
    lines: readonly Line[],
    key: string | null,
    how?: { range?: boolean; toggle?: boolean; focus?: boolean },
  ): void
  select(keys: Iterable<string>): void
  /** Moves the focus back to the cursor's line, after something that lay over it. */
  focusLine(): void
  showDetails(open: boolean): void
}

export const useView = create<ViewState>()((set, get) => ({
  ...nothingSelected,
  toggled: new Set(),
  focusing: 0,
  detailsOpen: false,
  looking: null,
  renaming: null,
  look: looking => set({ looking }),
  rename: renaming => set({ renaming }),
  toggle(key) {
    const toggled = new Set(get().toggled)
    if (!toggled.delete(key)) toggled.add(key)
    set({ toggled })
  },
  go(lines, key, { focus = true, ...how } = {}) {
    set(state => ({
      ...(key === null ? nothingSelected : selectLine(lines, state, key, how)),
      focusing: state.focusing + Number(focus),
    }))
  },
  select: keys => set({ selected: new Set(keys) }),
  focusLine: () => set(({ focusing }) => ({ focusing: focusing + 1 })),
  showDetails: detailsOpen => set({ detailsOpen }),
}))

/** Remembered on this computer. */
export const useGrouping = create<Arrangement & { arrange(wanted: Partial<Arrangement>): void }>()(
  persist(set => ({ groupBy: 'kind', sortBy: 'time', arrange: set }), { name: 'refile-grouping' }),
)
