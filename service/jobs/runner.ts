import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { type Converter, globalLimits } from '../catalogue/converter.ts'
import { engines } from '../catalogue/engines.ts'
import { type FormatKey, splitName } from '../catalogue/formats.ts'
import type { Config } from '../config.ts'
import { asJobFailure, JobFailure } from '../errors.ts'
import { message } from '../messages/message.ts'
import type { BlobStore } from '../stores/blobs.ts'
import type { Cleanup } from '../stores/cleanup.ts'
import { StoreUnavailable } from '../stores/errors.ts'
import type { Events } from '../stores/events.ts'
import type { Job, JobStore, Recovered } from '../stores/jobs.ts'
import { jobBlobs } from '../stores/keys.ts'
import { checkoutSource, FileChangedError } from '../stores/source.ts'
import { Wakeable } from '../wakeable.ts'
import type { WorkerPool } from '../workers/pool.ts'
import type { Packaged } from '../workers/protocol.ts'
import { ProgressReport } from './progress.ts'

export interface RunnerParts {
  store: JobStore
  blobs: BlobStore
  pool: WorkerPool
  catalogue: Catalogue
  events: Events
  cleanup: Cleanup
  config: Pick<Config, 'slots' | 'cores' | 'retentionSeconds' | 'jobTimeoutSeconds' | 'maxOutputBytes'>
  /** Id of this host, which its leases carry. */
  owner: string
  /** Whether it takes jobs; by default it does. One that does not still looks after those of hosts that are gone. */
  takesJobs?: boolean
  /** Folder for the scratch folders of running jobs. */
  scratch: string
  /** How long a lease lasts without being renewed; 30 seconds by default. */
  leaseMs?: number
  onError: (error: unknown, jobId?: string) => void
}

/** After this the same is asked of a store that failed. */
const STORE_RETRY_MS = 1000
/** How long a lease lasts without being renewed. It is renewed three times in that span. */
const LEASE_MS = 30_000

/**
 * Jobs that run at most with so many slots: as many again open one by one for accounts of which nothing runs, so that
 * none waits for the long jobs of another.
 */
export const placesFor = (slots: number): number => 2 * slots

interface Running {
  job: Job
  abort: AbortController
  done: Promise<void>
}

/** Takes queued jobs while slots are open, has workers convert them, and marks how each ended. */
export class JobRunner {
  readonly #parts: RunnerParts
  readonly #leaseMs: number
  readonly #running = new Map<string, Running>()
  readonly #filling: Wakeable
  #isDraining = false
  /** Job types of which fewer may run at once than of others, over all hosts. */
  readonly #concurrent: ReadonlyMap<string, number>
  #timer: NodeJS.Timeout | undefined
  /** Ends what runs here once the leases are over and the store has not been reached since. */
  #lapse: NodeJS.Timeout | undefined
  /** When the leases were renewed last, by the monotonic clock. */
  #renewedAt = 0
  #unsubscribe = () => {}
  #renewing: Promise<void> | undefined

