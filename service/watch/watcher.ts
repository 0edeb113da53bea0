import { basename, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { RequestError } from '../shared/errors.ts'
import { type Message, message } from '../shared/messages/message.ts'
import { render } from '../shared/messages/render.ts'
import { isThere } from '../shared/placing/naming.ts'
import { Journal } from './journal.ts'
import { isLocked, lock } from './lock.ts'
import { allRules, OtherRules } from './others.ts'
import type { Rule } from './rule.ts'
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

/** Others are told at most so often. */
const TELL_MS = 1_000
/** Time between two looks at a folder, unless told otherwise. */
const LOOK_MS = 2_000
/** Files of one rule that are converted at once, so that what a person converts meanwhile has slots too. */
const JOBS = 2

export interface WatcherParts
  extends Omit<WorkParts, 'journal' | 'others' | 'onChange' | 'jobs' | 'intervalMs' | 'report'>,
    Partial<Pick<WorkParts, 'jobs' | 'intervalMs' | 'report'>> {
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
  }

  /** What has become of the files so far, also of a rule that is paused. */
  async progress(): Promise<Progress> {
    const { work, journal } = this.#current ?? {}
    const known =
      work && journal ? { ...work.progress, done: journal.done } : await recorded(this.#rule, this.#base)
    return { ...known, problem: this.#problem ?? known.problem }
  }

  /**
   * Watches until the signal aborts, or with `once` until nothing is left to do.
   * @throws RequestError server.unavailable if another process does, or the journal is damaged, and the system's errors for the rule's own files
   */
  async watch(signal: AbortSignal, retry = false): Promise<void> {
    const { jobs = JOBS, intervalMs = LOOK_MS, report = () => {}, onError, ...parts } = this.#parts
    await using locked = await lock(this.#base, this.#rule)
    await using journal = await Journal.open(`${this.#base}.jsonl`)
    if (retry) await journal.retry()
    let timer: NodeJS.Timeout | undefined
    const work = new Work(this.#rule, {
      ...{ ...parts, jobs, intervalMs, journal },
      others: new OtherRules(dirname(this.#base), basename(this.#base)),
      report: happening => {
        if (happening.notGone !== undefined) onError?.(happening.notGone)
        report(happening)
      },
      onChange: () => {
        timer ??= setTimeout(() => {
          timer = undefined
          locked.tell({ ...work.progress, done: journal.done })
        }, TELL_MS).unref()
      },
    })
    this.#current = { work, journal }
    this.#problem = null
    try {
      await work.run(signal)
    } finally {
      clearTimeout(timer)
      this.#current = undefined
    }
  }

  async #watch(retry: boolean, signal: AbortSignal): Promise<void> {
    const { intervalMs = LOOK_MS, onError } = this.#parts
    for (let isRetry = retry; !signal.aborted; isRetry = false) {
      try {
        await this.watch(signal, isRetry)
      } catch (error) {
        if (signal.aborted) return
        const problem = error instanceof RequestError ? error.reason : message('watch.interrupted')
        if (problem.key !== this.#problem?.key) onError?.(error)
        this.#problem = problem
      }
      await pause(2 * intervalMs, undefined, { signal }).catch(() => {})
    }
  }
}

/** What the journal of a rule says while nobody watches by it. */
async function recorded({ folder }: Rule, base: string): Promise<Progress> {
  const journal = new Journal(`${base}.jsonl`)
  await journal.readOn()
  const there = await Promise.all(journal.failed.map(({ file }) => isThere(join(folder, file))))
  const parked = journal.failed
    .filter((_, at) => there[at])
    .map(({ file, code, detail }) => ({ file, code, detail, retryAt: null }))
  return { done: journal.done, writing: 0, parked, last: null, problem: null }
}

/** The rules of this machine, with what is known of their files, for people. @throws as `readRules` */
export async function knownRules(folder: string) {
  return Promise.all(
    [...(await allRules(folder))].map(async ([id, { rule, paused, progress }]) => {
      const base = join(folder, id)
      const state = isLocked(base) ? 'watching' : paused ? 'paused' : 'stopped'
      const told = state === 'watching' ? (progress as Progress | undefined) : undefined
      const { problem, ...known } = told ?? (await recorded(rule, base))
      return { rule, state, ...known, problem: problem && render(problem, 'en') }
    }),
  )
}

export type Known = Awaited<ReturnType<typeof knownRules>>[number]
