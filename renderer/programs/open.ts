import type { AppJob } from '../../service/web/app/types.ts'

/** Open jobs of one API key, running ones first, then in the order of submission. */
export function openJobsOf(jobs: Iterable<AppJob>, keyId: string | null): AppJob[] {
  const open = [...jobs].filter(
    job =>
      job.origin === 'api' && job.keyId === keyId && (job.status === 'Running' || job.status === 'Queued'),
  )
  const place = (job: AppJob) => `${job.status === 'Running' ? 0 : 1}${job.createdAt}`
  return open.sort((a, b) => (place(a) < place(b) ? -1 : 1))
}
