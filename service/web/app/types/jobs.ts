import type { Phase } from '../../../convert/catalogue/task.ts'
import type { Job } from '../../../store/interfaces/jobs.ts'

/** What went wrong, in words. */
export interface Problem {
  code: string
  detail: string
}

/** What of a job is shown as it is stored. */
export const shownOfJob = [
  'id',
  'job',
  'category',
  'status',
  'inputName',
  'inputBytes',
  'output',
  'outputBytes',
  'creditCost',
  'origin',
  'fileId',
  'keyId',
  'batchId',
  'savedTo',
] as const

/** A job with its progress, its times and the names that people read. */
export interface AppJob extends Pick<Job, (typeof shownOfJob)[number]> {
  /** Format key of the input. */
  source: string
  /** Request key of the target. */
  target: string
  targetLabel: string
  /** Live, unlike the contract's status: 0 to 100. */
  percent: number
  phase: Phase | null
  /** Estimated seconds until the end, if known. */
  eta: number | null
  error: Problem | null
  warnings: string[]
  /** Whether the input still exists for another conversion. */
  canRetry: boolean
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
  /** When the output is deleted; null if there is none. */
  expiresAt: string | null
}

export interface Page<T> {
  items: T[]
  /** Pass as `before` (or `after`, depending on the route) for the next page; null on the last one. */
  next: string | null
}
