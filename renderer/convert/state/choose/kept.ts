/** The targets of files that are still to be converted, which a reload of the page must not forget; the window's own storage has them. */
import { type Row, stageOf } from '../rows/row.ts'

const KEY = 'refile-targets'

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>

/** Notes the targets as the page is left. */
export function keepTargets(rows: Iterable<Row>, storage: Storage): void {
  const targets: Record<string, string> = {}
  for (const row of rows)
    if (row.fileId && row.target !== null && stageOf(row) === 'ready') targets[row.fileId] = row.target
  storage.setItem(KEY, JSON.stringify(targets))
}

/** The targets that were noted, by the id of the file. */
export const keptTargets = (storage: Storage): ReadonlyMap<string, string> =>
  new Map(Object.entries(JSON.parse(storage.getItem(KEY) ?? '{}') as Record<string, string>))
