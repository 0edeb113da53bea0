import { rm } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { RequestError } from '../errors.ts'
import type { BlobStore } from '../storage/blobs.ts'
import { blobKeys, hasOutput, type Job, type NewJob } from './job.ts'
import type { JobEvents } from './progress.ts'
import type { JobRunner } from './runner.ts'
import type { JobStore } from './store.ts'

/** A malformed id is as unknown as any other. */
const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The life of jobs as callers see it: submit, look up, cancel, delete, expire. */
export class Jobs {
  readonly events: JobEvents
  readonly #store: JobStore
  readonly #blobs: BlobStore
  readonly #runner: JobRunner
  readonly #config: Pick<Config, 'retentionSeconds'>
  #sweeper: NodeJS.Timeout | undefined

  constructor(parts: {
    store: JobStore
    blobs: BlobStore
    runner: JobRunner
    events: JobEvents
    config: Pick<Config, 'retentionSeconds'>
  }) {
    this.events = parts.events
    this.#store = parts.store
    this.#blobs = parts.blobs
    this.#runner = parts.runner
    this.#config = parts.config
  }

  /**
   * Recovers what a stop left behind and begins to work.
   * @param scratch folder of running jobs' scratch folders, emptied
   */
  async start(scratch: string): Promise<{ requeued: string[]; interrupted: string[] }> {
    await rm(scratch, { recursive: true, force: true })
    const recovered = await this.#store.recover()
    await this.#sweepStrays()
    await this.sweep()
    const interval = Math.min(30_000, Math.max(250, (this.#config.retentionSeconds * 1000) / 2))
    this.#sweeper = setInterval(() => void this.sweep().catch(() => {}), interval).unref()
    this.#runner.wake()
    return recovered
  }

  /** Deletes what a stop between two steps left behind. */
  async #sweepStrays(): Promise<void> {
    const ids = await this.#blobs.list('jobs')
    const needed = await this.#store.filesNeeded(ids)
    for (const id of ids) {
      const need = needed.get(id)
      if (need === 'output') await this.#blobs.remove(blobKeys.input(id))
      else if (need === undefined) await this.#blobs.remove(blobKeys.of(id))
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#sweeper)
    await this.#runner.stop()
  }

  /**
   * Charges and queues a job.
   * @param place puts the input file into the blob store under the key it is given
   * @throws RequestError entitlements.insufficient_credits, queue.limit_exceeded
   */
  async submit(job: NewJob, place: (key: string) => Promise<void>): Promise<Job> {
    // The file is in place before the job can be seen, so that a stop in between leaves at most a stray file.
    await place(blobKeys.input(job.id))
    let submission: Awaited<ReturnType<JobStore['submit']>> | undefined
    try {
      submission = await this.#store.submit(job)
    } finally {
      if (submission?.kind !== 'queued') await this.#blobs.remove(blobKeys.of(job.id))
    }
    if (submission.kind === 'queue_full') {
      throw new RequestError(
        'queue.limit_exceeded',
        'This account has as many queued and running jobs as it may have. Wait for one to finish.',
        { retryAfter: this.#runner.secondsToNextPlace(job.accountId) },
      )
    }
    if (submission.kind === 'insufficient_credits') {
      throw new RequestError(
        'entitlements.insufficient_credits',
        `This conversion costs ${job.creditCost} credits; ${submission.available} are available. Required: ${job.creditCost}, available: ${submission.available}.`,
      )
    }
    this.events.emit('job', job.id, job.accountId)
    this.events.emit('balance', job.accountId)
    this.#runner.wake()
    return submission.job
  }

  /** @throws RequestError jobs.not_found, jobs.forbidden */
  async get(id: string, accountId: string): Promise<Job> {
    const job = GUID.test(id) ? await this.#store.get(id.toLowerCase()) : undefined
    if (!job) throw new RequestError('jobs.not_found', 'There is no job with this id.')
    if (job.accountId !== accountId)
      throw new RequestError('jobs.forbidden', 'This job belongs to another account.')
    return job
  }

  list(accountId: string, before: number | null, limit: number): Promise<Job[]> {
    return this.#store.list(accountId, before, limit)
  }

  /** @throws RequestError jobs.not_cancellable */
  async cancel(id: string, accountId: string): Promise<void> {
    const job = await this.get(id, accountId)
    if (!(await this.#store.cancel(job.id))) {
      throw new RequestError(
        'jobs.not_cancellable',
        'The job has already completed, failed or been canceled.',
      )
    }
    await this.#runner.abort(job.id)
    await this.#blobs.remove(blobKeys.of(job.id))
    this.events.emit('job', job.id, accountId)
    this.events.emit('balance', accountId)
  }

  /** @throws RequestError jobs.not_deletable */
  async remove(id: string, accountId: string): Promise<void> {
    const job = await this.get(id, accountId)
    if (!(await this.#store.remove(job.id))) {
      throw new RequestError('jobs.not_deletable', 'The job is queued or running. Cancel it first.')
    }
    await this.#blobs.remove(blobKeys.of(job.id))
    this.events.emit('removed', job.id, accountId)
  }

  /** @throws RequestError jobs.not_ready, jobs.expired */
  async openOutput(job: Job) {
    if (job.status === 'Queued' || job.status === 'Running') {
      throw new RequestError(
        'jobs.not_ready',
        'The job has not finished yet. Poll its status, then download.',
      )
    }
    if (job.status !== 'Succeeded') {
      throw new RequestError('jobs.not_ready', `The job ended as ${job.status} and has no output.`)
    }
    const opened = hasOutput(job)
      ? await this.#blobs.open(blobKeys.output(job.id)).catch(() => undefined)
      : undefined
    if (!opened) {
      throw new RequestError(
        'jobs.expired',
        'The output has been cleaned up after its retention time. Convert again.',
      )
    }
    return opened
  }

  /** Deletes outputs whose time is over. */
  async sweep(now = Date.now()): Promise<void> {
    for (const id of await this.#store.expire(now)) {
      await this.#blobs.remove(blobKeys.of(id))
      const job = await this.#store.get(id)
      if (job) this.events.emit('job', id, job.accountId)
    }
    await this.#store.forget(now - HISTORY)
  }
}

/** How long finished jobs stay listed, in milliseconds. */
const HISTORY = 30 * 24 * 3600 * 1000
