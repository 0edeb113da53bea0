import type { Phase } from '../../../convert/catalogue/task.ts'
import type { JobStatus } from '../../../store/interfaces/jobs.ts'
import { anyObject, object, optional, type Static, string } from '../../http/schema.ts'

export type NewJob = Static<typeof NewJob>
export const NewJob = object({
  fileId: string(),
  targetFormat: string(),
  options: optional(anyObject()),
})

export type { JobStatus }

export interface AppJob {
  id: string
  job: string
  category: string
  source: string
  /** Request key of the target. */
  target: string
  targetLabel: string
  status: JobStatus
  /** Live, unlike the contract's status: 0 to 100. */
  percent: number
  phase: Phase | null
  /** Estimated seconds until the end, if known. */
  eta: number | null
  inputName: string
  inputBytes: number
  outputBytes: number
  creditCost: number
  error: { code: string; detail: string } | null
  warnings: string[]
  output: { fileName: string; contentType: string; fileCount: number } | null
  /** Whether the input still exists for another conversion. */
  canRetry: boolean
  /** Who submitted it: this app or a program with an API key. */
  origin: 'app' | 'api'
  /** The staged file it was made from; null for a program's upload. */
  fileId: string | null
  /** The API key. */
  keyId: string | null
  /** The batch it belongs to. */
  batchId: string | null
  /** Path on this machine that the output was saved to by its batch. */
  savedTo: string | null
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
