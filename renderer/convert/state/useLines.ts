import { useMemo } from 'react'
import { useSchemas } from '../../options/schemas.ts'
import { useSession } from '../../session/session.ts'
import { useJoining } from './converting.ts'
import { type Line, linesOf } from './layout.ts'
import { type Plan, planOf } from './plan.ts'
import { useRemoval } from './removal.ts'
import type { Row } from './row.ts'
import { useTable } from './store.ts'
import { useGrouping, useView } from './view.ts'

/**
 * The lines of the table; recomputed only when rows are added, removed or change their group, not when they progress.
 */
export function useLines(): Line[] {
  const shape = useTable(state => state.shape)
  const toggled = useView(state => state.toggled)
  const hidden = useRemoval(state => state.hidden)
  const groupBy = useGrouping(state => state.groupBy)
  return useMemo(() => {
    // Only what changes `shape` matters here.
    void shape
    return linesOf(useTable.getState().rows.values(), { groupBy, toggled, hidden })
  }, [shape, toggled, hidden, groupBy])
}

/** The current lines, outside of rendering. */
export const linesNow = (): Line[] =>
  linesOf(useTable.getState().rows.values(), {
    groupBy: useGrouping.getState().groupBy,
    toggled: useView.getState().toggled,
    hidden: useRemoval.getState().hidden,
  })

/** What pressing Convert would do now. */
export const planNow = (): Plan =>
  planOf(
    toConvert(useTable.getState().rows, useRemoval.getState().hidden, useJoining.getState().waiting),
    useSchemas.getState().schemas,
    useSession.getState().catalogue,
  )

/** What pressing Convert would do with the visible rows. */
export function usePlan(): Plan {
  const rows = useTable(state => state.rows)
  const hidden = useRemoval(state => state.hidden)
  const waiting = useJoining(state => state.waiting)
  const schemas = useSchemas(state => state.schemas)
  const catalogue = useSession(state => state.catalogue)
  return useMemo(
    () => planOf(toConvert(rows, hidden, waiting), schemas, catalogue),
    [rows, hidden, waiting, schemas, catalogue],
  )
}

function* toConvert(...[rows, hidden, waiting]: [...Parameters<typeof shown>, ReadonlySet<string>]) {
  for (const row of shown(rows, hidden)) if (!waiting.has(row.key)) yield row
}

/** Rows in order, without those that are being removed. */
export function* shown(rows: ReadonlyMap<string, Row>, hidden: ReadonlySet<string>): Generator<Row> {
  for (const row of rows.values()) if (!hidden.has(row.key)) yield row
}
