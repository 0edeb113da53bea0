import type { AppJob } from '../../service/app/types.ts'
import { isActive } from './store.ts'

export interface Sections {
  /** Running first, then queued, in the order they came. */
  now: AppJob[]
  /** Latest end first. */
  finished: AppJob[]
}

const byAge = (a: AppJob, b: AppJob) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0)
const ended = (job: AppJob) => job.finishedAt ?? job.createdAt

/** Sorts jobs into what the page shows; those that ended before `clearedAt` are left out. */
export function sectionsOf(jobs: Iterable<AppJob>, clearedAt: string | null): Sections {
  const now: AppJob[] = []
  const finished: AppJob[] = []
  const cleared = clearedAt ? Date.parse(clearedAt) : 0
  for (const job of jobs) {
    if (isActive(job)) now.push(job)
    else if (Date.parse(ended(job)) > cleared) finished.push(job)
  }
  now.sort((a, b) => Number(a.status === 'Queued') - Number(b.status === 'Queued') || byAge(a, b))
  finished.sort((a, b) => Date.parse(ended(b)) - Date.parse(ended(a)))
  return { now, finished }
}

/** Whether the output can be had now. */
export const hasOutput = (job: AppJob, now: number): boolean =>
  job.status === 'Succeeded' && job.output !== null && (!job.expiresAt || Date.parse(job.expiresAt) > now)
