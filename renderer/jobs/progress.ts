/** How far batches are, and how long the rest may take. */
import type { AppJob, Batch } from '../../service/app/types.ts'
import { endedOf, isOpen } from './batches.ts'
import { isActive } from './store.ts'

/** Jobs that must have ended before an estimate makes sense. */
const enoughToJudge = 3
/** An estimate looks at this many of the latest ends, so that it follows the files being worked on now. */
const latestEnds = 20

/** Share of a batch that is done, 0 to 1; running jobs count by their own progress. */
export function shareOf(batch: Batch, jobs: readonly AppJob[]): number {
  if (batch.counts.total === 0) return 0
  const running = jobs.reduce((sum, job) => sum + (job.status === 'Running' ? job.percent / 100 : 0), 0)
  return Math.min(1, (endedOf(batch) + running) / batch.counts.total)
}

/** Seconds until an active batch is through, by the pace of its latest jobs; null while that cannot be told. */
export function secondsLeft(batch: Batch, jobs: readonly AppJob[]): number | null {
  if (batch.state !== 'active') return null
  const ended = jobs
    .filter(job => job.finishedAt && job.startedAt && !isActive(job))
    .sort((a, b) => (b.finishedAt ?? '').localeCompare(a.finishedAt ?? ''))
    .slice(0, latestEnds)
  if (ended.length < enoughToJudge) return null
  const start = Math.min(...ended.map(job => Date.parse(job.startedAt ?? '')))
  const end = Math.max(...ended.map(job => Date.parse(job.finishedAt ?? '')))
  const open = batch.counts.total * (1 - shareOf(batch, jobs))
  return ((end - start) / 1000 / ended.length) * open
}

export interface Overall {
  /** Files that have ended, of the batches that are open. */
  ended: number
  total: number
}

/** All open batches together; null when none is open. */
export function overallOf(batches: readonly Batch[]): Overall | null {
  const open = batches.filter(isOpen)
  if (open.length === 0) return null
  return {
    ended: open.reduce((sum, batch) => sum + endedOf(batch), 0),
    total: open.reduce((sum, batch) => sum + batch.counts.total, 0),
  }
}
