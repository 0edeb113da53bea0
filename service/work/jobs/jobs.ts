import { type Funds, insufficientCredits, overBudget } from '../../accounts/funds.ts'
import { RequestError } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import type { BlobStore, ByteRange, DownloadAs } from '../../store/interfaces/blobs.ts'
import type { Cleanup } from '../../store/interfaces/cleanup.ts'
import { StoreUnavailable, undefinedIfGone } from '../../store/interfaces/errors.ts'
import { type Events, jobEvent, type LiveProgress } from '../../store/interfaces/events.ts'
import type {
  Job,
  JobStore,
  NewJob,
  Repeated,
  Submission,
  SubmissionKey,
} from '../../store/interfaces/jobs.ts'
import { jobBlobs } from '../../store/interfaces/keys.ts'
import { isTerminal } from './job.ts'
import { LiveJobs } from './progress.ts'
import type { JobRunner } from './runner.ts'

/** A malformed id is treated like an unknown one. */
const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A job as its submission is answered. */
type Accepted = Pick<Job, 'id' | 'creditCost'>

function jobOf(before: Repeated): Accepted {
  if (before.kind === 'repeated') return before.job
  throw new RequestError('convert.idempotency_key_reused')
}

export interface JobsParts {
  store: JobStore
  blobs: BlobStore
  events: Events
  runner: JobRunner
  funds: Pick<Funds, 'topUpCredits'>
  cleanup: Cleanup
}

/** Operations on jobs for callers: submit, look up, cancel, delete. */
export class Jobs {
  readonly #parts: JobsParts
  readonly #live: LiveJobs

  constructor(parts: JobsParts) {
    this.#parts = parts
    this.#live = new LiveJobs(parts.events)
  }

  /**
   * Charges and queues a job.
   * @param place puts the input into the blob store under the given key; not called for an input that is read in place
   * @throws RequestError entitlements.insufficient_credits, queue.limit_exceeded
   */
  async submit(job: NewJob, place: (key: string) => Promise<void>): Promise<Job> {
    return this.#queued(job, await this.trySubmit(job, place))
  }

  /**
   * The same for a job that may have a key of its submission.
   * @returns the job, or the one that was queued when the same was submitted under the same key before
   * @throws RequestError as `submit` does, and convert.idempotency_key_reused
   */
  async submitOnce(job: NewJob, place: (key: string) => Promise<void>): Promise<Accepted> {
    const submission = await this.trySubmit(job, place)
    return submission.kind === 'repeated' || submission.kind === 'key_reused'
      ? jobOf(submission)
      : this.#queued(job, submission)
  }

