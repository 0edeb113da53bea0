/** Merges answers and live events, which may arrive in another order than they were made. */
import type { AppJob, Batch, BatchItem } from '../../service/web/app/types.ts'
import type { LiveChanges } from '../api/events.ts'
import { type Item, isOpen, type Known, stateOf } from './known.ts'

export type Changes = Partial<Pick<LiveChanges, 'jobs' | 'batches' | 'items'>>

const stage = (job: AppJob) => (job.status === 'Queued' ? 0 : job.status === 'Running' ? 1 : 2)

// An answer may arrive after a newer event: nothing returns to an earlier stage, and what was saved stays saved.
export function newerJob(known: AppJob | undefined, incoming: AppJob): AppJob {
  if (!known || stage(known) < stage(incoming)) return incoming
  if (stage(known) > stage(incoming)) return known
  return incoming.savedTo === null && known.savedTo !== null
    ? { ...incoming, savedTo: known.savedTo }
    : incoming
}

export const newerBatch = (known: Batch | undefined, incoming: Batch): Batch =>
  known && !isOpen(known) && isOpen(incoming) && incoming.counts.total <= known.counts.total
    ? known
    : incoming

function newerItem(known: Item | undefined, incoming: Item, batches: Known['batches']): Item {
  if (!known) return incoming
  if (known.batchId !== incoming.batchId) {
    const since = ({ batchId }: Item) => batches.get(batchId)?.createdAt ?? ''
    return since(known) > since(incoming) ? known : incoming
  }
  const isOlder = incoming.state === 'waiting' && (known.jobId !== null || known.state !== 'waiting')
  return isOlder ? { ...known, id: incoming.id } : incoming
}

export function merged<T>(
  known: ReadonlyMap<string, T>,
  incoming: ReadonlyMap<string, T | null> | undefined,
  newer: (known: T | undefined, incoming: T) => T,
): ReadonlyMap<string, T> {
  if (!incoming?.size) return known
  const all = new Map(known)
  for (const [id, each] of incoming) {
    if (each) all.set(id, newer(all.get(id), each))
    else all.delete(id)
  }
  return all
}

export const byId = <T extends { id: string }>(list: readonly T[]) =>
  new Map(list.map(each => [each.id, each]))

const itemOf = ({ job, ...item }: BatchItem): Item => ({ ...item, jobId: job?.id ?? null })

/** The items after changes of jobs and batches; the same map if none has changed. */
export function itemsWith({ jobs, batches, items }: Known, changes: Changes): Known['items'] {
  const all = new Map(items)
  let changed = false
  const put = (item: Item) => {
    changed ||= all.get(item.fileId) !== item
    all.set(item.fileId, item)
  }
  for (const [id, job] of changes.jobs ?? []) {
    const last = job ?? jobs.get(id)
    const item = all.get(last?.fileId ?? '')
    if (!last || item?.batchId !== last.batchId) continue
    if (job) put(item.jobId === id ? item : { ...item, jobId: id })
    else if (item.jobId === id) {
      const savedTo = last.savedTo ?? item.savedTo
      put({ ...item, state: stateOf(last), error: last.error ?? item.error, savedTo, jobId: null })
    }
  }
  for (const incoming of changes.items?.values() ?? []) {
    put(newerItem(all.get(incoming.fileId), itemOf(incoming), batches))
  }
  for (const [id, batch] of changes.batches ?? []) {
    if (batch) continue
    for (const { fileId, batchId } of items.values()) {
      if (batchId === id) changed = all.delete(fileId) || changed
    }
  }
  return changed ? all : items
}
