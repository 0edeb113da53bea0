import { readdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { hashOfFile } from '../shared/file-hash.ts'
import { type Message, message } from '../shared/messages/message.ts'
import { render } from '../shared/messages/render.ts'
import { ifGone } from '../shared/placing/naming.ts'
import { hashOf } from '../shared/placing/place.ts'
import { convert, type Source } from './conversion.ts'
import { type Converter, faultOf } from './converter.ts'
import type { Journal, JournalEntry } from './journal.ts'
import { Looker, stampOf } from './looking.ts'
import { letGo, type Original, type Recycle } from './originals.ts'
import type { OtherRules } from './others.ts'
import type { Rule } from './rule.ts'
import { type Clock, systemClock, writtenNow } from './settling.ts'

/** What happened to a file, for whoever watches the watcher. */
export interface Happening {
  file: string
  /** The result, or the folder of several. */
  output?: string
  warnings?: readonly string[]
  error?: { code: string; detail: string }
  /** Why the original is still where it was, although it was to go. */
  notGone?: unknown
}

/** A file that is left alone: until it changes, or until a time, if the cause may pass. */
export interface Parked {
  file: string
  code: string
  detail: string
  /** When it is tried again, in milliseconds since 1970; null if it is not. */
  retryAt: number | null
}

export interface WorkParts {
  converter: Converter
  journal: Journal
  /** The data folder, which is not looked into. */
  home: string
  /** Files that are converted at once. */
  jobs: number
  /** For how long a file has to be as it is, and the time between two looks at the folder, in milliseconds. */
  intervalMs: number
  report(happening: Happening): void
  recycle: Recycle
  /** An original stays until those of them that it concerns have their results too. */
  others: OtherRules
  /** Ends once the folder holds nothing to do, instead of waiting for more. */
  once?: boolean
  clock?: Clock
  /** Gets what holds up everything, as it begins: why, for people, and the error. */
  onHold?(reason: string, error: unknown): void
  /** Called when something that `progress` says has changed. */
  onChange(): void
}

const FIRST_WAIT_MS = 5_000
const LONGEST_WAIT_MS = 3_600_000

/** Time until something is tried again, in milliseconds: each time twice as long as before. */
const waitAfter = (times: number) => Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** times)

const heldBy = {
  credits: 'watch.no_credits',
  converter: 'watch.interrupted',
  full: 'watch.disk_full',
} as const

/** Why nothing is converted at the moment. */
interface Hold {
  reason: Message
  error: unknown
  until: number
  /** Credits that were left, if there were too few. */
  credits?: number | undefined
}

/** A file with something left to do. One that changes becomes another task. */
interface Task extends Source {
  stage: 'waiting' | 'ready' | 'working'
  /** Until when it waits at least, by the clock. */
  until: number
  /** How often it was tried in vain. */
  times: number
  /** How often its original had to stay for other rules. */
  asked: number
  content?: string
  parked?: Parked | undefined
  /** Whether the last attempt ended as we stopped. */
  isStopped?: boolean | undefined
  /** Its result, if only the original is still to go. */
  made?: Original['made'] | undefined
  /** Whether that was tried in vain. */
  isStuck?: true
}

/** Converts the files that come into a folder, each content once: what was done is in the journal, which outlives kills and restarts. */
export class Work {
  readonly #rule: Rule
  readonly #parts: WorkParts
  readonly #clock: Clock
  readonly #tasks = new Map<string, Task>()
  readonly #working = new Map<string, Promise<void>>()
  #hold: Hold | undefined
  #holds = 0
  #last: Happening | null = null
  #wake: () => void = () => {}

  constructor(rule: Rule, parts: WorkParts) {
    this.#rule = rule
    this.#parts = parts
    this.#clock = parts.clock ?? systemClock
  }

