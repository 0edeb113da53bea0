import { mkdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Catalogue } from '../../convert/catalogue/catalogue.ts'
import type { Converter } from '../../convert/catalogue/converter.ts'
import { engines, measuring } from '../../convert/catalogue/engines.ts'
import { splitName } from '../../convert/catalogue/formats.ts'
import type { Measure, TaskInput } from '../../convert/catalogue/task.ts'
import type { WorkerPool } from '../../sandbox/workers/pool.ts'
import type { Packaged } from '../../sandbox/workers/protocol.ts'
import { KilledFromOutside } from '../../sandbox/workers/worker.ts'
import type { Config } from '../../shared/config.ts'
import { asJobFailure, JobFailure, type JobFailureCode } from '../../shared/errors.ts'
import { type Message, message } from '../../shared/messages/message.ts'
import { removeTree } from '../../shared/remove-tree.ts'
import type { BlobStore } from '../../store/interfaces/blobs.ts'
import type { Cleanup } from '../../store/interfaces/cleanup.ts'
import { ContentLost, storageFailed, storeFault } from '../../store/interfaces/errors.ts'
import { type Events, jobEvent } from '../../store/interfaces/events.ts'
import type { Job, JobStep, JobStore } from '../../store/interfaces/jobs.ts'
import { jobBlobs } from '../../store/interfaces/keys.ts'
import { checkoutSource, FileChangedError } from '../../store/interfaces/source.ts'
import { packsIn, scriptsIn } from './lacking-packs.ts'
import { ProgressReport } from './progress.ts'
import type { JobStatistics } from './statistics.ts'

export interface AttemptParts {
  store: JobStore
  blobs: BlobStore
  pool: WorkerPool
  catalogue: Catalogue
  events: Events
  cleanup: Cleanup
  config: Pick<Config, 'retentionSeconds' | 'appRetentionSeconds' | 'jobTimeoutSeconds' | 'maxOutputBytes'>
  /** Folder for the scratch folders of running jobs. */
  scratch: string
  /** Counts the jobs that end here. */
  statistics?: JobStatistics
  /**
   * Fetches packs that a conversion turns out to need, those of scripts by their English names, and tells whether there are any now, and why
   * not all; without it, the lack is only said.
   */
  packsOnNeed?:
    | ((names: readonly string[], signal: AbortSignal) => Promise<{ hasNew: boolean; problem?: Message }>)
    | undefined
  onError: (error: unknown, jobId?: string) => void
}

/** What an attempt asks of the runner. */
export interface AttemptHost {
  /** Cores a job that starts now may use. */
  coresFree(): number
  /** Whether the service ends, so that nothing is waited for any more. */
  isStopped(): boolean
}

/** Delay before a failed store is tried again. */
const STORE_RETRY_MS = 1000

/** There is room while so much of the disk is free. */
const ROOM_BYTES = 10e9

/** One attempt to run a job: has a worker convert its file, and marks how it ended. */
export class JobAttempt {
  readonly #parts: AttemptParts
  readonly #host: AttemptHost
  readonly #job: Job
  readonly #signal: AbortSignal
  readonly #report: ProgressReport
  readonly #folder: string
  #failure: JobFailureCode | undefined

  /** @param signal ends it; who aborts it has changed the job's state, or leaves it for recovery */
  constructor(parts: AttemptParts, host: AttemptHost, job: Job, signal: AbortSignal) {
    this.#parts = parts
    this.#host = host
    this.#job = job
    this.#signal = signal
    this.#report = new ProgressReport(parts.events, job)
    this.#folder = join(parts.scratch, job.id)
  }

