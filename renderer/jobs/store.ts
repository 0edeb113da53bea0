/**
 * What the service reports, each thing once and by its id: jobs, batches, and the latest conversion of each staged file. Live
 * events keep it up to date; everything that shows jobs is derived from it.
 */
import { create } from 'zustand'
import type { AppJob, Batch, BatchItem, NewBatch } from '../../service/web/app/types.ts'
import { api, type Client } from '../api/client.ts'
import type { LiveChanges } from '../api/events.ts'

/** Jobs per page read at the start; older ones are on the History page. */
const JOBS_PER_PAGE = 100
const MOST_JOBS = 1000
const RECENT_MS = 24 * 3600 * 1000
const ITEMS_PER_PAGE = 1000

/** An item of a batch, which names its job. */
export interface Item extends Omit<BatchItem, 'id' | 'job'> {
  /** Null until it was read. */
  id: string | null
  jobId: string | null
}

/** A file that becomes an item. */
type ItemFile = Pick<Item, 'name' | 'relativePath' | 'bytes' | 'format' | 'formatLabel' | 'addedAt'> & {
  fileId: string | null
}

type Changes = Partial<Pick<LiveChanges, 'jobs' | 'batches' | 'items'>>

export interface JobsState {
  jobs: ReadonlyMap<string, AppJob>
  /** In the order of the service. */
  batches: ReadonlyMap<string, Batch>
  /** By staged file: of several conversions of a file, the latest. */
  items: ReadonlyMap<string, Item>
  /** Reads everything; without the service what is known stays. */
  load(): Promise<void>
  /** Applies live states; `null` means something that was removed. */
  apply(changes: Changes): void
  /** Waits until the items of all started batches were read, which are needed to cancel them. */
  whenRead(): Promise<void>
  /** @returns the id of the batch */
  create(request: NewBatch, files: readonly ItemFile[]): Promise<string>
  /** Adds files to a batch. */
  append(batchId: string, files: readonly ItemFile[]): Promise<void>
  /** Converts files again whose items are of one batch, as a new batch. */
  retryItems(batchId: string, files: readonly ItemFile[]): Promise<void>
  /** Removes the conversions of files from the list; their jobs stay in the history. */
  forget(fileIds: readonly string[]): void
  pause(id: string): Promise<void>
  resume(id: string): Promise<void>
  cancelBatch(id: string): Promise<void>
  cancel(id: string): Promise<void>
  retry(id: string): Promise<void>
  remove(id: string): Promise<void>
}

type JobsClient = Pick<
  Client,
  | 'jobs'
  | 'cancel'
  | 'retry'
  | 'removeJob'
  | 'batches'
  | 'batchItems'
  | 'createBatch'
  | 'appendFiles'
  | 'pauseBatch'
  | 'resumeBatch'
  | 'cancelBatch'
  | 'retryItems'
  | 'removeItems'
>

export const isActive = (job: AppJob): boolean => job.status === 'Queued' || job.status === 'Running'

export const isOpen = ({ state }: Batch): boolean => state === 'active' || state === 'paused'

/** Items that have ended, in whatever way. */
export const endedOf = ({ counts }: Batch): number => counts.succeeded + counts.failed + counts.canceled

const stage = (job: AppJob) => (job.status === 'Queued' ? 0 : job.status === 'Running' ? 1 : 2)

// An answer may arrive after a newer event: nothing returns to an earlier stage, and what was saved stays saved.
function newerJob(known: AppJob | undefined, incoming: AppJob): AppJob {
  if (!known || stage(known) < stage(incoming)) return incoming
  if (stage(known) > stage(incoming)) return known
  return incoming.savedTo === null && known.savedTo !== null
    ? { ...incoming, savedTo: known.savedTo }
    : incoming
}

const newerBatch = (known: Batch | undefined, incoming: Batch): Batch =>
  known && !isOpen(known) && isOpen(incoming) && incoming.counts.total <= known.counts.total
    ? known
    : incoming

