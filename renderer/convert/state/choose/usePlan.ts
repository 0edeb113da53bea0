import { useMemo } from 'react'
import { useSchemas } from '../../../options/schemas.ts'
import { useSession } from '../../../session/session.ts'
import { useJoining } from '../join/joining.ts'
import { useRemoval } from '../rows/removal.ts'
import type { Row } from '../rows/row.ts'
import { shown } from '../rows/useLines.ts'
import { useTable } from '../store.ts'
import { type Plan, planOf } from './plan.ts'

/** What pressing Convert would do now. */
export const planNow = (): Plan =>
  planFor(toConvert(useTable.getState().rows, useRemoval.getState().hidden, useJoining.getState().waiting))

/** What converting these rows would do now. */
export const planFor = (rows: Iterable<Row>): Plan =>
  planOf(rows, useSchemas.getState().schemas, useSession.getState().catalogue, useTable.getState().following)

/** What pressing Convert would do with the visible rows. */
export function usePlan(): Plan {
  const rows = useTable(state => state.rows)
  const following = useTable(state => state.following)
  const hidden = useRemoval(state => state.hidden)
  const waiting = useJoining(state => state.waiting)
  const schemas = useSchemas(state => state.schemas)
  const catalogue = useSession(state => state.catalogue)
  return useMemo(
    () => planOf(toConvert(rows, hidden, waiting), schemas, catalogue, following),
    [rows, hidden, waiting, schemas, catalogue, following],
  )
}

function* toConvert(...[rows, hidden, waiting]: [...Parameters<typeof shown>, ReadonlySet<string>]) {
  for (const row of shown(rows, hidden)) if (!waiting.has(row.key)) yield row
}
