/** Lists derived from what is known, the same objects while nothing of them changes. */
import type { AppJob, Batch } from '../../service/web/app/types.ts'
import { type Item, isOpen, type Known, stateOf } from './known.ts'

/** Times are ISO 8601 in UTC, all in the same form, so they sort as text. */
const byEnd = (a: Batch, b: Batch) => (b.finishedAt ?? '').localeCompare(a.finishedAt ?? '')

const lists = new WeakMap<Known['batches'], readonly Batch[]>()

/** Open batches in processing order, then finished ones, latest first. */
export function batchList({ batches }: Pick<Known, 'batches'>): readonly Batch[] {
  const all = [...batches.values()]
  const list = lists.get(batches) ?? [
    ...all.filter(isOpen),
    ...all.filter(batch => !isOpen(batch)).sort(byEnd),
  ]
  lists.set(batches, list)
  return list
}

/** The latest conversion of a file, as far as it has come. */
export interface Conversion extends Pick<Item, 'id' | 'batchId' | 'state' | 'error' | 'savedTo'> {
  job: AppJob | null
  targetLabel: string
}

const conversions = new WeakMap<Item, Conversion>()

/** The latest conversion of a staged file, the same object while nothing of it changes; null without one. */
export function conversionOf({ items, jobs, batches }: Known, fileId: string | null): Conversion | null {
  const item = items.get(fileId ?? '')
  if (!item) return null
  const job = jobs.get(item.jobId ?? '') ?? null
  const batch = batches.get(item.batchId)
  const isCanceled = item.state === 'waiting' && batch?.state === 'canceled'
  const state = job ? stateOf(job) : isCanceled ? 'canceled' : item.state
  const known = conversions.get(item)
  if (known?.job === job && known.state === state) return known
  const savedTo = job?.savedTo ?? item.savedTo
  const found: Conversion = {
    ...{ id: item.id, batchId: item.batchId, state, job, savedTo },
    // Why a result was not saved is stored with the item, until it is saved; so is what went wrong after that.
    error: job?.error ?? (savedTo === null || item.savedTo !== null ? item.error : null),
    targetLabel: job?.targetLabel ?? batch?.targetLabel ?? '',
  }
  conversions.set(item, found)
  return found
}
