import type { Cleanup } from '../../store/interfaces/cleanup.ts'
import { jobEvent } from '../../store/interfaces/events.ts'
import { timeOf } from '../../store/interfaces/ids.ts'
import { asideBlobs, fileBlobs, jobBlobs } from '../../store/interfaces/keys.ts'
import type { Stores } from '../../store/interfaces/stores.ts'

export interface RetentionParts {
  stores: Stores
  cleanup: Cleanup
  /** How long outputs and unused staged files are kept. */
  retentionMs: number
  /** Previews, which are kept no longer than the files they show, by the clock of this host, which has them. */
  previews?: { sweep(unusedSince: number): Promise<void> }
  onError: (error: unknown) => void
}

/** How long finished jobs and batches stay listed. */
const HISTORY_MS = 30 * 24 * 3600_000
/** Blobs without a record count as strays once they are this old; a younger one may be about to get its record. */
const STRAY_AGE_MS = 3600_000
/** Uploads to the blob store count as abandoned after this; one of a large file may take hours. */
const UNFINISHED_AGE_MS = 24 * 3600_000
const LONGEST_INTERVAL_MS = 120_000
/** How often what is kept for days is looked through. */
const HISTORY_INTERVAL_MS = 3600_000
const SHORTEST_INTERVAL_MS = 250

/** Deletes what has expired. The parts of a sweep are independent: a failure in one does not stop the others. */
export class Retention {
  readonly #parts: RetentionParts
  #timer: NodeJS.Timeout | undefined
  #sweeping: Promise<void> | undefined
  #straysAt = Number.NEGATIVE_INFINITY
  /** When what is kept for days was last looked through, by the clock of the stores. */
  #historyAt = Number.NEGATIVE_INFINITY
  /** Blobs without a record, and when they were first found, by the monotonic clock. */
  #found = new Map<string, number>()

  constructor(parts: RetentionParts) {
    this.#parts = parts
  }

  /**
   * Starts sweeping.
   * @param alone nobody else can be writing blobs now, so all blobs without a record are strays
   */
  async start({ alone }: { alone: boolean }): Promise<void> {
    await this.#attempt(() => this.sweepStrays(alone ? Number.POSITIVE_INFINITY : this.#now() - STRAY_AGE_MS))
    await this.sweep()
    const half = this.#parts.retentionMs / 2
    const interval = Math.min(LONGEST_INTERVAL_MS, Math.max(SHORTEST_INTERVAL_MS, half))
    this.#timer = setInterval(() => void this.sweep(), interval).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#sweeping
  }

  /** By the clock of the stores: that of this host may be wrong. */
  #now(): number {
    return this.#parts.stores.jobs.now()
  }

  /** Deletes everything that has expired. Never throws. */
  sweep(now = this.#now()): Promise<void> {
    this.#sweeping ??= this.#sweep(now).finally(() => {
      this.#sweeping = undefined
    })
    return this.#sweeping
  }

  async #sweep(now: number): Promise<void> {
    const { stores, cleanup, retentionMs } = this.#parts
    await this.#attempt(() => this.#outputs(now))
    await this.#attempt(() => this.#files(now - retentionMs))
    await this.#attempt(async () => this.#parts.previews?.sweep(Date.now() - retentionMs))
    if (Math.abs(now - this.#historyAt) >= HISTORY_INTERVAL_MS) {
      this.#historyAt = now
      await this.#attempt(() => this.#history(now - HISTORY_MS))
      await this.#attempt(() => this.#aside(now - HISTORY_MS))
      await this.#attempt(() => stores.webhooks.purge(now - HISTORY_MS))
      await this.#attempt(() => stores.accounts.forgetSessions(now))
    }
    if (performance.now() - this.#straysAt > STRAY_AGE_MS)
      await this.#attempt(() => this.sweepStrays(now - STRAY_AGE_MS))
    await cleanup.retry()
  }

  async #outputs(now: number): Promise<void> {
    const { stores, cleanup } = this.#parts
    for (const job of await stores.jobs.expire(now)) {
      await cleanup.blobs(jobBlobs.all(job.id))
      stores.events.publish(jobEvent(job, 'ended'))
    }
  }

  async #files(unusedSince: number): Promise<void> {
    const { stores, cleanup } = this.#parts
    for (const id of await stores.files.removeUnused(unusedSince)) await cleanup.blobs(fileBlobs.all(id))
  }

  async #aside(setAsideBefore: number): Promise<void> {
    const { stores, cleanup } = this.#parts
    for (const date of await stores.blobs.list(asideBlobs.all))
      if (Date.parse(date) < setAsideBefore) await cleanup.blobs(asideBlobs.of(date))
  }

  async #history(finishedBefore: number): Promise<void> {
    const { stores, cleanup } = this.#parts
    for (const { id, accountId } of await stores.jobs.purge(finishedBefore)) {
      await cleanup.blobs(jobBlobs.all(id))
      stores.events.publish({ type: 'job-removed', accountId, jobId: id })
    }
    for (const { id, accountId } of await stores.batches.purge(finishedBefore)) {
      stores.events.publish({ type: 'batch-removed', accountId, batchId: id })
    }
  }

  /**
   * Deletes blobs without a record, of jobs and files created before a time. A stop between two steps can leave such
   * blobs. Ids have the time of the host that made them, which may be behind: where others write too, a blob has to have
   * been without a record for as long as that.
   */
  async sweepStrays(madeBefore: number): Promise<void> {
    const { stores, cleanup } = this.#parts
    this.#straysAt = performance.now()
    const old = async (prefix: string) =>
      (await stores.blobs.list(prefix)).filter(id => (timeOf(id) ?? 0) < madeBefore)
    const jobs = await old('jobs')
    const needed = await stores.jobs.blobsNeeded(jobs)
    const before = this.#found
    const found = new Map<string, number>()
    const isStray = (id: string) => {
      const since = before.get(id) ?? performance.now()
      found.set(id, since)
      return !stores.isShared || performance.now() - since >= STRAY_AGE_MS
    }
    for (const id of jobs) {
      const key = needed.get(id)
      if (key === undefined) {
        if (isStray(id)) await cleanup.blobs(jobBlobs.all(id))
      } else if (key !== jobBlobs.all(id)) await cleanup.blobsBut(key, jobBlobs.all(id))
    }
    const files = await old('files')
    const existing = await stores.files.existing(files)
    for (const id of files) if (!existing.has(id) && isStray(id)) await cleanup.blobs(fileBlobs.all(id))
    this.#found = found
    await stores.blobs.dropUnfinished(this.#now() - UNFINISHED_AGE_MS)
  }

  async #attempt(part: () => Promise<void>): Promise<void> {
    try {
      await part()
    } catch (error) {
      this.#parts.onError(error)
    }
  }
}
