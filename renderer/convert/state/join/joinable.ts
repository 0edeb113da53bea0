/** Finds the files that can be joined, in the order of the table. */
import { isJoinable, type Joined } from '../choose/choices.ts'
import { convertible, type Line } from '../rows/layout.ts'
import { type Row, stageOf } from '../rows/row.ts'

/** Files that can be joined. */
export interface Joinable {
  into: Joined
  /** Their rows, in the order of the table. */
  keys: string[]
}

/**
 * The files that can be joined: those that become pages, unless more of them are videos, or even more media files.
 * @param only limits it to these rows
 */
export function joinableOf(
  lines: readonly Line[],
  rows: ReadonlyMap<string, Row>,
  only: ReadonlySet<string> | null = null,
): Joinable {
  const found = (['pdf', 'video', 'audio'] as const).map(into => ({ into, keys: [] as string[] }))
  for (const key of convertible(lines)) {
    const row = only === null || only.has(key) ? rows.get(key) : undefined
    if (row) for (const { into, keys } of found) if (isJoinable(row, into)) keys.push(key)
  }
  const most = Math.max(...found.map(({ keys }) => keys.length))
  return found.find(({ keys }) => keys.length === most)!
}

/** The same for files that were to be joined before there were any: null until at least two are there and all have been read. */
export function whenAllRead(lines: readonly Line[], rows: ReadonlyMap<string, Row>): Joinable | null {
  const isReading = convertible(lines).some(key => {
    const row = rows.get(key)
    return row !== undefined && stageOf(row) === 'coming'
  })
  const found = isReading ? null : joinableOf(lines, rows)
  return found && found.keys.length > 1 ? found : null
}
