/** What rows have come to: results, where they were saved, and failures. */
import type { AppJob } from '../../../../service/web/app/types.ts'
import { hasOutput } from '../../../jobs/output.ts'
import { type Row, stageOf } from '../rows/row.ts'

export interface Ending {
  done: number
  /** Keys of rows that have failed. */
  failed: string[]
  /** Keys of rows whose conversion was canceled. */
  canceled: string[]
  /** Results that can be downloaded and were not saved. */
  kept: { job: AppJob }[]
  /** Results that were saved, and whether they can be downloaded too. */
  saved: { job: AppJob; path: string; isKept: boolean }[]
  /** The folders they were saved to. */
  folders: string[]
  any: boolean
}

const folderOf = (path: string) => path.replace(/[\\/][^\\/]*$/, '') || '/'

export function endingOf(rows: Iterable<Row>, now: number): Ending {
  const ending: Ending = { done: 0, failed: [], canceled: [], kept: [], saved: [], folders: [], any: false }
  for (const row of rows) {
    const stage = stageOf(row)
    const { job = null, savedTo: path = null } = row.item ?? {}
    ending.any ||= stage === 'done' || stage === 'failed' || stage === 'canceled'
    if (stage === 'failed') ending.failed.push(row.key)
    if (stage === 'canceled') ending.canceled.push(row.key)
    if (stage !== 'done') continue
    ending.done++
    if (!job) continue
    const isKept = hasOutput(job, now)
    if (path !== null) ending.saved.push({ job, path, isKept })
    else if (isKept) ending.kept.push({ job })
  }
  ending.folders = [...new Set(ending.saved.map(({ path }) => folderOf(path)))]
  return ending
}
