/** Computes the lines of the table: groups with their headers, rows in the order they were added, and refused files. */
import { categories } from '../../../ui/categories.ts'
import { isRefused, type Row, stageOf } from './row.ts'

export type GroupBy = 'kind' | 'folder'

export interface Arrangement {
  groupBy: GroupBy
  /** The order of rows within a group: as added, by name, the largest first, or those with a problem first. */
  sortBy: 'time' | 'name' | 'size' | 'problem'
}

export interface GroupLine {
  type: 'group'
  /** `g:` followed by what its rows have in common; row keys never start like this. */
  key: string
  /** Category, or the folder's path; null for files without a folder. */
  name: string | null
  by: GroupBy
  /** Its rows, in order. */
  keys: readonly string[]
  folded: boolean
}

export interface RowLine {
  type: 'row'
  key: string
}

/** Files that will not be converted, collapsed into one line. */
export interface RefusedLine {
  type: 'refused'
  key: string
  keys: readonly string[]
  folded: boolean
}

export type Line = GroupLine | RowLine | RefusedLine

export const REFUSED = 'g:refused'

/** Keys of all rows that can be converted in the order of the table, including collapsed ones. */
export const convertible = (lines: readonly Line[]): string[] =>
  lines.flatMap(line => (line.type === 'group' ? line.keys : []))

interface View extends Arrangement {
  /** Keys of groups that the person has opened or closed, contrary to their default. */
  toggled: ReadonlySet<string>
  /** Rows that are about to be removed. */
  hidden: ReadonlySet<string>
}

const folderOf = ({ relativePath }: Row): string | null =>
  relativePath?.split('/').slice(0, -1).join('/') || null

const keyOf = ({ key }: Row) => key

const rank = (kind: string) => {
  const place = (categories as readonly string[]).indexOf(kind)
  return place < 0 ? categories.length : place
}

const needsNothing = (row: Row): boolean =>
  stageOf(row) !== 'failed' && (row.target !== null || row.pendingTarget !== null)

const orders: Record<Arrangement['sortBy'], ((a: Row, b: Row) => number) | null> = {
  time: null,
  name: ({ name: a }, { name: b }) => a.localeCompare(b, undefined, { numeric: true }),
  size: (a, b) => b.bytes - a.bytes,
  problem: (a, b) => Number(needsNothing(a)) - Number(needsNothing(b)),
}

/** @param added in the order they were added */
export function linesOf(added: Iterable<Row>, { groupBy, sortBy, toggled, hidden }: View): Line[] {
  const shown = [...added].filter(({ key }) => !hidden.has(key))
  const order = orders[sortBy]
  if (order) shown.sort(order)
  const [refused, taken] = [shown.filter(isRefused).map(keyOf), shown.filter(row => !isRefused(row))]
  const groups = [...Map.groupBy(taken, row => (groupBy === 'kind' ? row.kind : folderOf(row)))]
  // Folders stay in their original order; files without a folder or known category come last.
  if (groupBy === 'kind') groups.sort(([a], [b]) => rank(a ?? '') - rank(b ?? ''))
  else groups.sort(([a], [b]) => Number(a === null) - Number(b === null))
  const lines: Line[] = []
  for (const [name, rows] of groups) {
    const keys = rows.map(keyOf)
    const key = `g:${groupBy}:${name ?? ''}`
    const folded = toggled.has(key)
    lines.push({ type: 'group', key, name, by: groupBy, keys, folded })
    if (!folded) for (const each of keys) lines.push({ type: 'row', key: each })
  }
  if (refused.length > 0) {
    const folded = !toggled.has(REFUSED)
    lines.push({ type: 'refused', key: REFUSED, keys: refused, folded })
    if (!folded) for (const each of refused) lines.push({ type: 'row', key: each })
  }
  return lines
}
