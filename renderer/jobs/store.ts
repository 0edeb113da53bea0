/**
 * What the service reports, each thing once and by its id: jobs, batches, and the latest conversion of each staged file. Live
 * events keep it up to date; everything that shows jobs is derived from it.
 */
import { create } from 'zustand'
import type { AppJob, Batch, NewBatch } from '../../service/web/app/types.ts'
import { api, type Client } from '../api/client.ts'
import { type Item, isActive, type Known } from './known.ts'
import { byId, type Changes, itemsWith, merged, newerBatch, newerJob } from './merge.ts'

/** Jobs per page read at the start; older ones are on the History page. */
const JOBS_PER_PAGE = 100
const MOST_JOBS = 1000
const RECENT_MS = 24 * 3600 * 1000
const ITEMS_PER_PAGE = 1000

/** A file that becomes an item. */
type ItemFile = Pick<Item, 'name' | 'relativePath' | 'bytes' | 'format' | 'formatLabel' | 'addedAt'> & {
  fileId: string | null
}

export interface JobsState extends Known {
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
  discard(fileIds: readonly string[]): void
  pause(id: string): Promise<void>
  resume(id: string): Promise<void>
  cancelBatch(id: string): Promise<void>
  cancel(id: string): Promise<void>
  retry(id: string): Promise<void>
  /** Gives a result another name. @param name without its suffix */
  rename(id: string, name: string): Promise<void>
}

export const createJobsStore = (client: Client, now: () => number = Date.now) =>
  create<JobsState>()((set, get) => {
    /** Changes received while everything was being read; null at other times. */
    let meanwhile: Required<Pick<Changes, 'jobs' | 'batches'>> | null = null
    /** Batches whose items are being read. */
    const reading = new Map<string, Promise<void>>()
    /** Items that changed while those of their batch were being read, which may have been listed before. */
    const changed = new Map<string, Set<string>>()

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
      const newer = new Set<string>()
      changed.set(batchId, newer)
      let after: string | null = null
      do {
        const { items, next } = await client.batchItems(batchId, { after, limit: ITEMS_PER_PAGE })
        const read = items.filter(({ id }) => !newer.has(id))
        get().apply({ items: byId(read), jobs: byId(items.flatMap(({ job }) => job ?? [])) })
        after = next
      } while (after)
    }

    /** Reads the items of a batch, once at a time; those that could not be read are read with everything else. */
    const itemsOf = (batchId: string): Promise<void> => {
      const read =
        reading.get(batchId) ??
        readItems(batchId)
          .catch(() => {})
          .finally(() => {
            reading.delete(batchId)
            changed.delete(batchId)
          })
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
        for (const [id, item] of changes.items ?? []) if (item) changed.get(item.batchId)?.add(id)
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

      discard(fileIds) {
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

      async rename(id, name) {
        get().apply({ jobs: byId([await client.renameResult(id, name)]) })
      },

      async retry(id) {
        get().apply({ jobs: byId([await client.retry(id)]) })
      },
    }
  })

export const useJobs = createJobsStore(api)
