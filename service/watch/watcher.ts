import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { RequestError } from '../shared/errors.ts'
import { type Message, message } from '../shared/messages/message.ts'
import { render } from '../shared/messages/render.ts'
import { isThere } from '../shared/placing/naming.ts'
import { type Converter, faultOf } from './converter.ts'
import type { Database } from './database.ts'
import { Journal } from './journal.ts'
import { Looker, type Seen } from './looking.ts'
import { isKept, type Recycle } from './originals.ts'
import type { Rule } from './rule.ts'
import { allRules, isLocked, type Lock, lock } from './rules.ts'
import { type Clock, systemClock, writtenNow } from './settling.ts'
import {
  type Happening,
  LONGEST_WAIT_MS,
  type Next,
  type Reason,
  type Task,
  type WorkParts,
  waitAfter,
  workOn,
} from './work.ts'

/** A file that is left alone: until it changes, or until a time in milliseconds since 1970, if the cause may pass. */
export interface Parked extends Reason {
  file: string
  retryAt: number | null
}

/** What has become of the files of a rule. */
export interface Progress {
  /** How many results there are. */
  done: number
  /** Files that are still being written, or may be. */
  writing: number
  parked: readonly Parked[]
  last: Happening | null
  /** Why nothing can be converted at the moment, or what went wrong with an original. */
  problem: Message | null
}

/** Time between two looks at a folder, unless told otherwise. */
const LOOK_MS = 2_000
/** Files of one rule that are converted at once, so that what a person converts meanwhile has slots too. */
const JOBS = 2

export interface WatcherParts {
  converter: Converter
  recycle: Recycle
  /** The data folder, which is not looked into. */
  home: string
  /** Files that are converted at once. */
  jobs?: number
  /** For how long a file has to be as it is, and the time between two looks at the folder, in milliseconds. */
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
  credits?: number | undefined
}

/** Watches by one rule, of which there is one watcher in all processes: converts the files that come into a folder, each content once. */
export class Watcher {
  readonly #rule: Rule
  readonly #id: string
  readonly #database: Database
  readonly #parts: WatcherParts
  readonly #intervalMs: number
  readonly #clock: Clock
  readonly #work: WorkParts
  readonly #tasks = new Map<string, Task>()
  readonly #working = new Map<string, Promise<void>>()
  #run: { stopping: AbortController; ended: Promise<void> } | undefined
  #hold: Hold | undefined
  /** How often something has held up everything since a file was last done, and what was said of it. */
  #holds = 0
  #said: string | undefined
  #last: Happening | null = null
  #rest = new AbortController()

