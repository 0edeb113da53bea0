import { render } from '../../shared/messages/render.ts'
import type { Job, JobStatus } from '../../store/interfaces/jobs.ts'

export const isTerminal = (status: JobStatus): boolean => status !== 'Queued' && status !== 'Running'

/** Why a job failed, as text. */
export const errorInWords = ({ error }: Job): { code: string; detail: string } | null =>
  error && { code: error.code, detail: render(error.reason) }
