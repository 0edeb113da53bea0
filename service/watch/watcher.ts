import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Message, message } from '../shared/messages/message.ts'
import { render } from '../shared/messages/render.ts'
import { writeDurably } from '../shared/placing/durable.ts'
import { Journal, JournalDamaged } from './journal.ts'
import { AlreadyWatched, isLocked, lock, lockedRules } from './lock.ts'
import { OtherRules } from './others.ts'
import type { Rule } from './rule.ts'
import { readRules } from './rules.ts'
import { type Happening, type Parked, Work, type WorkParts } from './work.ts'

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

/** The same for people, as it is kept beside the journal. */
export type Status = Omit<Progress, 'problem'> & { problem: string | null }

/** A status is written at most so often. */
const STATUS_MS = 1_000
/** Time between two looks at a folder, unless told otherwise. */
const LOOK_MS = 2_000
/** Files of one rule that are converted at once, so that what a person converts meanwhile has slots too. */
const JOBS = 2

export type WatcherParts = Omit<
  WorkParts,
  'journal' | 'others' | 'onChange' | 'jobs' | 'intervalMs' | 'report'
> &
  Partial<Pick<WorkParts, 'jobs' | 'intervalMs' | 'report'>> & {
    /** Gets errors of the machine, for a log. */
    onError?(error: unknown): void
  }

/** Watches by one rule, of which there is one watcher in all processes. */
export class Watcher {
  readonly #rule: Rule
  readonly #base: string
  readonly #parts: WatcherParts
  #run: { stopping: AbortController; ended: Promise<void> } | undefined
  #current: { work: Work; journal: Journal } | undefined
  #problem: Message | null = null
  #isKept = false
  #timer: NodeJS.Timeout | undefined
  #written: Promise<void> = Promise.resolve()

  /** @param base path of the files of the rule, without their suffixes */
  constructor(rule: Rule, base: string, parts: WatcherParts) {
    this.#rule = rule
    this.#base = base
    this.#parts = parts
  }

  /** @param retry whether files that are parked are tried again */
  start(retry = false): void {
    if (this.#run) return
    const stopping = new AbortController()
    this.#run = { stopping, ended: this.#watch(retry, stopping.signal) }
  }

  /** Stops watching and cancels what runs; resolves when nothing is left. */
  async stop(): Promise<void> {
    const run = this.#run
    this.#run = undefined
    run?.stopping.abort(new Error('stopped'))
    await run?.ended
    this.#problem = null
    this.#isKept = false
  }

  /** What has become of the files so far, also of a rule that is paused. */
  async progress(): Promise<Progress> {
    const { work, journal = new Journal(`${this.#base}.jsonl`) } = this.#current ?? {}
    if (!work) await journal.readOn()
    const { problem, last = null, ...progress } = work?.progress ?? { writing: 0, parked: [], problem: null }
    const kept = this.#isKept ? message('watch.not_recycled') : null
    const before = work ? [] : await this.#failedBefore(journal)
    return {
      ...{ ...progress, done: journal.done, last },
      parked: [...progress.parked, ...before],
      problem: this.#problem ?? problem ?? kept,
    }
  }

  async #failedBefore(journal: Journal): Promise<Parked[]> {
    const there = await Promise.all(
      journal.failed.map(({ file }) => stat(join(this.#rule.folder, file)).catch(() => undefined)),
    )
    return journal.failed
      .filter((_, at) => there[at])
      .map(({ file, code, detail }) => ({ file, code, detail, retryAt: null }))
  }

  /**
   * Watches until the signal aborts, or with `once` until nothing is left to do.
   * @throws AlreadyWatched, JournalDamaged, and the system's errors for the rule's own files
   */
  async watch(signal: AbortSignal, retry = false): Promise<void> {
    const { jobs = JOBS, intervalMs = LOOK_MS, report = () => {}, onError, ...parts } = this.#parts
    await using _lock = await lock(this.#base, this.#rule)
    await using journal = await Journal.open(`${this.#base}.jsonl`)
    const work = new Work(this.#rule, {
      ...{ retry, ...parts, jobs, intervalMs, journal },
      others: new OtherRules(dirname(this.#base), basename(this.#base)),
      report: happening => {
        if (happening.notGone !== undefined) {
          this.#isKept = true
          onError?.(happening.notGone)
        }
        report(happening)
      },
      onChange: () => this.#writeStatus(),
    })
    this.#current = { work, journal }
    this.#problem = null
    try {
      await work.run(signal)
    } finally {
      clearTimeout(this.#timer)
      this.#timer = undefined
      await this.#written
      await this.#status().catch(() => {})
      this.#current = undefined
    }
  }

  #writeStatus(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#written = this.#status().catch(() => {})
    }, STATUS_MS).unref()
  }

  /** Keeps for others what is known; nothing depends on it. */
  async #status(): Promise<void> {
    const { problem, ...progress } = await this.progress()
    const status: Status = { ...progress, problem: problem && render(problem, 'en') }
    await writeDurably(`${this.#base}.status`, JSON.stringify(status))
  }

  async #watch(retry: boolean, signal: AbortSignal): Promise<void> {
    const { intervalMs = LOOK_MS, onError } = this.#parts
    for (let isRetry = retry; !signal.aborted; isRetry = false) {
      try {
        await this.watch(signal, isRetry)
      } catch (error) {
        if (signal.aborted) return
        const problem = problemOf(error)
        if (problem.key !== this.#problem?.key) onError?.(error)
        this.#problem = problem
      }
      await pause(2 * intervalMs, undefined, { signal }).catch(() => {})
    }
  }
}

function problemOf(error: unknown): Message {
  if (error instanceof AlreadyWatched) return message('watch.elsewhere')
  if (error instanceof JournalDamaged) return message('watch.journal_damaged')
  return message('watch.interrupted')
}

/** A rule with what was last known of its files. */
export interface Known {
  rule: Rule
  state: 'watching' | 'paused' | 'stopped'
  status: Status | null
}

/** The rules of this machine: those of the app, and those by which a command watches or was killed a moment ago. @throws RulesDamaged */
export async function knownRules(folder: string): Promise<Known[]> {
  const rules = new Map<string, Rule & { paused?: boolean }>(await lockedRules(folder))
  for (const rule of await readRules(join(folder, 'rules.json'))) rules.set(rule.id, rule)
  return Promise.all(
    [...rules].map(async ([id, rule]): Promise<Known> => {
      const text = await readFile(join(folder, `${id}.status`), 'utf8').catch(() => 'null')
      const state = isLocked(join(folder, id)) ? 'watching' : rule.paused ? 'paused' : 'stopped'
      return { rule, state, status: JSON.parse(text) as Status | null }
    }),
  )
}