function newerItem(known: Item | undefined, incoming: Item, batches: JobsState['batches']): Item {
  if (!known) return incoming
  if (known.batchId !== incoming.batchId) {
    const since = ({ batchId }: Item) => batches.get(batchId)?.createdAt ?? ''
    return since(known) > since(incoming) ? known : incoming
  }
  const isOlder = incoming.state === 'waiting' && (known.jobId !== null || known.state !== 'waiting')
  return isOlder ? { ...known, id: incoming.id } : incoming
}

function merged<T>(
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

const byId = <T extends { id: string }>(list: readonly T[]) => new Map(list.map(each => [each.id, each]))

const itemOf = ({ job, ...item }: BatchItem): Item => ({ ...item, jobId: job?.id ?? null })

/** An item has the same state word as its job. */
const stateOf = ({ status }: AppJob) => status.toLowerCase() as Lowercase<AppJob['status']>

/** The items after changes of jobs and batches; the same map if none has changed. */
function itemsWith({ jobs, batches, items }: JobsState, changes: Changes): JobsState['items'] {
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

export const createJobsStore = (client: JobsClient, now: () => number = Date.now) =>
  create<JobsState>()((set, get) => {
    /** Changes received while everything was being read; null at other times. */
    let meanwhile: Required<Pick<Changes, 'jobs' | 'batches'>> | null = null
    /** Batches whose items are being read. */
    const reading = new Map<string, Promise<void>>()

    const isRecent = (time: string) => now() - Date.parse(time) < RECENT_MS

    const readJobs = async (): Promise<AppJob[]> => {
      const found: AppJob[] = []
      let before: string | null = null
      do {
        const page = await client.jobs({ before, limit: JOBS_PER_PAGE })
        found.push(...page.items)
        const oldest = page.items.at(-1)
        before = found.length < MOST_JOBS && oldest && isRecent(oldest.createdAt) ? page.next : null
      } while (before)
      return found.filter(job => isActive(job) || isRecent(job.createdAt))
    }

    const readItems = async (batchId: string): Promise<void> => {
      let after: string | null = null
      do {
        const { items, next } = await client.batchItems(batchId, { after, limit: ITEMS_PER_PAGE })
        get().apply({ items: byId(items), jobs: byId(items.flatMap(({ job }) => job ?? [])) })
        after = next
      } while (after)
    }

    /** Reads the items of a batch, once at a time; those that could not be read are read with everything else. */
    const itemsOf = (batchId: string): Promise<void> => {
      const read =
        reading.get(batchId) ??
        readItems(batchId)
          .catch(() => {})
          .finally(() => reading.delete(batchId))
      reading.set(batchId, read)
      return read
    }

    const show = (batch: Batch) => get().apply({ batches: byId([batch]) })

    const begin = (batch: Batch, files: readonly ItemFile[]) => {
      const { batches, items: known } = get()
      const items = new Map(known)
      const replaced: string[] = []
      for (const { fileId, name, relativePath, bytes, format, formatLabel, addedAt } of files) {
        const earlier = items.get(fileId ?? '')
        if (fileId === null || earlier?.batchId === batch.id) continue
        if (earlier?.id) replaced.push(earlier.id)
        items.set(fileId, {
          ...{ id: null, batchId: batch.id, jobId: null, state: 'waiting', error: null, savedTo: null },
          ...{ fileId, name, relativePath, bytes, format, formatLabel, addedAt },
        })
      }
      meanwhile?.batches.set(batch.id, batch)
      set({ items, batches: merged(batches, byId([batch]), newerBatch) })
      // A file has one row; earlier conversions are in the history. Running batches keep their rows.
      if (replaced.length > 0) client.removeItems(replaced).catch(() => {})
      // Items that are being read may have been listed before these were added.
      const earlier = reading.get(batch.id)
      void (earlier ? earlier.then(() => itemsOf(batch.id)) : itemsOf(batch.id))
    }

    return {
      jobs: new Map(),
      batches: new Map(),
      items: new Map(),

      async load() {
        const incoming = { jobs: new Map<string, AppJob | null>(), batches: new Map<string, Batch | null>() }
        meanwhile = incoming
        try {
          const [jobs, batches] = await Promise.all([readJobs(), client.batches()])
          // A later call reads newer lists.
          if (meanwhile !== incoming) return
          // The service no longer lists them, but they are still in the table.
          const old = [...get().batches.values()].filter(
            ({ finishedAt }) => finishedAt !== null && !isRecent(finishedAt),
          )
          const listed = new Set([...byId([...batches, ...old]).keys(), ...incoming.batches.keys()])
          set(known => ({
            // The pages do not include all jobs of the listed batches.
            jobs: merged(
              new Map([...known.jobs].filter(([, { batchId }]) => batchId !== null && listed.has(batchId))),
              byId(jobs.map(job => newerJob(known.jobs.get(job.id), job))),
              newerJob,
            ),
            batches: byId([...batches.map(batch => newerBatch(known.batches.get(batch.id), batch)), ...old]),
            items: new Map([...known.items].filter(([, { batchId }]) => listed.has(batchId))),
          }))
          get().apply(incoming)
          for (const { id } of batches) await itemsOf(id)
        } catch {
          // They are read again when events arrive again.
        } finally {
          if (meanwhile === incoming) meanwhile = null
        }
      },

      apply(changes) {
        const before = get()
        for (const [id, job] of changes.jobs ?? []) meanwhile?.jobs.set(id, job)
        for (const [id, batch] of changes.batches ?? []) meanwhile?.batches.set(id, batch)
        const batches = merged(before.batches, changes.batches, newerBatch)
        set({
          jobs: merged(before.jobs, changes.jobs, newerJob),
          batches,
          items: itemsWith({ ...before, batches }, changes),
        })
        for (const id of changes.batches?.keys() ?? []) {
          if (batches.has(id) && !before.batches.has(id)) void itemsOf(id)
        }
      },

      whenRead: async () => void (await Promise.all(reading.values())),

      async create(request, files) {
        const batch = await client.createBatch(request)
        begin(batch, files)
        return batch.id
      },

      async append(batchId, files) {
        begin(
          await client.appendFiles(
            batchId,
            files.flatMap(({ fileId }) => fileId ?? []),
          ),
          files,
        )
      },

      async retryItems(batchId, files) {
        const ids = files.flatMap(({ fileId }) => get().items.get(fileId ?? '')?.id ?? [])
        begin(await client.retryItems(batchId, ids), files)
      },

      forget(fileIds) {
        const items = new Map(get().items)
        const ids = fileIds.flatMap(fileId => items.get(fileId)?.id ?? [])
        for (const fileId of fileIds) items.delete(fileId)
        set({ items })
        if (ids.length > 0) client.removeItems(ids).catch(() => {})
      },

      pause: async id => show(await client.pauseBatch(id)),
      resume: async id => show(await client.resumeBatch(id)),
      cancelBatch: async id => show(await client.cancelBatch(id)),
      cancel: id => client.cancel(id),

      async retry(id) {
        get().apply({ jobs: byId([await client.retry(id)]) })
      },

      async remove(id) {
        await client.removeJob(id)
        get().apply({ jobs: new Map([[id, null]]) })
      },
    }
  })

export const useJobs = createJobsStore(api)

/** Times are ISO 8601 in UTC, all in the same form, so they sort as text. */
const byEnd = (a: Batch, b: Batch) => (b.finishedAt ?? '').localeCompare(a.finishedAt ?? '')

const lists = new WeakMap<JobsState['batches'], readonly Batch[]>()

/** Open batches in processing order, then finished ones, latest first. */
export function batchList({ batches }: Pick<JobsState, 'batches'>): readonly Batch[] {
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
export function conversionOf({ items, jobs, batches }: JobsState, fileId: string | null): Conversion | null {
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
