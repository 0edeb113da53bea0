/** What is known of jobs, batches and items, and what follows from one of them alone. */
import type { AppJob, Batch, BatchItem } from '../../service/web/app/types.ts'

/** An item of a batch, which names its job. */
export interface Item extends Omit<BatchItem, 'id' | 'job'> {
  /** Null until it was read. */
  id: string | null
  jobId: string | null
}

export interface Known {
  jobs: ReadonlyMap<string, AppJob>
  /** In the order of the service. */
  batches: ReadonlyMap<string, Batch>
  /** By staged file: of several conversions of a file, the latest. */
  items: ReadonlyMap<string, Item>
}

export const isActive = (job: AppJob): boolean => job.status === 'Queued' || job.status === 'Running'

export const isOpen = ({ state }: Batch): boolean => state === 'active' || state === 'paused'

/** Items that have ended, in whatever way. */
export const endedOf = ({ counts }: Batch): number => counts.succeeded + counts.failed + counts.canceled

/** An item has the same state word as its job. */
export const stateOf = ({ status }: AppJob) => status.toLowerCase() as Lowercase<AppJob['status']>
