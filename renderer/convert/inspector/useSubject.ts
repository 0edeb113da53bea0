import { useMemo } from 'react'
import { text } from '../../messages/text.ts'
import { convertible, type Line } from '../state/rows/layout.ts'
import type { Row } from '../state/rows/row.ts'
import { useView } from '../state/rows/view.ts'
import { useTable } from '../state/store.ts'
import { titleOf } from '../table/GroupRow.tsx'

/** The subject of the details. */
export interface Subject {
  title: string
  rows: Row[]
  /** The row, if it is a single one. */
  single: Row | null
}

/** The selected rows, or the group at the cursor, or everything. */
export function useSubject(lines: readonly Line[]): Subject {
  const rows = useTable(state => state.rows)
  const selected = useView(state => state.selected)
  const cursor = useView(state => state.cursor)
  return useMemo(() => {
    const of = (keys: Iterable<string>) => [...keys].flatMap(key => rows.get(key) ?? [])
    const chosen = of(selected)
    const [first] = chosen
    if (first && chosen.length === 1) return { title: first.name, rows: chosen, single: first }
    if (chosen.length > 1) {
      return { title: text('convert.selectedFiles', { value: chosen.length }), rows: chosen, single: null }
    }
    const line = lines.find(each => each.key === cursor)
    if (line?.type === 'group') return { title: titleOf(line), rows: of(line.keys), single: null }
    const all = of(convertible(lines))
    return { title: text('convert.allFiles'), rows: all, single: all.length === 1 ? (all[0] ?? null) : null }
  }, [rows, selected, cursor, lines])
}
