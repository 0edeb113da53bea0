/** Finds the files that can be joined, in the order of the table. */
import { isJoinable } from './choices.ts'
import type { Line } from './layout.ts'
import { type Row, stageOf } from './row.ts'

/** Keys of all rows of the table in its order, including collapsed ones. */
const keysOf = (lines: readonly Line[]): string[] =>
  lines.flatMap(line => (line.type === 'group' ? line.keys : []))

/**
 * Keys of the files that can be joined, in the order of the table.
 * @param only limits it to these rows
 */
export const joinableKeys = (
  lines: readonly Line[],
  rows: ReadonlyMap<string, Row>,
  only: ReadonlySet<string> | null = null,
): string[] =>
  keysOf(lines).filter(key => {
    const row = rows.get(key)
    return row !== undefined && (only === null || only.has(key)) && isJoinable(row)
  })

/** The same for files that were to be joined before there were any: null until at least two are there and all have been read. */
export function whenAllRead(lines: readonly Line[], rows: ReadonlyMap<string, Row>): string[] | null {
  const isReading = keysOf(lines).some(key => {
    const row = rows.get(key)
    return row !== undefined && stageOf(row) === 'coming'
  })
  const found = isReading ? [] : joinableKeys(lines, rows)
  return found.length > 1 ? found : null
}