  constructor(parts: RunnerParts) {
    this.#parts = parts
    this.#leaseMs = parts.leaseMs ?? LEASE_MS
    this.#concurrent = new Map(
      parts.catalogue.converters
        .filter(({ limits }) => limits.concurrent < globalLimits.concurrent)
        .map(({ job, limits }) => [job, limits.concurrent]),
    )
    this.#filling = new Wakeable(signal => this.#fill(signal), parts.onError)
  }

  /** Queues what an earlier life of this host left running, and begins to work. */
  async start(): Promise<Recovered> {
    const recovered = await this.#parts.store.recover(this.#parts.owner)
    this.#renewedAt = performance.now()
    this.#tell(recovered)
    this.#timer = setInterval(() => this.#renew(), this.#leaseMs / 3).unref()
    this.#unsubscribe = this.#parts.events.subscribeElsewhere(event => {
      if (event.type !== 'job') return
      // Somebody has canceled what runs here, or queued what may run here.
      if (this.#running.has(event.jobId)) this.#renew()
      else this.wake()
    })
    this.wake()
    return recovered
  }

  #renew(): void {
    this.#renewing ??= this.#renewLeases().finally(() => {
      this.#renewing = undefined
    })
  }

  /** Looks for work; call whenever a job is queued. */
  wake(): void {
    this.#filling.wake()
  }

  /** Kills a running job's process; returns once its files are gone. Nothing happens when it does not run. */
  async abort(id: string): Promise<void> {
    const running = this.#running.get(id)
    running?.abort.abort(new Error('canceled'))
    await running?.done
  }

  /** Takes no more jobs, and waits for those that run: at most `graceMs`, or until the signal aborts. */
  async drain(graceMs: number, signal: AbortSignal): Promise<void> {
    this.#isDraining = true
    const over = delay(graceMs, 'over', { signal }).catch(() => 'over')
    while (this.#running.size > 0) {
      const ended = Promise.race([...this.#running.values()].map(({ done }) => done))
      if ((await Promise.race([ended, over])) === 'over') return
    }
  }

  /**
   * Stops taking jobs and kills what runs. Those jobs stay `Running` in the store and are recovered at the next start, or, after a
   * drain, here and now, for other hosts to take.
   */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    clearTimeout(this.#lapse)
    this.#unsubscribe()
    await Promise.all([this.#filling.stop(), this.#renewing])
    await Promise.all([...this.#running.keys()].map(id => this.abort(id)))
    if (this.#isDraining) this.#tell(await this.#parts.store.recover(this.#parts.owner))
  }

  async #fill(signal: AbortSignal): Promise<void> {
    const { store, config, owner, events, onError, takesJobs = true } = this.#parts
    if (!takesJobs) return
    while (!signal.aborted && !this.#isDraining && this.#running.size < placesFor(config.slots)) {
      const fromIdleAccounts = this.#running.size >= config.slots
      const saturated = this.#saturated(fromIdleAccounts)
      const job = await store.claim({
        ...{ owner, leaseMs: this.#leaseMs, saturated, fromIdleAccounts },
        concurrent: this.#concurrent,
      })
      if (!job) return
      // Another host may have had it meanwhile, and an earlier attempt of this one may still be ending in its folder.
      await this.abort(job.id)
      const abort = new AbortController()
      events.publish({ type: 'job', accountId: job.accountId, jobId: job.id })
      const report = new ProgressReport(events, job)
      const done = this.#run(job, report, abort.signal)
        .catch(error => onError(error, job.id))
        .finally(() => {
          this.#running.delete(job.id)
          this.wake()
        })
      this.#running.set(job.id, { job, abort, done })
    }
  }

  /**
   * Keeps what runs here, lets go of what others have by now, and queues what others let go of. Its own leases come
   * first: after a sleep of the machine they are all over, and nobody has taken them.
   */
  async #renewLeases(): Promise<void> {
    const { store, owner, onError } = this.#parts
    const begun = performance.now()
    try {
      const running = [...this.#running.values()].map(({ job }) => job)
      const lost = await store.renew(owner, running, this.#leaseMs)
      this.#renewedAt = begun
      clearTimeout(this.#lapse)
      this.#lapse = undefined
      for (const id of lost) {
        this.#running.get(id)?.abort.abort(new Error('the job is not this host’s any more'))
      }
      this.#tell(await store.recover())
    } catch (error) {
      onError(error)
      if (error instanceof StoreUnavailable) this.#expectLapse()
    }
    this.wake()
  }

  /** Others take over what runs here once its leases are over: by then nothing of it may run here any more. */
  #expectLapse(): void {
    const left = Math.max(0, this.#renewedAt + this.#leaseMs - performance.now())
    this.#lapse ??= setTimeout(() => {
      for (const { abort } of this.#running.values()) abort.abort(new Error('the lease is over'))
    }, left).unref()
  }

  #tell({ requeued, interrupted }: Recovered): void {
    const { events, cleanup } = this.#parts
    for (const { id } of interrupted) void cleanup.blobs(jobBlobs.all(id))
    for (const { id, accountId } of [...requeued, ...interrupted]) {
      events.publish({ type: 'job', accountId, jobId: id })
      events.publish({ type: 'balance', accountId })
    }
  }

  /** Cores a job that starts now may use: those no other running job is likely to need. */
  #coresFree(): number {
    return Math.max(1, this.#parts.config.cores - (this.#running.size - 1))
  }

  /**
   * Job types of which as many run as their converter or their engine allows. For accounts of which nothing runs, only
   * what an engine needs counts: the general limit of a converter would let one account keep another waiting.
   */
  #saturated(forIdleAccounts: boolean): string[] {
    const { catalogue } = this.#parts
    const running = [...this.#running.values()].flatMap(({ job }) => catalogue.byJob(job.job) ?? [])
    if (running.length === 0) return []
    const isFull = ({ job, engine, limits }: Converter) =>
      (running.filter(other => other.job === job).length >= limits.concurrent &&
        !(forIdleAccounts && limits.concurrent >= globalLimits.concurrent)) ||
      running.filter(other => other.engine === engine).length >= engines[engine].atOnce
    return catalogue.converters.filter(isFull).map(({ job }) => job)
  }

  /** State and money come first, then the news, then the files: what cannot be deleted holds up neither. */
  async #run(job: Job, report: ProgressReport, signal: AbortSignal): Promise<void> {
    const { cleanup, events } = this.#parts
    const folder = join(this.#parts.scratch, job.id)
    try {
      const ended = await this.#settle(job, folder, report, signal).finally(() => {
        report.end()
        events.publish({ type: 'job', accountId: job.accountId, jobId: job.id })
        events.publish({ type: 'balance', accountId: job.accountId })
      })
      // An attempt that a kill ended before its success was noted has left an output.
      if (ended === 'succeeded') await cleanup.blobsBut(jobBlobs.output(job), jobBlobs.all(job.id))
      else if (ended === 'failed') await cleanup.blobs(jobBlobs.all(job.id))
      // Whoever ended it instead, or will run it again, sees to the rest.
      else await cleanup.blobs(jobBlobs.output(job))
    } finally {
      await cleanup.folder(folder)
    }
  }

  /** Converts, and marks how the job ended; `released` when that is not for this attempt to say any more. */
  async #settle(
    job: Job,
    folder: string,
    report: ProgressReport,
    signal: AbortSignal,
  ): Promise<'succeeded' | 'failed' | 'released'> {
    const { blobs, store, config } = this.#parts
    const key = jobBlobs.output(job)
    let converted: Packaged
    try {
      converted = await this.#convert(job, folder, report, signal)
      // The folder is looked at now and then only, and a small result is written between two looks.
      if (converted.bytes > config.maxOutputBytes) throw new JobFailure('jobs.output_too_large')
      await this.#patiently(signal, () => blobs.put(key, converted.path, signal))
    } catch (error) {
      // On cancel the state has changed already, and on a stop it stays for recovery.
      if (signal.aborted) return 'released'
      return (await this.#fail(job, folder, report, error)) ? 'failed' : 'released'
    }
    const { fileName, contentType, fileCount, bytes } = converted
    const expiresAt = Date.now() + config.retentionSeconds * 1000
    const success = { fileName, contentType, fileCount, bytes, key, expiresAt, warnings: report.warnings }
    const isSaid = await this.#persist(folder, async () => {
      if (await store.succeed(job, success)) return true
      // It may have been said before, in a write whose answer was lost.
      return (await store.get(job.id))?.outputKey === key
    })
    return isSaid ? 'succeeded' : 'released'
  }

  /** Repeats a write to the store until it succeeds: on a full disk a job's end is late, not lost. */
  async #persist<T>(folder: string, write: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        if (this.#filling.isStopped) throw error
        this.#parts.onError(error)
        // What fills the disk may be the job's own.
        await this.#parts.cleanup.folder(folder)
        await delay(STORE_RETRY_MS)
      }
    }
  }

  /** Repeats what needs the blob store until that is there: a job does not fail for its outage. */
  async #patiently<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || signal.aborted) throw error
        this.#parts.onError(error)
        await delay(STORE_RETRY_MS, undefined, { signal })
      }
    }
  }

  async #convert(job: Job, folder: string, report: ProgressReport, signal: AbortSignal): Promise<Packaged> {
    const { blobs, catalogue, config, pool } = this.#parts
    const converter = catalogue.byJob(job.job)
    if (!converter?.load) throw new JobFailure('jobs.engine_missing')
    checkLimits(converter, job)
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await using file = await this.#patiently(signal, () =>
      checkoutSource(blobs, job.inputSource, jobBlobs.input(job.id), signal),
    )
    const input = {
      path: file.path,
      name: job.inputName,
      stem: splitName(job.inputName).stem,
      bytes: job.inputBytes,
      format: job.inputFormat as FormatKey,
      probe: job.measure.probe,
    }
    const { probe: _, ...charged } = job.measure
    const { minutes = 0, pages = 0 } = charged
    const seconds = config.jobTimeoutSeconds || converter.seconds(minutes, pages)
    return await pool.run(
      'convert',
      { job: job.job, input, options: job.options, folder, cores: this.#coresFree(), charged },
      {
        timeoutMs: seconds * 1000,
        signal,
        engine: engines[converter.engine],
        lane: 'convert',
        folder,
        maxOutputBytes: config.maxOutputBytes,
        onProgress: (fraction, phase) => report.update(fraction, phase),
        onWarning: warning => report.warn(warning),
      },
    )
  }

  /** False when this attempt is not the one that runs any more, and the job has not failed otherwise. */
  async #fail(job: Job, folder: string, report: ProgressReport, thrown: unknown): Promise<boolean> {
    const { store, onError } = this.#parts
    const error =
      thrown instanceof FileChangedError
        ? new JobFailure('jobs.corrupt_input', message('input.changed'))
        : asJobFailure(thrown)
    if (!(error instanceof JobFailure)) onError(error, job.id)
    const { code, reason } = error instanceof JobFailure ? error : new JobFailure('jobs.engine_crashed')
    return this.#persist(folder, async () => {
      if (await store.fail(job, { code, reason }, report.warnings)) return true
      return (await store.get(job.id))?.status === 'Failed'
    })
  }
}

/** What is told of a file with too many of the units it is priced by. */
const tooMany: Record<
  string,
  'input.too_many_pages' | 'input.too_many_slides' | 'input.too_many_frames' | undefined
> = { slides: 'input.too_many_slides', frames: 'input.too_many_frames' }

/** Refuses what intake measured to be over the converter's limits. */
function checkLimits({ limits, costing }: Converter, { measure: { pages = 0, minutes = 0 } }: Job): void {
  if (limits.pages !== null && pages > limits.pages) {
    const key = tooMany[costing.incrementUnit ?? 'pages'] ?? 'input.too_many_pages'
    throw new JobFailure('jobs.too_many_pages', message(key, { count: pages, limit: limits.pages }))
  }
  if (limits.minutes !== null && minutes > limits.minutes) {
    throw new JobFailure(
      'jobs.too_long',
      message('input.too_long', { minutes: Math.ceil(minutes), limit: limits.minutes }),
    )
  }
}
