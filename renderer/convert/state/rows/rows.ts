/** Stores the rows of the table: changes many in one step, and inserts new ones in order. */
import { createBatcher } from '../../../api/batcher.ts'
import { isRefused, type Row } from './row.ts'

/** Time between two files added at once: enough to keep their order in a floating-point number. */
const STEP_MS = 0.001

export interface RowsState {
  /** In the order they were added. */
  rows: ReadonlyMap<string, Row>
  /** Changes whenever the lines of the table may have changed: a row was added, removed, or changed its group. */
  shape: number
}

interface Deps {
  get: () => RowsState
  set: (state: RowsState) => void
  now: () => number
  schedule: ((run: () => void) => void) | undefined
  /** Completes a row after new data were merged. */
  settle: (row: Row) => Row
}

const differs = (before: Row, after: Row) =>
  before.kind !== after.kind ||
  before.relativePath !== after.relativePath ||
  isRefused(before) !== isRefused(after)

export type Rows = ReturnType<typeof keepRows>

export function keepRows({ get, set, now, schedule, settle }: Deps) {
  let lastKey = 0
  let lastTime = 0
  /** Row keys by the id of their staged file. */
  const byFile = new Map<string, string>()

  /** Changes rows in one step, each based on its current state. */
  const change = (keys: Iterable<string>, edit: (row: Row) => Row) => {
    const known = get().rows
    let { shape } = get()
    const changed = new Map<string, Row>()
    for (const key of keys) {
      const before = known.get(key)
      const after = before && edit(before)
      if (!before || !after || after === before) continue
      changed.set(key, after)
      if (differs(before, after)) shape++
    }
    if (changed.size > 0) set({ rows: new Map([...known, ...changed]), shape })
  }

  // Upload progress and bursts of answers become one state change per frame.
  const patches = createBatcher<[string, Partial<Row>]>(list => {
    const edits = new Map<string, Partial<Row>>()
    for (const [key, patch] of list) edits.set(key, { ...edits.get(key), ...patch })
    change(edits.keys(), row => settle({ ...row, ...edits.get(row.key) }))
  }, schedule)

  return {
    byFile,
    change,

    /** Merges data into a row at the next frame. */
    patch: (key: string, patch: Partial<Row>) => patches.add([key, patch]),

    /** Merges all pending data now. */
    flush: () => patches.flush(),

    /** A key that no row has. */
    newKey: () => `f${++lastKey}`,

    /** The time for a file added now, later than all before. */
    nextTime(): number {
      lastTime = Math.max(now(), lastTime + STEP_MS)
      return lastTime
    },

    /** Inserts rows at their positions. */
    insert(added: readonly Row[]) {
      if (added.length === 0) return
      patches.flush()
      const { rows, shape } = get()
      const last = [...rows.values()].at(-1)
      const all = [...rows.values(), ...added.map(settle)]
      // They are almost always the latest, so sorting thousands of rows would be wasted.
      if (added.some((row, index) => row.addedAt < ((index > 0 ? added[index - 1] : last)?.addedAt ?? 0))) {
        all.sort((a, b) => a.addedAt - b.addedAt)
      }
      set({ rows: new Map(all.map(row => [row.key, row])), shape: shape + 1 })
    },

    /** Takes rows out. */
    remove(gone: readonly Row[]) {
      if (gone.length === 0) return
      const rows = new Map(get().rows)
      for (const { key, fileId } of gone) {
        rows.delete(key)
        if (fileId) byFile.delete(fileId)
      }
      set({ rows, shape: get().shape + 1 })
    },
  }
}
