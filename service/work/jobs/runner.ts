import { setTimeout as delay } from 'node:timers/promises'
import { globalLimits } from '../../convert/catalogue/converter.ts'
import { engines } from '../../convert/catalogue/engines.ts'
import type { Config } from '../../shared/config.ts'
import { SerialLoop } from '../../shared/serial-loop.ts'
import { StoreUnavailable } from '../../store/interfaces/errors.ts'
import { jobEvent } from '../../store/interfaces/events.ts'
import type { Job, Recovered } from '../../store/interfaces/jobs.ts'
import { jobBlobs } from '../../store/interfaces/keys.ts'
import { type AttemptHost, type AttemptParts, JobAttempt } from './attempt.ts'
import { QueueWatch } from './queue-watch.ts'

export interface RunnerParts extends AttemptParts {
  config: AttemptParts['config'] & Pick<Config, 'slots' | 'cores'>
  /** Id of this host, used in its leases. */
  owner: string
  /** Whether it takes jobs; by default it does. Otherwise it still recovers jobs of hosts that are gone. */
  takesJobs?: boolean
  /** How long a lease lasts without renewal; 20 seconds by default. */
  leaseMs?: number
}

/**
 * How long a lease lasts without renewal. It is renewed three times in that time, and lost ones are looked for as often, so that the jobs
 * of a host that is gone are taken over within 30 seconds.
 */
const LEASE_MS = 20_000

/** After so many leases without a job anywhere, the store is asked whether that is still so, in case an event was missed. */
const QUIET_LEASES = 0.6

/**
 * Maximum number of running jobs for a number of slots: as many again are opened one by one for accounts without
 * running jobs, so that none waits for another's long jobs.
 */
export const placesFor = (slots: number): number => 2 * slots

