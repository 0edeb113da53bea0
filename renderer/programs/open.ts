import type { AppJob } from '../../service/web/app/types.ts'
import { isActive } from '../jobs/known.ts'

/** Open jobs of one API key, running ones first, then in the order of submission. */
export function openJobsOf(jobs: Iterable<AppJob>, keyId: string): AppJob[] {
  const open = [...jobs].filter(job => job.keyId === keyId && isActive(job))
  const place = (job: AppJob) => `${job.status === 'Running' ? 0 : 1}${job.createdAt}`
  return open.sort((a, b) => (place(a) < place(b) ? -1 : 1))
}
