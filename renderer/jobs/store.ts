import { create } from 'zustand'
import type { AppJob } from '../../service/web/app/types.ts'
import { api, type Client } from '../api/client.ts'

export const isActive = (job: AppJob): boolean => job.status === 'Queued' || job.status === 'Running'

/** Jobs per page read at the start; older ones are on the History page. */
const pageSize = 100
const mostJobs = 1000
const recentMs = 24 * 3600 * 1000

export interface JobsState {
  jobs: ReadonlyMap<string, AppJob>
  status: 'loading' | 'ready' | 'failed'
  load(): Promise<void>
  /** Applies live states; `null` means a removed job. */
  apply(changes: ReadonlyMap<string, AppJob | null>): void
  cancel(id: string): Promise<void>
  retry(id: string): Promise<void>
  remove(id: string): Promise<void>
}

const stage = (job: AppJob) => (job.status === 'Queued' ? 0 : job.status === 'Running' ? 1 : 2)

/** An answer may arrive after a newer event: a job never returns to an earlier stage. */
const newerOf = (known: AppJob | undefined, incoming: AppJob): AppJob =>
  known && stage(known) > stage(incoming) ? known : incoming

type JobsClient = Pick<Client, 'jobs' | 'cancel' | 'retry' | 'removeJob'>

export const createJobsStore = (client: JobsClient, now: () => number = Date.now) =>
  create<JobsState>()((set, get) => ({
    jobs: new Map(),
    status: 'loading',

    async load() {
      const found: AppJob[] = []
      const atStart = get().jobs
      try {
        let before: string | null = null
        do {
          const page = await client.jobs({ before, limit: pageSize })
          found.push(...page.items)
          const oldest = page.items.at(-1)
          const enough =
            found.length >= mostJobs || !oldest || now() - Date.parse(oldest.createdAt) > recentMs
          before = enough ? null : page.next
        } while (before)
      } catch {
        set(state => ({ status: state.status === 'ready' ? 'ready' : 'failed' }))
        return
      }
      // Jobs that arrived as events during the read are kept; others that the pages do not contain are dropped.
      const known = get().jobs
      const arrived = [...known.values()].filter(job => !atStart.has(job.id))
      const shown = found.filter(job => isActive(job) || now() - Date.parse(job.createdAt) < recentMs)
      set({
        status: 'ready',
        jobs: new Map([...shown, ...arrived].map(job => [job.id, newerOf(known.get(job.id), job)])),
      })
    },

    apply(changes) {
      const jobs = new Map(get().jobs)
      for (const [id, job] of changes) {
        if (job) jobs.set(id, newerOf(jobs.get(id), job))
        else jobs.delete(id)
      }
      set({ jobs })
    },

    cancel: id => client.cancel(id),

    async retry(id) {
      const job = await client.retry(id)
      get().apply(new Map([[job.id, job]]))
    },

    async remove(id) {
      await client.removeJob(id)
      get().apply(new Map([[id, null]]))
    },
  }))

export const useJobs = createJobsStore(api)