  constructor(rule: Rule, id: string, database: Database, parts: WatcherParts) {
    this.#rule = rule
    this.#id = id
    this.#database = database
    this.#parts = parts
    this.#clock = parts.clock ?? systemClock
    this.#intervalMs = parts.intervalMs ?? LOOK_MS
    this.#work = {
      ...{ rule, converter: parts.converter, journal: new Journal(database, id), recycle: parts.recycle },
      intervalMs: this.#intervalMs,
      report: happening => {
        if (happening.notGone !== undefined) parts.onError?.(happening.notGone)
        else this.#last = happening
        parts.report?.(happening)
      },
    }
  }

  /** @param isRetry whether files that are parked are tried again */
  start(isRetry = false): void {
    if (this.#run) return
    const stopping = new AbortController()
    const ended = this.watch(stopping.signal, isRetry).catch(error => this.#parts.onError?.(error))
    this.#run = { stopping, ended }
  }

  /** Stops watching and cancels what runs; resolves when nothing is left. */
  async stop(): Promise<void> {
    const run = this.#run
    run?.stopping.abort(new Error('stopped'))
    await run?.ended
    if (this.#run === run) this.#run = undefined
  }

  /** What has become of the files so far, also of a rule that is paused. */
  async progress(): Promise<Progress> {
    return progressOf(this.#rule, this.#work.journal, this.#run && this.#progress)
  }

  get #progress() {
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
    const { once = false, home } = this.#parts
    const wake = () => this.#rest.abort()
    const looking = {
      ...{ rule: this.#rule, home, intervalMs: this.#intervalMs, onReport: wake },
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
          locked ??= lock(this.#database, this.#id, this.#rule)
          // Before anything that may fail, since others are to know of that too.
          locked.tell(this.#progress)
          // It is not created: a disk that is not connected would leave its mount point to be filled instead.
          await stat(this.#rule.out)
          looker ??= new Looker(looking)
          await looker.look([...this.#tasks.values()].filter(isSettling).map(({ path }) => path))
          if (this.#hold?.until === Number.POSITIVE_INFINITY) this.#hold = this.#said = undefined
        } catch (error) {
          looker?.[Symbol.dispose]()
          looker = undefined
          const key = faultOf(error) === 'watch.disk_full' ? 'watch.disk_full' : 'watch.unreadable'
          const reason = error instanceof RequestError ? error.reason : message(key)
          this.#holdUp({ reason, error, until: Number.POSITIVE_INFINITY })
        }
        await this.#settle()
        await this.#release()
        this.#start(signal)
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
      this.#tasks.clear()
      this.#hold = undefined
      locked?.[Symbol.dispose]()
    }
  }

  #changed(seen: Seen): void {
    this.#tasks.delete(seen.file)
    // What is known to have its result is not even read, unless its original is still to go.
    if (isKept(this.#rule) && this.#work.journal.isDone(seen.file, seen.stamp)) return
    const until = this.#clock.now() + this.#intervalMs
    this.#tasks.set(seen.file, { ...seen, isReady: false, until, times: 0, asked: 0, attempt: 0 })
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

  #holdUp(hold: Hold): void {
    this.#hold = hold
    if (this.#said === hold.reason.key) return
    this.#said = hold.reason.key
    this.#parts.onHold?.(render(hold.reason, 'en'))
    // One without a code is a fault of ours.
    if ((hold.error as { code?: unknown }).code === undefined) this.#parts.onError?.(hold.error)
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
        .catch(error => ({ heldBy: 'watch.interrupted' as const, error }))
        .then(next => this.#after(task, next))
        .finally(() => {
          this.#working.delete(task.file)
          this.#rest.abort()
        })
      this.#working.set(task.file, work)
    }
  }

  async #after(task: Task, next: Next): Promise<void> {
    if (!next || task.made) [this.#holds, this.#said] = [0, undefined]
    if (!next) {
      // It may have changed, and be another task.
      if (this.#tasks.get(task.file) === task) this.#tasks.delete(task.file)
    } else if ('waitMs' in next) {
      task.isReady = false
      task.until = this.#clock.now() + next.waitMs
    } else {
      const { heldBy: key, error } = next
      const credits =
        key === 'watch.no_credits' ? await this.#parts.converter.credits().catch(() => 0) : undefined
      const until = this.#clock.now() + waitAfter(this.#holds++)
      this.#holdUp({ reason: message(key), error, until, credits })
    }
  }
}

/** Whether a file is still being written, or may be. */
const isSettling = ({ isReady, parked, made }: Task) => !isReady && !parked && !made

/** What has become of the files of a rule, with what its watcher says if somebody watches by it. */
async function progressOf(
  { folder }: Rule,
  journal: Journal,
  told?: Omit<Progress, 'done'> | null,
): Promise<Progress> {
  const { failed, done } = journal
  if (told) return { ...told, done }
  const there = await Promise.all(failed.map(({ file }) => isThere(join(folder, file))))
  const parked = failed
    .filter((_, at) => there[at])
    .map(({ file, code, detail }) => ({ file, code, detail, retryAt: null }))
  return { done, writing: 0, parked, last: null, problem: null }
}

/** The rules of this machine, with what is known of their files, for people. @throws as `allRules` */
export async function knownRules(database: Database) {
  return Promise.all(
    allRules(database).map(async ({ id, rule, paused, progress }) => {
      const state = isLocked(database, id) ? 'watching' : paused ? 'paused' : 'stopped'
      const told = state === 'watching' ? (progress as Progress | null) : null
      const { problem, ...known } = await progressOf(rule, new Journal(database, id), told)
      return { rule, state, ...known, problem: problem && render(problem, 'en') }
    }),
  )
}

export type Known = Awaited<ReturnType<typeof knownRules>>[number]