/** Takes queued jobs while slots are free, has workers convert them, and records how each ended. */
export class JobRunner {
  readonly #parts: RunnerParts
  readonly #leaseMs: number
  readonly #running = new Map<string, { job: Job; abort: AbortController; done: Promise<void> }>()
  readonly #filling: SerialLoop
  readonly #renewing: SerialLoop
  #isDraining = false
  #timer: NodeJS.Timeout | undefined
  readonly #queueWatch: QueueWatch
  /** Ends the jobs running here when their leases end without the store having been reached. */
  #lapse: NodeJS.Timeout | undefined
  /** Since when no job is open on any host, by the monotonic clock, as far as is known. */
  #quietSince: number | undefined
  /** When the leases were last renewed, by the monotonic clock. */
  #renewedAt = 0
  #unsubscribe: (() => void)[] = []
  #isBroken = false
  #canClaim = true
  readonly #host: AttemptHost = {
    coresFree: () => this.#coresFree(),
    isStopped: () => this.#filling.isStopped,
  }

  constructor(parts: RunnerParts) {
    this.#parts = parts
    this.#leaseMs = parts.leaseMs ?? LEASE_MS
    this.#filling = new SerialLoop(signal => this.#fill(signal), parts.onError)
    this.#renewing = new SerialLoop(() => this.#renewLeases(), parts.onError)
    this.#queueWatch = new QueueWatch(parts.events, () => this.#search())
  }

  /** Requeues what an earlier life of this host left running, and starts working. */
  async start(): Promise<Recovered> {
    const recovered = await this.#parts.store.recover(this.#parts.owner)
    this.#renewedAt = performance.now()
    this.#publishRecovered(recovered)
    this.#timer = setInterval(() => this.#tick(), this.#leaseMs / 3).unref()
    const { events } = this.#parts
    this.#unsubscribe = [
      events.subscribe(event => this.#queueWatch.note(event)),
      events.subscribeElsewhere(event => {
        if (event.type !== 'job') return
        this.#quietSince = undefined
        // Somebody has canceled a job that runs here, has queued one that may run here, or has ended one that kept others waiting.
        if (this.#running.has(event.jobId)) this.#renewing.wake()
        else if (event.now !== 'running') this.#queueWatch.searchSoon(this.#isFree)
      }),
    ]
    this.wake()
    void this.#lookForMissed()
    return recovered
  }

  /** Whether the last search for a job got an answer; one that did not is repeated every second. */
  get canClaim(): boolean {
    return this.#canClaim
  }

  /** An idle host hears of the next job, so it has nothing to ask the store for. */
  #tick(): void {
    const quiet = this.#quietSince === undefined ? 0 : performance.now() - this.#quietSince
    const isQuiet = this.#running.size === 0 && this.#quietSince !== undefined
    if (!isQuiet) this.#renewing.wake()
    else if (quiet >= QUIET_LEASES * this.#leaseMs) void this.#lookForMissed()
  }

  /** Asks how many jobs are open, in case events were missed. Events that come meanwhile count more. */
  async #lookForMissed(): Promise<void> {
    const asked = performance.now()
    this.#quietSince = asked
    const open = await this.#parts.store.open().catch(() => undefined)
    const isCurrent = this.#quietSince === asked
    if (open && (open.queued > 0 || isCurrent)) this.#queueWatch.correct(open.queued)
    if (!open || open.queued + open.running > 0) this.#quietSince = undefined
    if (open?.queued !== 0) this.#queueWatch.searchSoon(this.#isFree)
  }

  /** Checks for work; call it whenever a job is queued. */
  wake(): void {
    if (this.#isFree || this.#parts.events.hosts === 1) this.#search()
    else this.#queueWatch.searchSoon(false)
  }

  #search(): void {
    this.#quietSince = undefined
    this.#filling.wake()
  }

  /** Whether a slot is free, not only a place for an account without running jobs. */
  get #isFree(): boolean {
    return this.#running.size < this.#parts.config.slots
  }

  /** Kills a running job's process; returns once its files are gone. Does nothing if it is not running. */
  async abort(id: string): Promise<void> {
    const running = this.#running.get(id)
    running?.abort.abort(new Error('canceled'))
    await running?.done
  }

  /** Takes no more jobs, and waits for running ones: at most `graceMs`, or until the signal aborts. */
  async drain(graceMs: number, signal: AbortSignal): Promise<void> {
    this.#isDraining = true
    const over = delay(graceMs, 'over', { signal }).catch(() => 'over')
    while (this.#running.size > 0) {
      const ended = Promise.race([...this.#running.values()].map(({ done }) => done))
      if ((await Promise.race([ended, over])) === 'over') return
    }
  }

  /**
   * Has `stop` leave the running jobs to recovery, which counts them as interrupted: one of them may be what broke this process, and
   * would break it at every start.
   */
  noteCrash(): void {
    this.#isBroken = true
  }

  /**
   * Stops taking jobs, kills running ones and gives them back to the queue, for other hosts or the next start. If the store cannot
   * be reached, or after a crash, they are recovered instead.
   */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    clearTimeout(this.#lapse)
    this.#queueWatch.stop()
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    await Promise.all([this.#filling.stop(), this.#renewing.stop()])
    await Promise.all([...this.#running.keys()].map(id => this.abort(id)))
    if (this.#isBroken) return
    const { store, owner, onError } = this.#parts
    const requeued = await store.requeue(owner).catch(error => {
      onError(error)
      return []
    })
    this.#publishRecovered({ requeued, interrupted: [] })
  }

  async #fill(signal: AbortSignal): Promise<void> {
    const { store, config, owner, events, onError, takesJobs = true } = this.#parts
    if (!takesJobs) return
    while (!signal.aborted && !this.#isDraining && this.#running.size < placesFor(config.slots)) {
      // A quiet host has renewed nothing for a while.
      if (this.#running.size === 0) this.#renewedAt = performance.now()
      const fromIdleAccounts = this.#running.size >= config.slots
      const saturated = this.#saturated(fromIdleAccounts)
      const asked = performance.now()
      const claiming = store.claim({ owner, leaseMs: this.#leaseMs, saturated, fromIdleAccounts })
      this.#canClaim = await claiming.then(
        () => true,
        () => false,
      )
      const job = await claiming
      this.#queueWatch.found(job !== undefined, performance.now() - asked)
      if (!job) return
      // Another host may have had it meanwhile, and an earlier attempt of this host may still be ending in its folder.
      await this.abort(job.id)
      const abort = new AbortController()
      events.publish(jobEvent(job, 'running'))
      const done = new JobAttempt(this.#parts, this.#host, job, abort.signal)
        .run()
        .catch(error => onError(error, job.id))
        .finally(() => {
          this.#running.delete(job.id)
          if (this.#queueWatch.mayHold) this.wake()
        })
      this.#running.set(job.id, { job, abort, done })
      if (!this.#queueWatch.mayHold) return
      if (!this.#isFree && events.hosts > 1) {
        // Those that have a slot come first.
        this.#queueWatch.searchSoon(false)
        return
      }
    }
  }

  /**
   * Keeps the jobs running here, drops those that others have taken, and requeues those that others have lost. Its own
   * leases come first: after the machine has slept they have all ended, but nobody has taken them.
   */
  async #renewLeases(): Promise<void> {
    const { store, owner, onError } = this.#parts
    const started = performance.now()
    try {
      const running = [...this.#running.values()].map(({ job }) => job)
      const lost = await store.renew(owner, running, this.#leaseMs)
      this.#renewedAt = started
      clearTimeout(this.#lapse)
      this.#lapse = undefined
      for (const id of lost) {
        this.#running.get(id)?.abort.abort(new Error('the job is not this host’s any more'))
      }
      this.#publishRecovered(await store.recover())
    } catch (error) {
      onError(error)
      if (error instanceof StoreUnavailable) this.#expectLapse()
    }
    await this.#lookForMissed()
  }

  /** Others take over these jobs once their leases end, so by then none of them may run here. */
  #expectLapse(): void {
    const left = Math.max(0, this.#renewedAt + this.#leaseMs - performance.now())
    this.#lapse ??= setTimeout(() => {
      for (const { abort } of this.#running.values()) abort.abort(new Error('the lease is over'))
    }, left).unref()
  }

  #publishRecovered({ requeued, interrupted }: Recovered): void {
    const { events, cleanup } = this.#parts
    for (const { id } of interrupted) void cleanup.blobs(jobBlobs.all(id))
    for (const job of [...requeued, ...interrupted]) {
      events.publish(jobEvent(job, job.status === 'Queued' ? 'queued' : 'ended'))
      events.publish({ type: 'balance', accountId: job.accountId })
    }
  }

  /** Cores that a job starting now may use: those that no other running job is likely to need. */
  #coresFree(): number {
    return Math.max(1, this.#parts.config.cores - (this.#running.size - 1))
  }

  /**
   * Job types that are at the limit of their converter or engine. For accounts without running jobs, only what an
   * engine needs counts: the general limit of a converter would let one account keep another waiting.
   */
  #saturated(forIdleAccounts: boolean): string[] {
    const { catalogue } = this.#parts
    const running = [...this.#running.values()].flatMap(({ job }) => catalogue.byJob(job.job) ?? [])
    if (running.length === 0) return []
    const ofJob = Map.groupBy(running, ({ job }) => job)
    const ofEngine = Map.groupBy(running, ({ engine }) => engine)
    const atLimit = running.filter(
      ({ job, limits }) =>
        (ofJob.get(job)?.length ?? 0) >= limits.concurrent &&
        !(forIdleAccounts && limits.concurrent >= globalLimits.concurrent),
    )
    const full = running.filter(({ engine }) => (ofEngine.get(engine)?.length ?? 0) >= engines[engine].atOnce)
    const byFull =
      full.length === 0
        ? []
        : catalogue.converters.filter(({ engine }) => full.some(other => other.engine === engine))
    return [...new Set([...atLimit, ...byFull].map(({ job }) => job))]
  }
}
