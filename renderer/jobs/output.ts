import type { AppJob } from '../../service/web/app/types.ts'

/** Whether the output can be downloaded now. */
export const hasOutput = (job: AppJob, now: number): boolean =>
  job.status === 'Succeeded' && job.output !== null && (!job.expiresAt || Date.parse(job.expiresAt) > now)