  /** What is going on. */
  get progress() {
    const tasks = [...this.#tasks.values()]
    const stuck = tasks.some(({ isStuck }) => isStuck) ? message('watch.not_recycled') : null
    return {
      writing: tasks.filter(isSettling).length,
      parked: tasks.flatMap(({ parked }) => parked ?? []),
      problem: this.#hold?.reason ?? stuck,
      last: this.#last,
    }
  }

  /**
   * Works until the signal aborts, or with `once` until nothing is left to do.
   * @throws with `once` what holds up everything
   */
  async run(signal: AbortSignal): Promise<void> {
    const { intervalMs, once = false } = this.#parts
    const stopped = () => this.#wake()
    signal.addEventListener('abort', stopped)
    let looker: Looker | undefined
    try {
      while (!signal.aborted) {
        const woken = new Promise<void>(resolve => {
          this.#wake = resolve
        })
        try {
          looker ??= new Looker(this.#rule, this.#parts.home, intervalMs, () => this.#wake())
          await this.#look(looker)
          if (this.#hold?.reason.key === 'watch.unreadable') this.#hold = undefined
        } catch (error) {
          looker?.[Symbol.dispose]()
          looker = undefined
          this.#holdUp('watch.unreadable', error, intervalMs)
        }
        await this.#settle()
        await this.#release()
        this.#start(signal)
        if (once && this.#hold) throw this.#hold.error
        const tasks = [...this.#tasks.values()]
        if (
          once &&
          this.#working.size === 0 &&
          !tasks.some(task => task.stage === 'ready' || isSettling(task))
        )
          return
        if (signal.aborted) break
        const next = Math.min(...tasks.filter(isSettling).map(({ until }) => until)) - this.#clock.now()
        const rested = new AbortController()
        const rest = Math.max(intervalMs / 10, Math.min(intervalMs, next))
        await Promise.race([woken, pause(rest, undefined, { signal: rested.signal })])
        rested.abort()
        // What is reported in bursts is looked at together.
        if (!signal.aborted) await pause(Math.min(50, intervalMs / 10))
      }
    } finally {
      signal.removeEventListener('abort', stopped)
      looker?.[Symbol.dispose]()
      await Promise.all(this.#working.values())
    }
  }

  /** Looks at the folder, and notes what changed. */
  async #look(looker: Looker): Promise<void> {
    const { journal, intervalMs, onChange } = this.#parts
    // It is not created: a disk that is not connected would leave its mount point to be filled instead.
    await readdir(this.#rule.out)
    const isKept = this.#rule.moveTo === null && this.#rule.original !== 'recycle'
    const waiting = [...this.#tasks.values()].filter(({ stage, made }) => stage === 'waiting' && !made)
    await looker.look(
      {
        gone: file => {
          this.#tasks.delete(file)
          onChange()
        },
        changed: seen => {
          this.#tasks.delete(seen.file)
          onChange()
          // What is known to have its result is not even read, unless its original is still to go.
          if (isKept && journal.stateOf(seen.file, seen.stamp) === 'done') return
          const until = this.#clock.now() + intervalMs
          this.#tasks.set(seen.file, { ...seen, stage: 'waiting', until, times: 0, asked: 0, attempt: 0 })
        },
      },
      waiting.map(({ path }) => path),
    )
  }

  /** Makes those ready that have been as they are for long enough, whose time is as old, and that nobody has open for writing. */
  async #settle(): Promise<void> {
    const { intervalMs } = this.#parts
    const [now, date] = [this.#clock.now(), this.#clock.date()]
    const due = [...this.#tasks.values()].filter(({ stage, until, modifiedAt }) => {
      // A time in the future, of a camera with a wrong clock, says nothing.
      const isOld = date - modifiedAt >= intervalMs || modifiedAt > date
      return stage === 'waiting' && until <= now && isOld
    })
    const written = due.length > 0 ? await writtenNow(due.map(({ path }) => path)) : new Set()
    for (const task of due)
      if (written.has(task.path)) task.until = now + intervalMs
      else task.stage = 'ready'
  }

  /** Ends what holds up everything, if its time has come and its cause has passed. */
  async #release(): Promise<void> {
    const hold = this.#hold
    if (!hold || hold.until > this.#clock.now() || hold.reason.key === 'watch.unreadable') return
    // Nothing is sent to find out whether there are credits now, until an hour has passed: somebody may pay in another way.
    const isShort =
      hold.credits !== undefined &&
      waitAfter(this.#holds) < LONGEST_WAIT_MS &&
      (await this.#parts.converter.credits().catch(() => Number.POSITIVE_INFINITY)) <= hold.credits
    if (isShort) hold.until = this.#clock.now() + waitAfter(this.#holds++)
    else this.#hold = undefined
  }

  #holdUp(key: Hold['reason']['key'], error: unknown, ms: number, credits?: number): void {
    const isNew = this.#hold?.reason.key !== key
    this.#hold = { reason: { key } as Message, error, until: this.#clock.now() + ms, credits }
    if (!isNew) return
    this.#parts.onHold?.(render(this.#hold.reason, 'en'), error)
    this.#parts.onChange()
  }

  /** Begins with as many files as may be worked on at once. */
  #start(signal: AbortSignal): void {
    for (const task of this.#tasks.values()) {
      if (this.#hold || signal.aborted || this.#working.size >= this.#parts.jobs) return
      if (task.stage !== 'ready' || this.#working.has(task.file)) continue
      task.stage = 'working'
      const work = this.#take(task, signal).finally(() => {
        this.#working.delete(task.file)
        this.#parts.onChange()
        this.#wake()
      })
      this.#working.set(task.file, work)
    }
  }

  #wait(task: Task, ms: number): void {
    task.stage = 'waiting'
    task.until = this.#clock.now() + ms
  }

  /** Does what there is to do for a file; what goes wrong is its own matter. */
  async #take(task: Task, signal: AbortSignal): Promise<void> {
    try {
      await this.#work(task, signal)
    } catch (error) {
      if (signal.aborted) return
      this.#wait(task, waitAfter(task.times++))
      await this.#failed(task, error).catch(again =>
        this.#holdUp('watch.interrupted', again, waitAfter(this.#holds++)),
      )
    }
  }

  async #work(task: Task, signal: AbortSignal): Promise<void> {
    const { journal, intervalMs, others, recycle } = this.#parts
    const { path, file, stamp } = task
    const content = task.content ?? (await hashOfFile(path))
    // Whoever wrote it has gone on.
    if ((await stampOf(path)) !== stamp) return this.#wait(task, intervalMs)
    task.content = content
    const entry = await journal.get(file, content)
    if (entry?.state === 'failed') return this.#park(task, entry)
    let made = await this.#madeBefore(task, entry)
    if (!made) {
      task.attempt = entry?.attempt ?? 0
      task.isStopped = entry?.state === 'again' && entry.isStopped
      const converted = await convert(task, content, this.#rule, this.#parts, entry, signal)
      if (!converted) return this.#wait(task, intervalMs)
      this.#holds = 0
      this.#tell({ file, output: converted.output, warnings: converted.warnings })
      made = converted
    }
    if (!task.made) task.times = 0
    task.made = made
    task.parked = undefined
    const isWanted = await letGo(this.#rule, { seen: task, content, made }, others, recycle)
    if (isWanted) this.#wait(task, intervalMs * 2 ** Math.min(5, task.asked++))
    else if (this.#tasks.get(file) === task) this.#tasks.delete(file)
  }

  /** The result of a file with this content that was placed before, also if a kill came before that was noted. */
  async #madeBefore({ stamp }: Task, entry: JournalEntry | undefined): Promise<Task['made']> {
    if (entry?.state !== 'done' && entry?.state !== 'placing') return undefined
    const isNoted = entry.state === 'done'
    if (!isNoted && (await hashOf(entry.output).catch(ifGone(''))) !== entry.result) return undefined
    if (!isNoted || entry.stamp !== stamp) await this.#parts.journal.add({ ...entry, state: 'done', stamp })
    return entry
  }

  #tell(happening: Happening): void {
    this.#last = happening
    this.#parts.report(happening)
  }

  /** What an error means: for the file, which waits, or for all of them. */
  async #failed(task: Task, error: unknown): Promise<void> {
    const { journal, converter, report, intervalMs } = this.#parts
    const { file, stamp, path, attempt, made, content = '' } = task
    if (made) {
      if (!task.isStuck) report({ file, output: made.output, notGone: error })
      task.isStuck = true
      return
    }
    if ((await stampOf(path).catch(() => stamp)) !== stamp) return this.#wait(task, intervalMs)
    const { code = '', message: detail } = error as Error & { code?: string }
    const fault = faultOf(error)
    if (fault === 'credits' || fault === 'converter' || fault === 'full') {
      const credits = fault === 'credits' ? await converter.credits().catch(() => 0) : undefined
      task.stage = 'ready'
      return this.#holdUp(heldBy[fault], error, waitAfter(this.#holds++), credits)
    }
    // It was canceled as this stopped, and not by a person.
    const isOwnStop = fault === 'canceled' && task.isStopped
    const about = { file, content, stamp }
    if (!isOwnStop && (fault === 'file' || fault === 'canceled')) {
      await journal.add({ ...about, attempt, state: 'failed', code, detail })
      this.#tell({ file, error: { code, detail } })
      return this.#park(task, { code, detail })
    }
    if (isOwnStop || fault === 'passing') {
      // The same key would get the same end again.
      task.results = undefined
      await journal.add({ ...about, attempt: attempt + 1, state: 'again' })
      if (isOwnStop) {
        task.stage = 'ready'
        return
      }
    }
    const told = fault === 'passing' ? { code, detail } : problemOf(error, path)
    if (!task.parked) this.#tell({ file, error: told })
    task.parked = { file, ...told, retryAt: this.#clock.date() + task.until - this.#clock.now() }
  }

  /** Leaves a file alone until it changes. */
  #park(task: Task, { code, detail }: Pick<Parked, 'code' | 'detail'>): void {
    this.#wait(task, Number.POSITIVE_INFINITY)
    task.parked = { file: task.file, code, detail, retryAt: null }
  }
}

/** Whether a file is still being written, or may be. */
const isSettling = ({ stage, parked, made }: Task) => stage === 'waiting' && !parked && !made

/** What the system's error means for one file. */
function problemOf(error: unknown, path: string): Pick<Parked, 'code' | 'detail'> {
  const { code: cause = '', path: where } = error as NodeJS.ErrnoException
  const isUnread = where === path || cause.startsWith('file.')
  const code = isUnread ? 'watch.file_unreadable' : 'watch.not_saved'
  return { code, detail: render({ key: code }, 'en') }
}
