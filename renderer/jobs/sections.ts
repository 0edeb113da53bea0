import type { AppJob, Batch } from '../../service/app/types.ts'
import { isOpen } from './batches.ts'
import { isActive } from './store.ts'

/** A batch that is shown as one card, with the jobs of it that are known. */
export interface Card {
  batch: Batch
  jobs: AppJob[]
}

export interface Sections {
  openBatches: Card[]
  finishedBatches: Card[]
  /** Running first, then queued, in the order they came. */
  now: AppJob[]
  /** Latest end first. */
  finished: AppJob[]
}

/** Times are ISO 8601 in UTC, all of one shape, so their text sorts as they do. */
const inOrder = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** When a job ended, or for the sake of order when it came. */
export const endOf = (job: AppJob): string => job.finishedAt ?? job.createdAt

/** A batch of one file is shown as its job, once it has one. */
const isPlain = ({ batch, jobs }: Card): boolean =>
  batch.counts.total === 1 && (jobs.length > 0 || batch.counts.queued + batch.counts.running > 0)

/**
 * Sorts batches and the jobs outside them into what the page shows; what ended before `clearedAt` is left out.
 * @param batches in the order they are shown
 */
export function sectionsOf(
  jobs: Iterable<AppJob>,
  batches: readonly Batch[],
  clearedAt: string | null,
): Sections {
  const cards = new Map(batches.map((batch): [string, Card] => [batch.id, { batch, jobs: [] }]))
  const single: AppJob[] = []
  for (const job of jobs) {
    const card = job.batchId === null ? undefined : cards.get(job.batchId)
    if (card) card.jobs.push(job)
    else single.push(job)
  }
  for (const [id, card] of cards) {
    if (!isPlain(card)) continue
    single.push(...card.jobs)
    cards.delete(id)
  }
  const now: AppJob[] = []
  const finished: AppJob[] = []
  for (const job of single) {
    if (isActive(job)) now.push(job)
    else if (!clearedAt || endOf(job) > clearedAt) finished.push(job)
  }
  now.sort(
    (a, b) =>
      Number(a.status === 'Queued') - Number(b.status === 'Queued') || inOrder(a.createdAt, b.createdAt),
  )
  finished.sort((a, b) => inOrder(endOf(b), endOf(a)))
  const shown = [...cards.values()]
  return {
    openBatches: shown.filter(({ batch }) => isOpen(batch)),
    finishedBatches: shown.filter(
      ({ batch }) => !isOpen(batch) && (!clearedAt || (batch.finishedAt ?? batch.createdAt) > clearedAt),
    ),
    now,
    finished,
  }
}

/** Whether the output can be had now. */
export const hasOutput = (job: AppJob, now: number): boolean =>
  job.status === 'Succeeded' && job.output !== null && (!job.expiresAt || Date.parse(job.expiresAt) > now)
