import { anyObject, list, object, optional, type Static, string } from '../../http/schema.ts'
import { Destination } from './destinations.ts'
import type { AppJob } from './jobs.ts'

/** Many files with one choice of target, options and destination. */
export type NewBatch = Static<typeof NewBatch>
export const NewBatch = object({
  fileIds: list(string(), { minItems: 1, maxItems: 10_000 }),
  targetFormat: string(),
  options: optional(anyObject()),
  destination: optional(Destination),
})

/** Items by state; the sum of all others is `total`. */
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
  /** Format key of its files; `files` if they have several. */
  source: string
  /** Request key of the target. */
  target: string
  targetLabel: string
  options: Record<string, unknown>
  destination: Destination
  state: 'active' | 'paused' | 'done' | 'canceled'
  /** Why it was paused automatically, for example for lack of credits or because a folder is gone; null otherwise. */
  problem: { code: string; detail: string } | null
  counts: BatchCounts
  creditCost: number
  /** Total sizes of the converted files and of their results. */
  inputBytes: number
  outputBytes: number
  createdAt: string
  finishedAt: string | null
}

/** One file of a batch. */
export interface BatchItem {
  id: string
  /** The staged file it converts, which may no longer exist. */
  fileId: string
  name: string
  /** Path inside the dropped folder; null for a file dropped by itself. */
  relativePath: string | null
  bytes: number
  /** Format key and name of the content. */
  format: string | null
  formatLabel: string | null
  /** See `StagedFile`. */
  addedAt: number
  /** `waiting`: not a job yet. */
  state: 'waiting' | 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled'
  job: AppJob | null
  /** Why it failed, even if it never became a job. */
  error: { code: string; detail: string } | null
  /** Where the output was saved; null if it is not saved yet or is kept for download. */
  savedTo: string | null
}
