import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Message, message } from '../../shared/messages/message.ts'
import { type Entry, Journal } from '../../shared/watch/journal.ts'
import { AlreadyWatched, lock } from '../../shared/watch/lock.ts'
import { OtherRules } from '../../shared/watch/others.ts'
import type { Rule } from '../../shared/watch/rule.ts'
import { type Converting, watch } from '../../shared/watch/watch.ts'

/** Time between two looks at a folder, unless told otherwise. */
const LOOK_MS = 2_000
/** After how many such times a folder that could not be watched is tried again. */
const RETRY_LOOKS = 2
/** Files of one rule that are converted at once, so that what a person converts meanwhile has slots too. */
const JOBS = 2

/** A file that could not be converted, and is left alone until somebody tries it again. */
export type Parked = Extract<Entry, { state: 'failed' }>

export interface Progress {
  /** How many files have a result. */
  done: number
  parked: Parked[]
  /** Why nothing can be watched at the moment, or what went wrong with an original. */
  problem: Message | null
}

export interface WatcherParts {
  converting: () => Promise<Converting>
  recycle: (path: string) => Promise<void>
  /** Time between two looks at a folder. */
  lookMs?: number | undefined
  onError: (error: unknown) => void
}

/** Watches by one rule until it is stopped. Problems of the folder are reported, and retried. */
export class Watcher {
  readonly #rule: Rule
  readonly #journalPath: string
  readonly #parts: WatcherParts
  readonly #others: OtherRules
  #run: { stopping: AbortController; ended: Promise<void> } | undefined
  #journal: Journal | undefined
  #problem: Message | null = null
  #isNotRecycled = false

  /**
   * @param base path of the rule's journal and lock, without their suffixes
   * @param parts `converting` makes a client of the service for each attempt, and `recycle` moves a file to the recycle bin
   */
  constructor(rule: Rule, base: string, parts: WatcherParts) {
    this.#rule = rule
    this.#journalPath = base
    this.#parts = parts
    this.#others = new OtherRules(dirname(base), basename(base))
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
    this.#isNotRecycled = false
  }

  /** What has become of the files so far, also of a rule that is paused. */
  async progress(): Promise<Progress> {
    const entries = [...(await this.#entries()).values()]
    const failed = entries.filter(entry => entry.state === 'failed')
    const there = await Promise.all(failed.map(entry => isThere(join(this.#rule.folder, entry.file))))
    return {
      done: entries.filter(({ state }) => state === 'done').length,
      parked: failed.filter((_, at) => there[at]),
      problem: this.#problem ?? (this.#isNotRecycled ? message('watch.not_recycled') : null),
    }
  }

  async #entries(): Promise<Map<string, Entry>> {
    if (this.#journal) return this.#journal.newest()
    await using journal = await Journal.open(`${this.#journalPath}.jsonl`)
    return journal.newest()
  }

  async #watch(retry: boolean, signal: AbortSignal): Promise<void> {
    const { lookMs = LOOK_MS } = this.#parts
    for (let isRetry = retry; !signal.aborted; isRetry = false) {
      try {
        await using _lock = await lock(`${this.#journalPath}.lock`, this.#rule)
        await using journal = await Journal.open(`${this.#journalPath}.jsonl`)
        this.#journal = journal
        // It is not created: a disk that is not connected would leave its mount point to be filled instead.
        await readdir(this.#rule.out)
        await watch(this.#rule, await this.#parts.converting(), journal, {
          ...{ jobs: JOBS, intervalMs: lookMs, signal, retry: isRetry, once: false },
          onLook: () => {
            this.#problem = null
          },
          recycle: this.#parts.recycle,
          others: this.#others,
          report: ({ notRecycled }) => {
            if (notRecycled === undefined) return
            this.#isNotRecycled = true
            this.#parts.onError(notRecycled)
          },
        })
      } catch (error) {
        if (signal.aborted) return
        this.#problem = problemOf(error)
        this.#parts.onError(error)
      } finally {
        this.#journal = undefined
      }
      await pause(RETRY_LOOKS * lookMs, undefined, { signal }).catch(() => {})
    }
  }
}

function problemOf(error: unknown): Message {
  if (error instanceof AlreadyWatched) return message('watch.elsewhere')
  const { syscall } = error as NodeJS.ErrnoException
  return message(syscall === undefined ? 'watch.interrupted' : 'watch.unreadable')
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )
