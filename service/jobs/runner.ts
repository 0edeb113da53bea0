import { mkdir, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Converter } from '../catalogue/converter.ts'
import { type FormatKey, splitName } from '../catalogue/formats.ts'
import type { Config } from '../config.ts'
import { asJobFailure, JobFailure } from '../errors.ts'
import type { BlobStore } from '../storage/blobs.ts'
import type { WorkerPool } from '../workers/pool.ts'
import type { Packaged } from '../workers/protocol.ts'
import { blobKeys, type Job } from './job.ts'
import type { JobEvents } from './progress.ts'
import type { JobStore } from './store.ts'

export interface RunnerParts {
  store: JobStore
  blobs: BlobStore
  pool: WorkerPool
  catalogue: Catalogue
  events: JobEvents
  config: Pick<Config, 'slots' | 'retentionSeconds' | 'jobTimeoutSeconds' | 'maxOutputBytes'>
  /** Folder for the scratch folders of running jobs. */
  scratch: string
  onError: (error: unknown, jobId?: string) => void
}

/** Milliseconds after which the queue is looked at again when the store could not be asked. */
const STORE_RETRY = 1000

/** Takes queued jobs while slots are open, has workers convert them, and marks how each ended. */
export class JobRunner {
  readonly #parts: RunnerParts
  readonly #running = new Map<string, { job: Job; abort: AbortController; done: Promise<void> }>()
  #filling: Promise<void> | undefined
  #again = false
  #stopped = false

  constructor(parts: RunnerParts) {
    this.#parts = parts
  }

