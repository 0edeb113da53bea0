import { useMemo } from 'react'
import { text } from '../../messages/text.ts'
import { pairOf } from '../../options/schemas.ts'
import { convertible, type Line } from '../state/rows/layout.ts'
import { choiceOfRow, type Row } from '../state/rows/row.ts'
import { useView } from '../state/rows/view.ts'
import { useTable } from '../state/store.ts'
import { titleOf } from '../table/GroupRow.tsx'

/** Rows of one format with the same target, which have the same options. */
export interface PairPart {
  pair: string
  rows: Row[]
}

/** The subject of the details. */
export interface Subject {
  title: string
  rows: Row[]
  /** The row, if it is a single one. */
  single: Row | null
  parts: PairPart[]
}

/** Rows that have a target, by format and target. */
function partsOf(rows: readonly Row[]): PairPart[] {
  const chosen = rows.filter(row => row.format && choiceOfRow(row, row.target))
  const parts = Map.groupBy(chosen, ({ format, target }) => pairOf(format ?? '', target ?? ''))
  return [...parts].map(([pair, rows]) => ({ pair, rows }))
}

/** The selected rows, or the group at the cursor, or everything. */
export function useSubject(lines: readonly Line[]): Subject {
  const rows = useTable(state => state.rows)
  const selected = useView(state => state.selected)
  const cursor = useView(state => state.cursor)
  return useMemo(() => {
    const of = (keys: Iterable<string>) => [...keys].flatMap(key => rows.get(key) ?? [])
    const subject = (title: string, rows: Row[], single: Row | null = null): Subject => ({
      title,
      rows,
      single,
      parts: partsOf(rows),
    })
    const chosen = of(selected)
    const [first] = chosen
    if (first && chosen.length === 1) return subject(first.name, chosen, first)
    if (chosen.length > 1) return subject(text('convert.selectedFiles', { value: chosen.length }), chosen)
    const line = lines.find(each => each.key === cursor)
    if (line?.type === 'group') return subject(titleOf(line), of(line.keys))
    const all = of(convertible(lines))
    return subject(text('convert.allFiles'), all, all.length === 1 ? all[0] : null)
  }, [rows, selected, cursor, lines])
}
