/** Totals over batches, based on the service's counts. */
import type { Batch } from '../../../../service/web/app/types.ts'
import { endedOf, isOpen } from '../../../jobs/known.ts'
import { inLine, text } from '../../../messages/text.ts'

export interface Totals {
  /** Files of open batches, and how many of them have ended. */
  open: { total: number; ended: number; paused: boolean } | null
  succeeded: number
  failed: number
  canceled: number
  /** How many bytes smaller the results of all batches are; negative if they are larger. */
  savedBytes: number
}

type Result = Pick<Totals, 'succeeded' | 'failed'> & Partial<Pick<Totals, 'canceled'>>

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
    canceled: sum(batches, ({ counts }) => counts.canceled),
    savedBytes: sum(batches, ({ inputBytes, outputBytes }) => inputBytes - outputBytes),
  }
}

/** What has become of files, in parts that stand in one line. */
export function partsOf({ succeeded, failed, canceled = 0 }: Result) {
  const counts = { succeeded, failed, canceled }
  const outcomes = (['succeeded', 'failed', 'canceled'] as const).filter(of => counts[of] > 0)
  const isMixed = outcomes.length > 1
  const words = {
    succeeded: text(isMixed ? 'convert.someConverted' : 'jobs.finishedJobs', { done: succeeded }),
    failed: text(isMixed ? 'convert.someFailed' : 'convert.allFailed', { failed }),
    canceled: isMixed ? text('convert.someCanceled', { canceled }) : text('convert.canceled'),
  }
  return outcomes.map(of => ({ of, words: words[of] }))
}

/** The same in words alone. */
export const resultOf = (result: Result): string => inLine(partsOf(result).map(({ words }) => words))