  /** Looks for work; call whenever a job is queued. */
  wake(): void {
    if (this.#stopped) return
    if (this.#filling) {
      this.#again = true
      return
    }
    this.#filling = this.#fill().finally(() => {
      this.#filling = undefined
      if (this.#again) {
        this.#again = false
        this.wake()
      }
    })
  }

  /** Kills a running job's process; returns once its files are gone. Nothing happens when it does not run. */
  async abort(id: string): Promise<void> {
    const running = this.#running.get(id)
    running?.abort.abort(new Error('canceled'))
    await running?.done
  }

  /** Stops taking jobs and kills what runs; those jobs stay `Running` in the store and are recovered at the next start. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#filling
    await Promise.all([...this.#running.keys()].map(id => this.abort(id)))
  }

  /** Seconds after which a place in an account's queue is likely to be free. */
  secondsToNextPlace(accountId: string): number {
    const etas = [...this.#running.values()]
      .filter(({ job }) => job.accountId === accountId)
      .map(({ job }) => this.#parts.events.live(job.id)?.eta ?? 2)
    return Math.min(60, Math.max(1, Math.min(...etas, 60)))
  }

  async #fill(): Promise<void> {
    try {
      while (!this.#stopped && this.#running.size < this.#parts.config.slots) {
        const job = await this.#parts.store.claim(this.#saturated())
        if (!job) return
        const abort = new AbortController()
        const done = this.#run(job, abort.signal)
          .catch(error => this.#parts.onError(error, job.id))
          .finally(() => {
            this.#running.delete(job.id)
            this.wake()
          })
        this.#running.set(job.id, { job, abort, done })
      }
    } catch (error) {
      this.#parts.onError(error)
      void setTimeout(STORE_RETRY, undefined, { ref: false }).then(() => this.wake())
    }
  }

  /** Cores a job that starts now may use: those no other running job is likely to need. */
  #coresFree(): number {
    return Math.max(1, availableParallelism() - (this.#running.size - 1))
  }

  /** Job types of which as many run as their converter allows. */
  #saturated(): string[] {
    const counts = new Map<string, number>()
    for (const { job } of this.#running.values()) counts.set(job.job, (counts.get(job.job) ?? 0) + 1)
    return [...counts].flatMap(([type, count]) =>
      count >= (this.#parts.catalogue.byJob(type)?.limits.concurrent ?? 1) ? [type] : [],
    )
  }

  async #run(job: Job, signal: AbortSignal): Promise<void> {
    const { blobs, events, store, config } = this.#parts
    const folder = join(this.#parts.scratch, job.id)
    let kept = false
    events.begin(job.id, job.accountId)
    try {
      const { path, ...output } = await this.#convert(job, folder, signal)
      await blobs.put(blobKeys.output(job.id), path)
      await rm(folder, { recursive: true, force: true })
      const expiresAt = Date.now() + config.retentionSeconds * 1000
      const warnings = events.live(job.id)?.warnings ?? []
      // Not kept when the job was canceled in the last moment.
      kept = await this.#persist(() => store.succeed(job.id, { ...output, expiresAt, warnings }))
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      // On cancel the state has changed already, and on a stop it stays for recovery.
      if (!signal.aborted) await this.#fail(job, error)
    } finally {
      if (!this.#stopped) await blobs.remove(kept ? blobKeys.input(job.id) : blobKeys.of(job.id))
      events.end(job.id)
      events.emit('job', job.id, job.accountId)
      events.emit('balance', job.accountId)
    }
  }

  /** Repeats a write to the store until it succeeds: on a full disk a job's end is late, not lost. */
  async #persist<T>(write: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        if (this.#stopped) throw error
        this.#parts.onError(error)
        await setTimeout(STORE_RETRY)
      }
    }
  }

  async #convert(job: Job, folder: string, signal: AbortSignal): Promise<Packaged> {
    const { blobs, catalogue, config, events, pool } = this.#parts
    const converter = catalogue.byJob(job.job)
    if (!converter?.load) throw new JobFailure('jobs.engine_missing')
    checkLimits(converter, job)
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    const path = await blobs.checkout(blobKeys.input(job.id))
    const input = {
      path,
      name: job.inputName,
      stem: splitName(job.inputName).stem,
      bytes: job.inputBytes,
      format: job.inputFormat as FormatKey,
      probe: job.measure.probe,
    }
    const seconds = config.jobTimeoutSeconds || converter.seconds(job.measure.minutes ?? 0)
    return pool.run(
      'convert',
      { job: job.job, input, options: job.options, folder, cores: this.#coresFree() },
      {
        timeoutMs: seconds * 1000,
        signal,
        affinity: `${converter.category}/${converter.source}`,
        folder,
        maxOutputBytes: config.maxOutputBytes,
        onProgress: (fraction, phase) => events.progress(job.id, job.accountId, fraction, phase),
        onWarning: message => events.warn(job.id, job.accountId, message),
      },
    )
  }

  async #fail(job: Job, thrown: unknown): Promise<void> {
    const { events, store, onError } = this.#parts
    const error = asJobFailure(thrown)
    if (!(error instanceof JobFailure)) onError(error, job.id)
    const { code, detail } = error instanceof JobFailure ? error : new JobFailure('jobs.engine_crashed')
    const warnings = events.live(job.id)?.warnings ?? []
    await this.#persist(() => store.fail(job.id, { code, detail }, warnings))
  }
}

/** Refuses what intake measured to be over the converter's limits. */
function checkLimits({ limits, costing }: Converter, { measure }: Job): void {
  if (limits.pages !== null && (measure.pages ?? 0) > limits.pages) {
    const unit = costing.incrementUnit ?? 'pages'
    throw new JobFailure(
      'jobs.too_many_pages',
      `The file has ${measure.pages} ${unit}; this conversion takes at most ${limits.pages}. Split the file first.`,
    )
  }
  if (limits.minutes !== null && (measure.minutes ?? 0) > limits.minutes) {
    throw new JobFailure(
      'jobs.too_long',
      `The recording is ${Math.ceil(measure.minutes ?? 0)} minutes long; this conversion takes at most ${limits.minutes}. Split it first.`,
    )
  }
}
