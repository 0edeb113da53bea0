import { useMemo } from 'react'
import { useTable } from '../store.ts'
import { type Line, linesOf } from './layout.ts'
import { useRemoval } from './removal.ts'
import type { Row } from './row.ts'
import { useGrouping, useView } from './view.ts'

/**
 * The lines of the table; recomputed only when rows are added, removed or change their group, not when they progress.
 */
export function useLines(): Line[] {
  const shape = useTable(state => state.shape)
  const toggled = useView(state => state.toggled)
  const hidden = useRemoval(state => state.hidden)
  const { groupBy, sortBy } = useGrouping()
  return useMemo(() => {
    // Only what changes `shape` matters here.
    void shape
    return linesOf(useTable.getState().rows.values(), { groupBy, sortBy, toggled, hidden })
  }, [shape, toggled, hidden, groupBy, sortBy])
}

/** The current lines, outside of rendering. */
export const linesNow = (): Line[] =>
  linesOf(useTable.getState().rows.values(), {
    ...useGrouping.getState(),
    toggled: useView.getState().toggled,
    hidden: useRemoval.getState().hidden,
  })

/** Rows in order, without those that are being removed. */
export function* shown(rows: ReadonlyMap<string, Row>, hidden: ReadonlySet<string>): Generator<Row> {
  for (const row of rows.values()) if (!hidden.has(row.key)) yield row
}
