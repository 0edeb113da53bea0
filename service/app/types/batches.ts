import { anyObject, list, object, optional, type Static, string } from '../../http/schema.ts'
import { Destination } from './destinations.ts'
import type { AppJob } from './jobs.ts'

/** Many files and one choice of target, options and destination for all of them. */
export type NewBatch = Static<typeof NewBatch>
export const NewBatch = object({
  fileIds: list(string(), { minItems: 1, maxItems: 10_000 }),
  targetFormat: string(),
  options: optional(anyObject()),
  destination: optional(Destination),
})

/** Items by state; all but `total` add up to `total`. */
export interface BatchCounts {
  total: number
  waiting: number
  queued: number
  running: number
  succeeded: number
  failed: number
  canceled: number
}

export interface Batch {
  id: string
  /** Format key of its files; `files` when they have several. */
  source: string
  /** Request key of the target. */
  target: string
  targetLabel: string
  options: Record<string, unknown>
  destination: Destination
  state: 'active' | 'paused' | 'done' | 'canceled'
  /** Why it paused by itself, such as missing credits or a folder that is gone; null otherwise. */
  problem: { code: string; detail: string } | null
  counts: BatchCounts
  creditCost: number
  /** Sizes of what has been converted, and of what it became. */
  inputBytes: number
  outputBytes: number
  createdAt: string
  finishedAt: string | null
}

/** One file of a batch. */
export interface BatchItem {
  id: string
  /** The staged file it converts, which may be gone by now. */
  fileId: string
  name: string
  /** Path inside the folder it was dropped with; null for a file dropped by itself. */
  relativePath: string | null
  bytes: number
  /** Format key and name of the content. */
  format: string | null
  formatLabel: string | null
  /** See `StagedFile`. */
  addedAt: number
  /** `waiting`: not yet a job. */
  state: 'waiting' | 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled'
  job: AppJob | null
  /** Why it failed, also when it never became a job. */
  error: { code: string; detail: string } | null
  /** Where the output was saved; null while it is not, or when it is kept for download. */
  savedTo: string | null
}
