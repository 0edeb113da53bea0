import type { AppJob } from '../../service/app/types.ts'
import { isActive } from './store.ts'

export interface Sections {
  /** Running first, then queued, in the order they came. */
  now: AppJob[]
  /** Latest end first. */
  finished: AppJob[]
}

/** Times are ISO 8601 in UTC, all of one shape, so their text sorts as they do. */
const inOrder = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** When a job ended, or for the sake of order when it came. */
export const endOf = (job: AppJob): string => job.finishedAt ?? job.createdAt

/** Sorts jobs into what the page shows; those that ended before `clearedAt` are left out. */
export function sectionsOf(jobs: Iterable<AppJob>, clearedAt: string | null): Sections {
  const now: AppJob[] = []
  const finished: AppJob[] = []
  for (const job of jobs) {
    if (isActive(job)) now.push(job)
    else if (!clearedAt || endOf(job) > clearedAt) finished.push(job)
  }
  now.sort(
    (a, b) =>
      Number(a.status === 'Queued') - Number(b.status === 'Queued') || inOrder(a.createdAt, b.createdAt),
  )
  finished.sort((a, b) => inOrder(endOf(b), endOf(a)))
  return { now, finished }
}

/** Whether the output can be had now. */
export const hasOutput = (job: AppJob, now: number): boolean =>
  job.status === 'Succeeded' && job.output !== null && (!job.expiresAt || Date.parse(job.expiresAt) > now)
