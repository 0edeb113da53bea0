import type { Phase } from '../../convert/catalogue/task.ts'
import type { Message } from '../../shared/messages/message.ts'
import type { Events, LiveProgress, ServiceEvent } from '../../store/interfaces/events.ts'
import type { Job } from '../../store/interfaces/jobs.ts'

/** Share of the work that must be done before the time left can be estimated. */
const ETA_FROM = 0.05
/** Maximum number of warnings for one job; every page of a document may cause some. */
const MAX_WARNINGS = 20

/** Reports the progress of one running job. */
export class ProgressReport {
  readonly #events: Events
  readonly #job: Job
  readonly #since = performance.now()
  #live: LiveProgress = { percent: 0, phase: 'preparing', eta: null, warnings: [] }
  #ended = false

  constructor(events: Events, job: Job) {
    this.#events = events
    this.#job = job
    this.#publish(this.#live)
  }

  get warnings(): Message[] {
    return this.#live.warnings
  }

  /** @param fraction share of the work that is done, 0 to 1 */
  update(fraction: number, phase: Phase): void {
    const elapsed = (performance.now() - this.#since) / 1000
    this.#change({
      // Progress never decreases, and 100 is reserved for jobs that have succeeded.
      percent: Math.max(this.#live.percent, Math.min(99, Math.floor(fraction * 100))),
      phase,
      eta: fraction >= ETA_FROM ? Math.round((elapsed * (1 - fraction)) / fraction) : null,
    })
  }

  /** Adds a warning unless it was already given. */
  warn(warning: Message): void {
    const { warnings } = this.#live
    const text = JSON.stringify(warning)
    if (warnings.length >= MAX_WARNINGS || warnings.some(known => JSON.stringify(known) === text)) return
    this.#change({ warnings: [...warnings, warning] })
  }

  end(): void {
    this.#ended = true
    this.#publish(null)
  }

  #change(change: Partial<LiveProgress>): void {
    if (this.#ended) return
    this.#live = { ...this.#live, ...change }
    this.#publish(this.#live)
  }

  #publish(progress: LiveProgress | null): void {
    const { id, accountId } = this.#job
    this.#events.publish({ type: 'progress', accountId, jobId: id, progress })
  }
}

/** The last report of a running job. */
interface LastReport {
  accountId: string
  progress: LiveProgress
  /** By the monotonic clock. */
  at: number
}

/** A job that reports nothing for this long has ended unnoticed, and is forgotten. */
const FORGOTTEN_AFTER_MS = 3600_000
/** Estimated time until a place is free if nothing else is known. */
const UNKNOWN_ETA_SECONDS = 2
const LONGEST_ETA_SECONDS = 60

/** Progress of the running jobs of all hosts, as far as this host has received it. */
export class LiveJobs {
  readonly #running = new Map<string, LastReport>()
  #sweptAt = performance.now()

  constructor(events: Events) {
    events.subscribe(event => this.#onEvent(event))
  }

  /** Undefined for a job that is not running. */
  of(job: Pick<Job, 'id' | 'status'>): LiveProgress | undefined {
    return job.status === 'Running' ? this.#running.get(job.id)?.progress : undefined
  }

  /** Seconds after which a place in an account's queue is likely to be free. */
  secondsToNextPlace(accountId: string): number {
    const etas = [...this.#running.values()]
      .filter(report => report.accountId === accountId)
      .map(({ progress }) => progress.eta ?? UNKNOWN_ETA_SECONDS)
    return Math.max(1, Math.min(...etas, LONGEST_ETA_SECONDS))
  }

  #onEvent(event: ServiceEvent): void {
    const now = performance.now()
    if (event.type === 'progress' && event.progress) {
      const { accountId, jobId, progress } = event
      this.#running.set(jobId, { accountId, progress, at: now })
    }
    // Any other event about a job means that it has not started or has ended, for example because its host is gone.
    else if ('jobId' in event) this.#running.delete(event.jobId)
    if (now - this.#sweptAt < FORGOTTEN_AFTER_MS) return
    this.#sweptAt = now
    for (const [id, { at }] of this.#running) if (now - at >= FORGOTTEN_AFTER_MS) this.#running.delete(id)
  }
}
