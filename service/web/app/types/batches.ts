import type {
  BatchItemRecord,
  BatchState,
  BatchCounts as StoredCounts,
} from '../../../store/interfaces/batches.ts'
import type { JobStatus } from '../../../store/interfaces/jobs.ts'
import { anyObject, list, object, optional, type Static, string } from '../../http/schema.ts'
import { Destination } from './destinations.ts'
import type { shownOfFile } from './files.ts'
import type { AppJob, Problem } from './jobs.ts'

/** Many files with one choice of target, options and destination. */
export type NewBatch = Static<typeof NewBatch>
export const NewBatch = object({
  fileIds: list(string(), { minItems: 1, maxItems: 10_000 }),
  targetFormat: string(),
  options: optional(anyObject()),
  destination: optional(Destination),
})

/** Items by state; the sum of all others is `total`. */
export type BatchCounts = Pick<StoredCounts, 'total' | 'waiting' | Lowercase<JobStatus>>

export interface Batch {
  id: string
  /** Format key of its files; `files` if they have several. */
  source: string
  /** Request key of the target. */
  target: string
  targetLabel: string
  options: Record<string, unknown>
  destination: Destination
  state: BatchState
  /** Why it was paused automatically, for example for lack of credits or because a folder is gone; null otherwise. */
  problem: Problem | null
  counts: BatchCounts
  creditCost: number
  /** Total sizes of the converted files and of their results. */
  inputBytes: number
  outputBytes: number
  createdAt: string
  finishedAt: string | null
}

/** One file of a batch, whose staged file may no longer exist. */
export interface BatchItem
  extends Pick<BatchItemRecord, 'batchId' | 'fileId' | (typeof shownOfFile)[number]> {
  /** Name of the format. */
  formatLabel: string | null
  /** `waiting`: not a job yet. */
  state: 'waiting' | Lowercase<JobStatus>
  job: AppJob | null
  /** Why it failed, even if it never became a job. */
  error: Problem | null
  /** Where the output was saved; null if it is not saved yet or is kept for download. */
  savedTo: string | null
}