  /** State and money come first, then the events, then the files: a failed delete blocks neither. */
  async run(): Promise<void> {
    const { cleanup, events } = this.#parts
    const [job, folder, report] = [this.#job, this.#folder, this.#report]
    const started = performance.now()
    try {
      const ended = await this.#settle().finally(() => {
        report.end()
        events.publish(jobEvent(job, 'ended'))
        events.publish({ type: 'balance', accountId: job.accountId })
      })
      if (ended !== 'released')
        this.#parts.statistics?.count(job, (performance.now() - started) / 1000, this.#failure)
      // An attempt that was killed before its success was recorded has left an output.
      if (ended === 'succeeded') await cleanup.blobsBut(jobBlobs.output(job), jobBlobs.all(job.id))
      else if (ended === 'failed') await cleanup.blobs(jobBlobs.all(job.id))
      // Whoever ended it instead, or will run it again, handles the rest.
      else await cleanup.blobs(jobBlobs.output(job))
    } finally {
      await cleanup.folder(folder, job.id)
    }
  }

  /** Converts, and records how the job ended; `released` if this attempt may no longer decide that. */
  async #settle(): Promise<'succeeded' | 'failed' | 'released'> {
    const { store } = this.#parts
    const [job, signal] = [this.#job, this.#signal]
    const key = jobBlobs.output(job)
    let converted: Packaged
    try {
      converted = await this.#convertTo(key).catch(error => {
        if (!(error instanceof ContentLost) || signal.aborted) throw error
        this.#parts.onError(error, this.#job.id)
        return this.#convertTo(key)
      })
    } catch (error) {
      // After a cancel the state has already changed, and after a stop it stays for recovery.
      if (signal.aborted) return 'released'
      return (await this.#fail(error)) ? 'failed' : 'released'
    }
    const { path: _, ...output } = converted
    const keptSeconds = await this.#keptSeconds()
    const expiresAt = store.now() + keptSeconds * 1000
    const success = { ...output, key, expiresAt, warnings: this.#report.warnings }
    try {
      const isRecorded = await this.#persist(async () => {
        if (await store.succeed(job, success)) return true
        // It may have been recorded before, in a write whose answer was lost.
        return (await store.get(job.id))?.outputKey === key
      })
      return isRecorded ? 'succeeded' : 'released'
    } catch (error) {
      if (signal.aborted || storeFault(error)) throw error
      return (await this.#fail(error)) ? 'failed' : 'released'
    }
  }

  /** How long the output is kept: that of the app longer, so that a person finds it the next day, while there is room. */
  async #keptSeconds(): Promise<number> {
    const { config, scratch } = this.#parts
    const { retentionSeconds, appRetentionSeconds } = config
    if (this.#job.origin !== 'app') return retentionSeconds
    const { bavail, bsize } = await statfs(scratch)
    return bavail * bsize >= ROOM_BYTES ? Math.max(retentionSeconds, appRetentionSeconds) : retentionSeconds
  }

  /**
   * Repeats a write to the store until it succeeds: on a full disk the end of a job is late, but not lost.
   * @throws what is no error of the store, since that would happen again
   */
  async #persist<T>(write: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        if (this.#host.isStopped() || !storeFault(error)) throw error
        this.#parts.onError(error, this.#job.id)
        // The job's own files may be what fills the disk.
        await this.#parts.cleanup.folder(this.#folder, this.#job.id)
        await delay(STORE_RETRY_MS)
      }
    }
  }

  /** Repeats what needs the blob store until that is available: a job fails because of a refusal, not of an outage. */
  async #retryWhileUnavailable<T>(work: () => Promise<T>): Promise<T> {
    const signal = this.#signal
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (storeFault(error) !== 'transient' || error instanceof ContentLost || signal.aborted) throw error
        this.#parts.onError(error, this.#job.id)
        await delay(STORE_RETRY_MS, undefined, { signal })
      }
    }
  }

  /** Converts, and stores the result. */
  async #convertTo(key: string): Promise<Packaged> {
    const { blobs, config } = this.#parts
    const converted = await this.#convert().catch((error: unknown) => {
      // That is the file's fault only if it happens again.
      if (error instanceof KilledFromOutside) return this.#convert()
      throw error
    })
    // What a worker says of its result is not believed.
    const { size: bytes } = await stat(converted.path)
    // The folder is only checked from time to time, and a small result is written between two checks.
    if (bytes > config.maxOutputBytes) throw new JobFailure('jobs.output_too_large')
    await this.#retryWhileUnavailable(() => blobs.put(key, converted.path, this.#signal))
    return { ...converted, bytes }
  }

  /** Converts the file, then what came of it as often as the job has steps, and gives the last result. */
  async #convert(): Promise<Packaged> {
    const { blobs, catalogue, pool } = this.#parts
    const [job, folder, signal] = [this.#job, this.#folder, this.#signal]
    await removeTree(folder)
    await using file = await this.#retryWhileUnavailable(() =>
      checkoutSource(blobs, job.inputSource, jobBlobs.input(job.id), signal),
    )
    const { inputName: name, inputBytes: bytes, inputFormat: format, measure: size } = job
    const source = { path: file.path, name, stem: splitName(name).stem, bytes, format }
    let result = await this.#step(job, source, size, 0)
    for (const [index, step] of job.furtherSteps.entries()) {
      const { path, fileName: name, bytes } = result
      const { stem, format } = splitName(name)
      const converter = catalogue.byJob(step.job)
      if (!converter || !format || !converter.sources.includes(format))
        throw new JobFailure('jobs.unsupported_input', message('workers.unusable_step', { step: index + 1 }))
      const input = { path, name, stem, bytes, format }
      const waiter = { ...measuring, who: job.accountId, signal }
      // A file that cannot be measured cannot be converted either, which says why.
      const size: Measure = converter.measure
        ? await pool.run('measure', { job: step.job, input }, waiter).catch(() => ({}))
        : {}
      result = await this.#step(step, input, size, index + 1)
      await rm(path, { force: true })
    }
    return result
  }

  /**
   * Has a worker do one conversion of the job.
   * @param asked packs that were fetched because the worker lacked them, after which it does the conversion again
   */
  async #step(
    step: JobStep,
    source: TaskInput,
    measure: Measure,
    index: number,
    asked: readonly string[] = [],
  ): Promise<Packaged> {
    const { catalogue, config, pool, packsOnNeed } = this.#parts
    const [job, report, signal] = [this.#job, this.#report, this.#signal]
    const { job: name, options } = step
    const { probe, ...size } = measure
    const converter = catalogue.byJob(name)
    if (!converter) throw new JobFailure('jobs.engine_missing')
    checkLimits(converter, size)
    const folder = index === 0 ? this.#folder : join(this.#folder, `step-${index + 1}`)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { minutes = 0, pages = 0 } = size
    const { jobTimeoutSeconds } = config
    const seconds = jobTimeoutSeconds || converter.seconds(minutes, pages)
    /** Warnings of scripts without a font. */
    const lacking: Message[] = []
    const running = pool.run(
      'convert',
      {
        ...{ job: name, input: { ...source, probe }, options, folder, cores: this.#host.coresFree() },
        // Further steps are paid for by what was known of the file.
        ...(index === 0 && { charged: size }),
      },
      {
        timeoutMs: seconds * 1000,
        // What the owner has set is meant by the clock.
        wallMs: jobTimeoutSeconds ? seconds * 1000 : undefined,
        signal,
        engine: engines[converter.engine],
        queue: 'convert',
        usesCards: (options as { video?: { hardware?: boolean } }).video?.hardware === true,
        jobId: job.id,
        folder,
        maxOutputBytes: config.maxOutputBytes,
        onProgress: (fraction, phase) =>
          report.update((index + fraction) / (job.furtherSteps.length + 1), phase),
        onWarning: warning =>
          warning.key === 'font.scripts_missing' ? lacking.push(warning) : report.warn(warning),
      },
    )
    const ended = await running.then(
      packaged => ({ packaged, needs: lacking.flatMap(scriptsIn) }),
      error => ({ error, needs: packsIn(error) }),
    )
    const names = ended.needs.filter(name => !asked.includes(name))
    if (names.length > 0 && packsOnNeed) {
      report.update(index / (job.furtherSteps.length + 1), 'downloading')
      const { hasNew, problem } = await packsOnNeed(names, signal)
      if (problem) report.warn(problem)
      if (hasNew) {
        await removeTree(folder)
        return this.#step(step, source, measure, index, [...asked, ...names])
      }
    }
    if ('error' in ended) throw ended.error
    for (const warning of lacking) report.warn(warning)
    return ended.packaged
  }

  /** False when this attempt is not the one that runs any more, and the job has not failed otherwise. */
  async #fail(thrown: unknown): Promise<boolean> {
    const { store, onError } = this.#parts
    const [job, report] = [this.#job, this.#report]
    const error = failureOf(thrown)
    if (error.cause !== undefined) onError(error.cause, job.id)
    const { code, reason } = error
    this.#failure = code
    return this.#persist(async () => {
      if (await store.fail(job, { code, reason }, report.warnings)) return true
      return (await store.get(job.id))?.status === 'Failed'
    })
  }
}

/** Why a job fails; the cause is what its owner finds in the log. */
function failureOf(thrown: unknown): JobFailure {
  if (thrown instanceof FileChangedError) {
    return new JobFailure('jobs.corrupt_input', message('input.changed'))
  }
  const error = asJobFailure(thrown)
  if (error instanceof JobFailure) return error
  const cause = { cause: thrown }
  if (thrown instanceof ContentLost)
    return new JobFailure('jobs.storage_failed', storageFailed(thrown.cause), cause)
  if (storeFault(thrown) !== 'refused') return new JobFailure('jobs.engine_crashed', undefined, cause)
  return new JobFailure('jobs.storage_failed', storageFailed(thrown), cause)
}

/** The message for a file with too many of the units that determine its price. */
const tooMany: Record<
  string,
  'input.too_many_pages' | 'input.too_many_slides' | 'input.too_many_frames' | undefined
> = { slides: 'input.too_many_slides', frames: 'input.too_many_frames' }

/** Refuses files that exceed the converter's limits according to intake. */
function checkLimits({ limits, costing }: Converter, { pages = 0, minutes = 0 }: Measure): void {
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
