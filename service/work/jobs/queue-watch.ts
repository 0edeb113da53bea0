import type { Events, JobEvent, ServiceEvent } from '../../store/interfaces/events.ts'

/** A host does not search earlier than this after an event that others get as well. */
const SHORTEST_MS = 50
/**
 * The search is at a random moment of a window that grows with the number of hosts: by what the first needs to take the job and to notify
 * the others, so that most of them need not ask. That is a little more than a search takes, but at least and at most this.
 */
const SPREAD_MS = [10, 50] as const
/** Share of the latest search in how long one takes. */
const LATEST = 0.2
/** The longest window: a job must be found within seconds. */
const LONGEST_MS = 5_000
/** A host that finds nothing although jobs wait, since their accounts are at their limits, searches less often. */
const MAX_BACKOFF = 8
/** Most jobs that are remembered: a host that knows of so many is busy. */
const MAX_REMEMBERED = 10_000

/** What a host knows of the queue from events, by which it searches when there may be something for it, and rarely when others are faster. */
export class QueueWatch {
  readonly #events: Events
  readonly #search: () => void
  /** Jobs that wait, as announced. */
  readonly #waiting = new Set<string>()
  /** How often the jobs that were announced last as started or ended had been started. */
  readonly #started = new Map<string, number>()
  /** How many more jobs may wait than were announced here, as after a start or when events were lost. */
  #unannounced = Number.POSITIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #backoff = 1
  /** How long a search takes, in milliseconds. */
  #searchMs = 0

  /** @param search called when a job may be waiting */
  constructor(events: Events, search: () => void) {
    this.#events = events
    this.#search = search
  }

  /** Whether a job may be waiting. Only events of several hosts announce all of them. */
  get mayHold(): boolean {
    return this.#unannounced > 0 || this.#waiting.size > 0 || this.#events.hosts === 1
  }

  /** Takes note of an event of any host. */
  note(event: ServiceEvent): void {
    if (event.type !== 'job' || this.#isOutdated(event)) return
    // A job may be counted shortly before it is announced.
    if (event.now !== 'ended' && !this.#waiting.has(event.jobId))
      this.#unannounced = Math.max(0, this.#unannounced - 1)
    if (event.now !== 'queued') this.#waiting.delete(event.jobId)
    else if (this.#waiting.size < MAX_REMEMBERED) this.#waiting.add(event.jobId)
    else this.#unannounced++
    if (!this.mayHold) this.stop()
  }

  /** Whether a job is announced as waiting after it was started: events of different hosts may arrive in another order. */
  #isOutdated({ jobId, now, attempts }: JobEvent): boolean {
    if (now === 'queued') return attempts < (this.#started.get(jobId) ?? 0)
    this.#started.delete(jobId)
    this.#started.set(jobId, attempts)
    const [oldest] = this.#started.keys()
    if (this.#started.size > MAX_REMEMBERED && oldest !== undefined) this.#started.delete(oldest)
    return false
  }

  /**
   * Searches soon, unless the jobs are announced as running by then. What others know as well leads to one search, and not to all at once.
   * @param isFree whether a slot is free; other hosts let those that have one search first
   */
  searchSoon(isFree: boolean): void {
    if (!this.mayHold || this.#timer) return
    const spread = Math.min(SPREAD_MS[1], Math.max(SPREAD_MS[0], 2 * this.#searchMs))
    const wanted = Math.max(SHORTEST_MS, spread * this.#events.hosts) * this.#backoff
    const window = Math.min(LONGEST_MS, wanted)
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined
        this.#search()
      },
      SHORTEST_MS + (Math.random() + (isFree ? 0 : 1)) * window,
    ).unref()
  }

  /** Takes note of what a search has found. */
  found(isAnything: boolean, searchMs: number): void {
    this.#searchMs += LATEST * (searchMs - this.#searchMs)
    this.#backoff = isAnything ? 1 : Math.min(MAX_BACKOFF, 2 * this.#backoff)
  }

  /** Makes up for events that were lost, given the number of jobs that wait. */
  correct(queued: number): void {
    // Events of different hosts may arrive in another order: the oldest are the likeliest to run by now.
    for (const id of this.#waiting) if (this.#waiting.size > queued) this.#waiting.delete(id)
    this.#unannounced = Math.max(0, queued - this.#waiting.size)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
