import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { basename, dirname, extname, sep } from 'node:path'
import { hashOfFile } from '../shared/file-hash.ts'
import type { Message } from '../shared/messages/message.ts'
import { render } from '../shared/messages/render.ts'
import { extensionOf, nameAround, portableName } from '../shared/names/names.ts'
import { hashOf, ifGone, PartialFile } from '../shared/placing/place.ts'
import { type Converter, faultOf, type Results } from './converter.ts'
import type { Entry, Journal } from './journal.ts'
import { type Look, Looker, lookAt, type Seen, stampOf } from './looking.ts'
import { letGo, type Original, type Recycle } from './originals.ts'
import type { OtherRules } from './others.ts'
import { type Rule, ruleId } from './rule.ts'
import { type Clock, Settling, systemClock } from './settling.ts'

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
  others?: OtherRules | undefined
  /** Tries again what failed before. */
  retry?: boolean
  /** Ends once the folder holds nothing to do, instead of waiting for more. */
  once?: boolean
  clock?: Clock
  /** Gets what holds up everything, as it begins: why, for people, and the error. */
  onHold?(reason: string, error: unknown): void
  /** Called when something that `progress` says has changed. */
  onChange?(): void
}

const FIRST_WAIT_MS = 5_000
const LONGEST_WAIT_MS = 3_600_000

/** Time until something is tried again, in milliseconds: each time twice as long as before. */
const waitAfter = (times: number) => Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** times)

type Held = 'watch.unreadable' | 'watch.no_credits' | 'watch.interrupted' | 'watch.disk_full'

/** Why nothing is converted at the moment. */
interface Hold {
  reason: Message
  error: unknown
  since: number
  until: number
  /** Credits that were left, if there were too few. */
  credits?: number
}

const heldBy = {
  credits: 'watch.no_credits',
  converter: 'watch.interrupted',
  full: 'watch.disk_full',
} as const satisfies Record<string, Held>

/** An attempt at converting a file: how many ended before, and what the journal says of it. */
interface Attempt {
  content: string
  number: number
  before: Entry | undefined
}

type Waiting = Parked & { seen: Seen; until: number; times: number }

/** Converts the files that come into a folder, each content once: what was done is in the journal, which outlives kills and restarts. */
export class Work {
  readonly #rule: Rule
  readonly #parts: WorkParts
  readonly #clock: Clock
  readonly #settling: Settling
  readonly #ready = new Map<string, Seen>()
  readonly #working = new Map<string, Promise<void>>()
  readonly #parked = new Map<string, Waiting>()
  /** Originals that are still to go, with when that is tried next. */
  readonly #originals = new Map<string, Original & { until: number; times: number }>()
  /** What is not done again while a file stays as it is: reading its content, and converting it. */
  readonly #known = new Map<string, { stamp: string; content: string; results?: Results }>()
  readonly #attempts = new Map<string, number>()
  readonly #retrying: Set<string>
  #hold: Hold | undefined
  #holds = 0
  #last: Happening | undefined
  #wake: () => void = () => {}

  constructor(rule: Rule, parts: WorkParts) {
    this.#rule = rule
    this.#parts = parts
    this.#clock = parts.clock ?? systemClock
    this.#settling = new Settling(parts.intervalMs, this.#clock)
    this.#retrying = new Set(parts.retry ? parts.journal.failed.map(({ file }) => file) : [])
  }

  /** What is going on. */
  get progress() {
    return {
      /** Files that are still being written, or may be. */
      writing: this.#settling.size,
      parked: [...this.#parked.values()].map(
        ({ file, code, detail, retryAt }): Parked => ({ file, code, detail, retryAt }),
      ),
      problem: this.#hold?.reason ?? null,
      last: this.#last,
    }
  }

