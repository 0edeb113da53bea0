/** Sums over batches, all of counts that the service gave. */
import type { Batch } from '../../service/app/types.ts'
import { endedOf, isOpen } from '../jobs/batches.ts'

export interface Totals {
  /** Files of what is under way, and how many of those have ended. */
  open: { total: number; ended: number; paused: boolean } | null
  succeeded: number
  failed: number
  /** What results of all batches are smaller by, in bytes; negative when they are larger. */
  savedBytes: number
}

export function totalsOf(batches: readonly Batch[]): Totals {
  const open = batches.filter(isOpen)
  // What was begun with the same press and is through already counts as well.
  const begun = open.map(({ createdAt }) => createdAt).sort()[0] ?? ''
  const underWay = batches.filter(batch => isOpen(batch) || (batch.finishedAt ?? '') > begun)
  const sum = (list: readonly Batch[], of: (batch: Batch) => number) =>
    list.reduce((total, batch) => total + of(batch), 0)
  return {
    open:
      open.length > 0
        ? {
            total: sum(underWay, ({ counts }) => counts.total),
            ended: sum(underWay, endedOf),
            paused: open.every(({ state }) => state === 'paused'),
          }
        : null,
    succeeded: sum(batches, ({ counts }) => counts.succeeded),
    failed: sum(batches, ({ counts }) => counts.failed),
    savedBytes: sum(batches, ({ inputBytes, outputBytes }) => inputBytes - outputBytes),
  }
}