  #queued(job: NewJob, submission: Submission): Job {
    if (submission.kind === 'queued') return submission.job
    if (submission.kind === 'insufficient_credits') {
      throw insufficientCredits(job.creditCost, submission.available)
    }
    if (submission.kind === 'over_budget') throw overBudget(job.creditCost, submission)
    throw new RequestError('queue.limit_exceeded', message('queue.limit_exceeded'), {
      retryAfter: this.#live.secondsToNextPlace(job.accountId),
    })
  }

  /**
   * The job that was queued when the same was submitted under the same key before; undefined if nothing was.
   * @throws RequestError convert.idempotency_key_reused
   */
  async submittedBefore(accountId: string, key: SubmissionKey): Promise<Accepted | undefined> {
    const before = await this.#parts.store.submittedBefore(accountId, key)
    return before && jobOf(before)
  }

  /**
   * Waits until a job has ended.
   * @returns the job; undefined if it has not ended after `ms`, or when the signal aborts, or if it is gone
   */
  async ended(id: string, ms: number, signal: AbortSignal): Promise<Job | undefined> {
    const over = AbortSignal.any([signal, AbortSignal.timeout(ms)])
    let changed = Promise.withResolvers<void>()
    over.addEventListener('abort', () => changed.resolve())
    const unsubscribe = this.#parts.events.subscribe(event => {
      if (event.type === 'job' && event.jobId === id) changed.resolve()
    })
    try {
      for (;;) {
        changed = Promise.withResolvers()
        const job = await this.#parts.store.get(id)
        if (!job || isTerminal(job.status)) return job
        if (over.aborted) return undefined
        await changed.promise
      }
    } finally {
      unsubscribe()
    }
  }

  /** Like `submit`, but returns refusals; a batch item is linked to the job. */
  async trySubmit(
    job: NewJob,
    place: (key: string) => Promise<void>,
    batch?: { itemId: string },
  ): Promise<Submission> {
    let submission: Submission | undefined
    let isUncertain = false
    const topUpCredits = await this.#parts.funds.topUpCredits(job.accountId)
    try {
      // The file is stored before the job is visible, so that a stop in between leaves at most a stray file.
      if (job.inputSource?.kind !== 'path') await place(jobBlobs.input(job.id))
      submission = await this.#parts.store.submit(job, { ...batch, topUpCredits })
    } catch (error) {
      // If only the answer was lost, the job is queued and needs its file; otherwise the file is a stray and is swept.
      isUncertain = error instanceof StoreUnavailable
      throw error
    } finally {
      if (submission?.kind !== 'queued' && !isUncertain) await this.#parts.cleanup.blobs(jobBlobs.all(job.id))
    }
    if (submission.kind === 'queued') {
      this.#changed(submission.job, 'queued')
      this.#parts.runner.wake()
    }
    return submission
  }

  /** @throws RequestError jobs.not_found, jobs.forbidden */
  async get(id: string, accountId: string): Promise<Job> {
    const job = GUID.test(id) ? await this.#parts.store.get(id.toLowerCase()) : undefined
    if (!job) throw new RequestError('jobs.not_found')
    if (job.accountId !== accountId) throw new RequestError('jobs.forbidden')
    return job
  }

  /** Progress of a job; undefined if it is not running. */
  live(job: Pick<Job, 'id' | 'status'>): LiveProgress | undefined {
    return this.#live.of(job)
  }

  /** @throws RequestError jobs.not_cancellable */
  async cancel(id: string, accountId: string): Promise<void> {
    const job = await this.get(id, accountId)
    if (!(await this.#parts.store.cancel(job.id))) {
      throw new RequestError('jobs.not_cancellable')
    }
    await this.#parts.runner.abort(job.id)
    await this.#parts.cleanup.blobs(jobBlobs.all(job.id))
    this.#changed(job, 'ended')
  }

  /** @throws RequestError jobs.not_deletable */
  async remove(id: string, accountId: string): Promise<void> {
    const job = await this.get(id, accountId)
    if (!(await this.#parts.store.remove(job.id))) {
      throw new RequestError('jobs.not_deletable')
    }
    await this.#parts.cleanup.blobs(jobBlobs.all(job.id))
    this.#parts.events.publish({ type: 'job-removed', accountId, jobId: job.id })
  }

  /** @throws RequestError jobs.not_ready, jobs.expired */
  async openOutput(job: Job, range?: ByteRange) {
    const opened = await this.#parts.blobs.open(this.#outputKeyOf(job), range).catch(undefinedIfGone)
    if (!opened) throw new RequestError('jobs.expired')
    return opened
  }

  /**
   * A URL from which the storage itself serves the output; undefined if there is none.
   * @throws RequestError jobs.not_ready, jobs.expired
   */
  async linkToOutput(job: Job, as: DownloadAs): Promise<string | undefined> {
    return this.#parts.blobs.link(this.#outputKeyOf(job), as)
  }

  #changed(job: Job, now: 'queued' | 'ended'): void {
    this.#parts.events.publish(jobEvent(job, now))
    this.#parts.events.publish({ type: 'balance', accountId: job.accountId })
  }

  /** Whether the output of a job can be downloaded now. */
  hasOutput(job: Job): boolean {
    const isThere = job.status === 'Succeeded' && job.outputKey !== null
    return isThere && (job.expiresAt ?? 0) > this.#parts.store.now()
  }

  /** @throws RequestError jobs.not_ready, jobs.expired */
  #outputKeyOf(job: Job): string {
    if (!isTerminal(job.status)) throw new RequestError('jobs.not_ready')
    if (job.status !== 'Succeeded') {
      throw new RequestError('jobs.not_ready', message('jobs.without_output', { status: job.status }))
    }
    if (!this.hasOutput(job) || job.outputKey === null) throw new RequestError('jobs.expired')
    return job.outputKey
  }
}