  /**
   * Works until the signal aborts, or with `once` until nothing is left to do.
   * @throws with `once` what holds up everything
   */
  async run(signal: AbortSignal): Promise<void> {
    const { intervalMs, once = false, home } = this.#parts
    const stopped = () => this.#wake()
    signal.addEventListener('abort', stopped)
    let looker: Looker | undefined
    try {
      while (!signal.aborted) {
        const woken = new Promise<void>(resolve => {
          this.#wake = resolve
        })
        try {
          looker ??= new Looker(this.#rule, home, intervalMs, () => this.#wake())
          await this.#look(looker)
          if (this.#hold?.reason.key === 'watch.unreadable') this.#hold = undefined
        } catch (error) {
          looker?.[Symbol.dispose]()
          looker = undefined
          this.#holdUp('watch.unreadable', error, intervalMs)
        }
        await this.#release()
        this.#start(signal)
        for (const original of [...this.#originals.values()]) await this.#letGo(original)
        if (once && this.#hold) throw this.#hold.error
        const isIdle = this.#settling.size + this.#ready.size + this.#working.size === 0
        if (once && isIdle) return
        if (signal.aborted) break
        let timer: NodeJS.Timeout | undefined
        const rest = this.#settling.size > 0 ? Math.max(this.#settling.nextMs, intervalMs / 10) : intervalMs
        await Promise.race([
          woken,
          new Promise(resolve => {
            timer = setTimeout(resolve, Math.min(intervalMs, rest))
          }),
        ])
        clearTimeout(timer)
        // What is reported in bursts is looked at together.
        if (!signal.aborted) await new Promise(resolve => setTimeout(resolve, Math.min(50, intervalMs / 10)))
      }
    } finally {
      signal.removeEventListener('abort', stopped)
      looker?.[Symbol.dispose]()
      await Promise.all(this.#working.values())
    }
  }

  /** Looks at the folder, and notes what changed. */
  async #look(looker: Looker): Promise<void> {
    const { journal, onChange } = this.#parts
    // It is not created: a disk that is not connected would leave its mount point to be filled instead.
    await readdir(this.#rule.out)
    const isKept = this.#rule.moveTo === null && this.#rule.original !== 'recycle'
    let isNew = false
    const found: Look = {
      gone: file => {
        this.#forget(file)
        isNew = true
      },
      changed: seen => {
        this.#forget(seen.file)
        isNew = true
        // What is known to have its result is not even read, unless its original is still to go.
        if (!isKept || journal.stateOf(seen.file, seen.stamp) !== 'done') this.#settling.note(seen)
      },
    }
    await looker.look(found, [...this.#settling.files, ...this.#parked.keys()])
    const now = this.#clock.now()
    for (const { seen, until } of this.#parked.values())
      if (until <= now && !this.#ready.has(seen.file) && !this.#working.has(seen.file))
        this.#settling.note(seen)
    for (const seen of await this.#settling.take()) this.#ready.set(seen.file, seen)
    if (isNew) onChange?.()
  }

  #forget(file: string): void {
    for (const files of [this.#ready, this.#parked, this.#originals, this.#known]) files.delete(file)
    this.#settling.forget(file)
  }

  /** Ends what holds up everything, if its time has come and its cause has passed. */
  async #release(): Promise<void> {
    const hold = this.#hold
    if (!hold || hold.until > this.#clock.now() || hold.reason.key === 'watch.unreadable') return
    // Nothing is sent to find out whether there are credits now, until an hour has passed: somebody may pay in another way.
    const isShort =
      hold.credits !== undefined &&
      this.#clock.now() - hold.since < LONGEST_WAIT_MS &&
      (await this.#parts.converter.credits().then(
        credits => credits <= (hold.credits ?? 0),
        () => true,
      ))
    if (isShort) hold.until = this.#clock.now() + waitAfter(this.#holds++)
    else this.#hold = undefined
  }

  #holdUp(key: Held, error: unknown, ms: number): void {
    const isNew = this.#hold?.reason.key !== key
    const now = this.#clock.now()
    this.#hold = { reason: { key }, error, since: now, until: now + ms }
    if (!isNew) return
    this.#parts.onHold?.(render({ key }, 'en'), error)
    this.#parts.onChange?.()
  }

  /** Begins with as many files as may be converted at once. */
  #start(signal: AbortSignal): void {
    for (const seen of this.#ready.values()) {
      if (this.#hold || signal.aborted || this.#working.size >= this.#parts.jobs) return
      if (this.#working.has(seen.file)) continue
      this.#ready.delete(seen.file)
      const work = this.#take(seen, signal).finally(() => {
        this.#working.delete(seen.file)
        this.#parts.onChange?.()
        this.#wake()
      })
      this.#working.set(seen.file, work)
    }
  }

  /** Does what there is to do for a file; what goes wrong is its own matter. */
  async #take(seen: Seen, signal: AbortSignal): Promise<void> {
    const { journal } = this.#parts
    const { path, file, stamp } = seen
    let attempt: Attempt | undefined
    try {
      const known = this.#known.get(file)
      const { content } = known?.stamp === stamp ? known : { content: await hashOfFile(path) }
      // Whoever wrote it has gone on.
      if ((await stampOf(path)) !== stamp) return await this.#settleAgain(seen)
      if (known?.stamp !== stamp) this.#known.set(file, { stamp, content })
      const entry = await journal.get(file, content)
      if (entry?.state === 'failed' && !this.#retrying.delete(file)) return this.#parkForGood(seen, entry)
      const isPlaced =
        entry?.state === 'placing' && (await hashOf(entry.output).catch(ifGone(''))) === entry.result
      if (entry?.state === 'done' || (entry?.state === 'placing' && isPlaced)) {
        if (isPlaced || entry.stamp !== stamp) await journal.add({ ...entry, state: 'done', stamp })
        await this.#letGo({ seen, content, made: entry, until: 0, times: 0 })
      } else {
        const before = entry?.state === 'failed' ? (entry.attempt ?? 0) + 1 : (entry?.attempt ?? 0)
        attempt = { content, before: entry, number: Math.max(before, this.#attempts.get(file) ?? 0) }
        await this.#convert(seen, attempt, signal)
      }
      this.#parked.delete(file)
      this.#known.delete(file)
    } catch (error) {
      await this.#failed(seen, error, attempt, signal).catch(again =>
        this.#holdUp('watch.interrupted', again, waitAfter(this.#holds++)),
      )
    }
  }

  async #convert(seen: Seen, { content, before, number }: Attempt, signal: AbortSignal): Promise<void> {
    const { journal } = this.#parts
    const { path, file, stamp } = seen
    const about = { file, content, stamp, attempt: number }
    const results = await this.#results(seen, { content, before, number }, signal)
    const stem = basename(file, extname(file))
    const isSeveral = results.fileCount > 1
    const folders = dirname(file).split(sep)
    const where = { root: this.#rule.out, folders: folders.filter(part => part !== '.') }
    await using received = await PartialFile.receive(await results.content(), where, { signal })
    await using files = isSeveral ? await PartialFile.unpack(received.path, where, { signal }) : undefined
    const finished = files ?? received
    const isWarned = results.warnings.length > 0
    const made = { result: await hashOf(finished.path), ...(isWarned && { warned: true }) }
    // It may have been written on while it was converted; then it is new work.
    if ((await stampOf(path)) !== stamp) return await this.#settleAgain(seen)
    const output = await finished.place({
      name: isSeveral ? portableName(stem) : nameAround('', stem, `.${extensionOf(results.fileName)}`),
      taken: 'number',
      announce: output => journal.add({ ...about, state: 'placing', output, ...made }),
      announced: before?.state === 'placing' ? before.output : null,
    })
    await journal.add({ ...about, state: 'done', output, ...made })
    this.#attempts.delete(file)
    this.#holds = 0
    await results.remove().catch(() => {})
    this.#tell({ file, output, warnings: results.warnings })
    await this.#letGo({ seen, content, made: { output, ...made }, until: 0, times: 0 })
  }

  /** Converts a file, unless that was done and only its result could not be placed. */
  async #results(
    { path, file, stamp }: Seen,
    { content, number }: Attempt,
    signal: AbortSignal,
  ): Promise<Results> {
    const known = this.#known.get(file)
    if (known?.stamp === stamp && known.results) return known.results
    const { target, options } = this.#rule
    const key = createHash('sha256').update(JSON.stringify([ruleId(this.#rule), file, content, number]))
    const settings = { options, key: key.digest('hex'), signal }
    try {
      const results = await this.#parts.converter.convert({ path, name: basename(path) }, target, settings)
      this.#known.set(file, { stamp, content, results })
      return results
    } catch (error) {
      if (signal.aborted)
        await this.#parts.journal.add({
          file,
          content,
          stamp,
          attempt: number,
          state: 'again',
          isStopped: true,
        })
      throw error
    }
  }

  /** A file that changed while something was done with it waits like one that has just come. */
  async #settleAgain(seen: Seen): Promise<void> {
    const now = await lookAt(seen.path).catch(() => seen)
    if (now) this.#settling.note({ ...seen, ...now })
  }

  #tell(happening: Happening): void {
    this.#last = happening
    this.#parts.report(happening)
  }

  /** What an error means: for the file, or for all of them. */
  async #failed(
    seen: Seen,
    error: unknown,
    attempt: Attempt | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { journal, converter } = this.#parts
    const { file, stamp, path } = seen
    if (signal.aborted) return
    if ((await stampOf(path).catch(() => stamp)) !== stamp) return await this.#settleAgain(seen)
    const { code = '', message: detail } = error as Error & { code?: string }
    const fault = faultOf(error)
    const isHeld = fault === 'credits' || fault === 'converter' || fault === 'full'
    if (isHeld) {
      const credits = fault === 'credits' ? await converter.credits().catch(() => 0) : undefined
      this.#ready.set(file, seen)
      this.#holdUp(heldBy[fault], error, waitAfter(this.#holds++))
      if (this.#hold && credits !== undefined) this.#hold.credits = credits
      return
    }
    const { content = '', number = 0, before } = attempt ?? {}
    // It was canceled as this stopped, and not by a person.
    const isOwnStop =
      fault === 'canceled' && before?.state === 'again' && before.isStopped && before.attempt === number
    if (!isOwnStop && (fault === 'file' || fault === 'canceled')) {
      await journal.add({ file, content, stamp, attempt: number, state: 'failed', code, detail })
      this.#tell({ file, error: { code, detail } })
      return this.#parkForGood(seen, { code, detail })
    }
    if (isOwnStop || fault === 'passing') {
      // The same key would get the same end again.
      this.#attempts.set(file, number + 1)
      this.#known.set(file, { stamp, content })
      await journal.add({ file, content, stamp, attempt: number + 1, state: 'again' })
      if (isOwnStop) return void this.#ready.set(file, seen)
    }
    const told = fault === 'passing' ? { code, detail } : problemOf(error, path)
    const times = (this.#parked.get(file)?.times ?? -1) + 1
    const wait = waitAfter(times)
    if (times === 0) this.#tell({ file, error: told })
    const [until, retryAt] = [this.#clock.now() + wait, this.#clock.date() + wait]
    this.#parked.set(file, { file, seen, times, ...told, until, retryAt })
  }

  #parkForGood(seen: Seen, { code, detail }: Pick<Parked, 'code' | 'detail'>): void {
    const until = Number.POSITIVE_INFINITY
    this.#parked.set(seen.file, { file: seen.file, seen, code, detail, until, times: 0, retryAt: null })
  }

  /** Lets an original go; one that cannot is reported, tried again later, and holds up no other. */
  async #letGo(original: Original & { until: number; times: number }): Promise<void> {
    const { file } = original.seen
    const { others, recycle, report, intervalMs } = this.#parts
    if (original.until > this.#clock.now()) return
    this.#originals.delete(file)
    try {
      const until = this.#clock.now() + intervalMs
      if (await letGo(this.#rule, original, others, recycle))
        this.#originals.set(file, { ...original, until })
    } catch (error) {
      const { times } = original
      if (times === 0) report({ file, output: original.made.output, notGone: error })
      this.#originals.set(file, {
        ...original,
        times: times + 1,
        until: this.#clock.now() + waitAfter(times),
      })
    }
  }
}

/** What the system's error means for one file. */
function problemOf(error: unknown, path: string): Pick<Parked, 'code' | 'detail'> {
  const { code: cause = '', path: where } = error as NodeJS.ErrnoException
  const isUnread = where === path || cause.startsWith('file.')
  const code = isUnread ? 'watch.file_unreadable' : 'watch.not_saved'
  return { code, detail: render({ key: code }, 'en') }
}
