import type { AppJob } from '../../service/web/app/types.ts'
import { lastPart } from '../ui/last-part.ts'

/** Whether the output can be downloaded now. */
export const hasOutput = (job: AppJob, now: number): boolean =>
  job.status === 'Succeeded' && job.output !== null && (!job.expiresAt || Date.parse(job.expiresAt) > now)

/** What a result is called where it is: the folder of several files that were saved, or the one file; null without one. */
export const resultName = ({ output, savedTo }: Pick<AppJob, 'output' | 'savedTo'>): string | null =>
  savedTo !== null && output !== null && output.fileCount > 1 ? lastPart(savedTo) : (output?.fileName ?? null)
