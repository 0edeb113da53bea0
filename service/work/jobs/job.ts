import { render } from '../../shared/messages/render.ts'
import type { Job, JobStatus } from '../../store/interfaces/jobs.ts'

export const isTerminal = (status: JobStatus): boolean => status !== 'Queued' && status !== 'Running'

/**
 * Whether the output can be downloaded now.
 * @param now by the clock of the store
 */
export const hasOutput = (job: Job, now: number): boolean =>
  job.status === 'Succeeded' && job.outputKey !== null && (job.expiresAt ?? 0) > now

/** Why a job failed, as text. */
export const errorInWords = ({ error }: Job): { code: string; detail: string } | null =>
  error && { code: error.code, detail: render(error.reason) }
