/** Totals over batches, based on the service's counts. */
import type { Batch } from '../../../../service/web/app/types.ts'
import { endedOf, isOpen } from '../../../jobs/known.ts'
import { text } from '../../../messages/text.ts'

export interface Totals {
  /** Files of open batches, and how many of them have ended. */
  open: { total: number; ended: number; paused: boolean } | null
  succeeded: number
  failed: number
  /** How many bytes smaller the results of all batches are; negative if they are larger. */
  savedBytes: number
}

type Result = Pick<Totals, 'succeeded' | 'failed'>

/** @param joining number of files that are converted as soon as they have been read */
export function totalsOf(batches: readonly Batch[], joining = 0): Totals {
  const open = batches.filter(isOpen)
  // Batches started with the same click that have already finished count as well.
  const started = open.map(({ createdAt }) => createdAt).sort()[0] ?? ''
  const underWay = batches.filter(batch => isOpen(batch) || (batch.finishedAt ?? '') > started)
  const sum = (list: readonly Batch[], of: (batch: Batch) => number) =>
    list.reduce((total, batch) => total + of(batch), 0)
  return {
    open:
      open.length + joining > 0
        ? {
            total: joining + sum(underWay, ({ counts }) => counts.total),
            ended: sum(underWay, endedOf),
            paused: open.length > 0 && open.every(({ state }) => state === 'paused'),
          }
        : null,
    succeeded: sum(batches, ({ counts }) => counts.succeeded),
    failed: sum(batches, ({ counts }) => counts.failed),
    savedBytes: sum(batches, ({ inputBytes, outputBytes }) => inputBytes - outputBytes),
  }
}

/** What has failed, in the words of `resultOf`. */
export const failuresOf = ({ succeeded, failed }: Result): string =>
  text(succeeded === 0 ? 'convert.allFailed' : 'convert.someFailed', { failed })

/** The overall result in a sentence. */
export function resultOf(result: Result): string {
  const { succeeded, failed } = result
  if (succeeded + failed === 0) return text('convert.canceled')
  if (failed === 0) return text('jobs.finishedJobs', { done: succeeded })
  const failures = failuresOf(result)
  return succeeded === 0 ? failures : text('convert.finishedSomeFailed', { done: succeeded, failures })
}
