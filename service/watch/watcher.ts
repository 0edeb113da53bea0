import { stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { RequestError } from '../shared/errors.ts'
import { type Message, message } from '../shared/messages/message.ts'
import { render } from '../shared/messages/render.ts'
import { realPath } from '../shared/names/within.ts'
import { type Converter, hindranceOf } from './converter.ts'
import type { Database } from './database.ts'
import { Journal } from './journal.ts'
import { Looker, type Seen } from './looking.ts'
import { isKept, type Recycle } from './originals.ts'
import { type Rule, ruleId } from './rule.ts'
import { type Lock, lock } from './rules.ts'
import { type Clock, systemClock, writtenNow } from './settling.ts'
import type { Progress } from './status.ts'
import { type Happening, LONGEST_WAIT_MS, type Task, type WorkParts, waitAfter, workOn } from './work.ts'

/** Time between two scans of a folder, unless told otherwise. */
const LOOK_MS = 2_000
/** Files of one rule that are converted at once, so that what a person converts meanwhile has slots too. */
const JOBS = 2

export interface WatcherParts {
  rule: Rule
  database: Database
  converter: Converter
  recycle: Recycle
  /** The data folder, which is not looked into. */
  home: string
  /** Files that are converted at once. */
  jobs?: number
  /** For how long a file has to be as it is, and the time between two scans of the folder, in milliseconds. */
  intervalMs?: number | undefined
  /** Ends once the folder holds nothing to do, instead of waiting for more. */
  once?: boolean
  clock?: Clock
  report?(happening: Happening): void
  /** Gets what holds up everything, for people, as it begins. */
  onHold?(reason: string): void
  /** Gets errors of the machine, for a log. */
  onError?(error: unknown): void
}

/** Why nothing is converted at the moment. One without an end ends when the folder can be looked at again. */
interface Hold {
  reason: Message
  error: unknown
  until: number
  /** Credits that were left, if there were too few. */
  credits: number | undefined
}

/** Watches by one rule, of which there is one watcher in all processes: converts the files that come into a folder, each content once. */
export class Watcher {
  readonly #parts: WatcherParts
  readonly #intervalMs: number
  readonly #clock: Clock
  readonly #work: WorkParts
  readonly #tasks = new Map<string, Task>()
  readonly #working = new Map<string, Promise<void>>()
  #hold: Hold | undefined
  /** How often something has held up everything since a file was last done, and what was said of it. */
  #holds = 0
  #said: string | undefined
  #last: Happening | null = null
  #rest = new AbortController()

  constructor(parts: WatcherParts) {
    const { rule, database, converter, recycle } = parts
    this.#parts = parts
    this.#clock = parts.clock ?? systemClock
    this.#intervalMs = parts.intervalMs ?? LOOK_MS
    this.#work = {
      ...{ rule, converter, recycle, journal: new Journal(database, ruleId(rule)) },
      intervalMs: this.#intervalMs,
      report: happening => {
        if (happening.notGone !== undefined) parts.onError?.(happening.notGone)
        else this.#last = happening
        parts.report?.(happening)
      },
    }
  }

  get #progress(): Progress {
    const tasks = [...this.#tasks.values()]
    const stuck = tasks.some(({ isStuck }) => isStuck) ? message('watch.not_recycled') : null
    const retryAt = ({ until }: Task) =>
      Number.isFinite(until) ? Math.round(this.#clock.date() + until - this.#clock.now()) : null
    return {
      writing: tasks.filter(isSettling).length,
      parked: tasks.flatMap(task =>
        task.parked ? { file: task.file, ...task.parked, retryAt: retryAt(task) } : [],
      ),
      problem: this.#hold?.reason ?? stuck,
      last: this.#last,
    }
  }

  /**
   * Watches until the signal aborts, or with `once` until nothing is left to do.
   * @throws with `once` what holds up everything
   */
  async watch(signal: AbortSignal, isRetry = false): Promise<void> {
    const { rule, database, once = false } = this.#parts
    const wake = () => this.#rest.abort()
    const looking = {
      ...{ rule, home: realPath(this.#parts.home), intervalMs: this.#intervalMs, onReport: wake },
      onChanged: (seen: Seen) => this.#changed(seen),
      onGone: (file: string) => void this.#tasks.delete(file),
    }
    let locked: Lock | undefined
    let looker: Looker | undefined
    signal.addEventListener('abort', wake)
    try {
      while (!signal.aborted) {
        this.#rest = new AbortController()
        try {
          if (!locked && isRetry) await this.#work.journal.retry()
          locked ??= lock(database, ruleId(rule), rule)
          locked.tell(this.#progress)
          // It is not created: a disk that is not connected would leave its mount point to be filled instead.
          await stat(rule.out)
          looker ??= new Looker(looking)
          await looker.look([...this.#tasks.values()].filter(isSettling).map(({ path }) => path))
          if (this.#hold?.until === Number.POSITIVE_INFINITY) this.#hold = this.#said = undefined
        } catch (error) {
          looker?.[Symbol.dispose]()
          looker = undefined
          const key = hindranceOf(error) === 'watch.disk_full' ? 'watch.disk_full' : 'watch.unreadable'
          this.#holdUp(error, error instanceof RequestError ? error.reason : message(key))
        }
        await this.#settle()
        await this.#release()
        this.#start(signal)
        try {
          locked?.tell(this.#progress)
        } catch {
          // It is tried again before the next look, which says so.
        }
        if (once && this.#hold) throw this.#hold.error
        const tasks = [...this.#tasks.values()]
        if (once && this.#working.size === 0 && !tasks.some(task => task.isReady || isSettling(task))) return
        const next = Math.min(...tasks.filter(isSettling).map(({ until }) => until)) - this.#clock.now()
        const rest = Math.max(this.#intervalMs / 10, Math.min(this.#intervalMs, next))
        await pause(rest, undefined, { signal: this.#rest.signal }).catch(() => {})
        // What is reported in bursts is looked at together.
        if (!signal.aborted) await pause(Math.min(50, this.#intervalMs / 10))
      }
    } finally {
      signal.removeEventListener('abort', wake)
      looker?.[Symbol.dispose]()
      await Promise.all(this.#working.values())
      locked?.[Symbol.dispose]()
    }
  }

  #changed(seen: Seen): void {
    this.#tasks.delete(seen.file)
    // What is known to have its result is not even read, unless its original is still to go.
    if (isKept(this.#parts.rule) && this.#work.journal.isDone(seen.file, seen.stamp)) return
    const until = this.#clock.now() + this.#intervalMs
    this.#tasks.set(seen.file, { ...seen, isReady: false, until, times: 0, attempt: 0 })
  }

  /** Makes those ready that have been as they are for long enough, whose time is as old, and that nobody has open for writing. */
  async #settle(): Promise<void> {
    const [now, date] = [this.#clock.now(), this.#clock.date()]
    // A time in the future, of a camera with a wrong clock, says nothing.
    const isOld = ({ modifiedAt }: Task) => date - modifiedAt >= this.#intervalMs || modifiedAt > date
    const due = [...this.#tasks.values()].filter(task => !task.isReady && task.until <= now && isOld(task))
    const written = due.length > 0 ? await writtenNow(due.map(({ path }) => path)) : new Set()
    for (const task of due)
      if (written.has(task.path)) task.until = now + this.#intervalMs
      else task.isReady = true
  }

  #holdUp(error: unknown, reason: Message, until = Number.POSITIVE_INFINITY, credits?: number): void {
    this.#hold = { reason, error, until, credits }
    if (this.#said === reason.key) return
    this.#said = reason.key
    this.#parts.onHold?.(render(reason, 'en'))
    // One without a code is a fault of ours.
    if ((error as { code?: unknown }).code === undefined) this.#parts.onError?.(error)
  }

  /** Ends what holds up everything, if its time has come and its cause has passed. */
  async #release(): Promise<void> {
    const hold = this.#hold
    if (!hold || hold.until > this.#clock.now()) return
    // Nothing is sent to find out whether there are credits now, until an hour has passed: somebody may pay in another way.
    const { credits = Number.POSITIVE_INFINITY } = hold
    const isShort =
      Number.isFinite(credits) &&
      waitAfter(this.#holds) < LONGEST_WAIT_MS &&
      (await this.#parts.converter.credits().catch(() => Number.POSITIVE_INFINITY)) <= credits
    if (isShort) hold.until = this.#clock.now() + waitAfter(this.#holds++)
    else this.#hold = undefined
  }

  /** Begins with as many files as may be worked on at once. */
  #start(signal: AbortSignal): void {
    for (const task of this.#tasks.values()) {
      if (this.#hold || signal.aborted || this.#working.size >= (this.#parts.jobs ?? JOBS)) return
      if (!task.isReady || this.#working.has(task.file)) continue
      const work = workOn(task, this.#work, signal)
        .then(
          wait => this.#after(task, wait),
          error => this.#heldBy(error),
        )
        .finally(() => {
          this.#working.delete(task.file)
          this.#rest.abort()
        })
      this.#working.set(task.file, work)
    }
  }

  #after(task: Task, wait: number | undefined): void {
    if (wait === undefined || task.made) {
      this.#holds = 0
      // What still holds up everything has been said.
      if (!this.#hold) this.#said = undefined
    }
    // It may have changed, and be another task.
    if (wait === undefined && this.#tasks.get(task.file) === task) this.#tasks.delete(task.file)
    task.isReady = false
    task.until = this.#clock.now() + (wait ?? 0)
  }

  async #heldBy(error: unknown): Promise<void> {
    const key = hindranceOf(error) ?? 'watch.interrupted'
    const credits =
      key === 'watch.no_credits' ? await this.#parts.converter.credits().catch(() => 0) : undefined
    this.#holdUp(error, message(key), this.#clock.now() + waitAfter(this.#holds++), credits)
  }
}

/** Whether a file is still being written, or may be. */
const isSettling = ({ isReady, parked, made }: Task) => !isReady && !parked && !made
