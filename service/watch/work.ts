import { hashOfFile } from '../shared/file-hash.ts'
import { render } from '../shared/messages/render.ts'
import { ifGone } from '../shared/placing/naming.ts'
import { hashOf } from '../shared/placing/place.ts'
import { type Converted, convert, type Source } from './conversion.ts'
import { type Converter, faultOf, type Hindrance } from './converter.ts'
import type { Journal, JournalEntry, Made } from './journal.ts'
import { stampOf } from './looking.ts'
import { letGo, type Recycle } from './originals.ts'
import type { Rule } from './rule.ts'

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

/** Why a file is left alone until it changes, or for a while if the cause may pass. */
export interface Reason {
  code: string
  detail: string
}

/** A file with something left to do. One that changes becomes another task. */
export interface Task extends Source {
  /** Whether it has been as it is for long enough, and is due. */
  isReady: boolean
  /** Until when it waits at least, by a clock that never jumps, in milliseconds. */
  until: number
  /** How often it was tried in vain, and how often its original had to stay for other rules. */
  times: number
  asked: number
  content?: string
  parked?: Reason | undefined
  /** Its result, if only the original is still to go. */
  made?: Made
  /** Whether that was tried in vain. */
  isStuck?: true
}

export interface WorkParts {
  rule: Rule
  converter: Converter
  journal: Journal
  /** For how long a file has to be as it is, and the time between two looks at the folder, in milliseconds. */
  intervalMs: number
  report(happening: Happening): void
  recycle: Recycle
}

/** What is next for a file: a wait, in milliseconds; the same again, once what holds up all files has passed; or nothing. */
export type Next = { waitMs: number } | { heldBy: Hindrance; error: unknown } | undefined

const FIRST_WAIT_MS = 5_000
export const LONGEST_WAIT_MS = 3_600_000

/** Time until something is tried again, in milliseconds: each time twice as long as before. */
export const waitAfter = (times: number): number => Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** times)

/** Does what there is to do for a file: what was done is in the journal, which outlives kills and restarts. @throws what the journal does */
export async function workOn(task: Task, parts: WorkParts, signal: AbortSignal): Promise<Next> {
  try {
    return await attempt(task, parts, signal)
  } catch (error) {
    return signal.aborted ? undefined : await afterError(task, error, parts)
  }
}

async function attempt(task: Task, parts: WorkParts, signal: AbortSignal): Promise<Next> {
  const { rule, journal, intervalMs, recycle, report } = parts
  const { path, file, stamp } = task
  const content = task.content ?? (await hashOfFile(path))
  // Whoever wrote it has gone on.
  if ((await stampOf(path)) !== stamp) return { waitMs: intervalMs }
  task.content = content
  const entry = journal.get(file, content)
  if (entry?.state === 'failed') return park(task, entry)
  let made = await madeBefore(task, entry, journal)
  if (!made) {
    task.attempt = entry?.attempt ?? 0
    made = await convert(task, content, parts, entry, signal)
    if (!made) return { waitMs: intervalMs }
    report({ file, output: made.output, warnings: made.warnings })
  }
  if (!task.made) task.times = 0
  task.made = made
  task.parked = undefined
  const isAwaited = await letGo(rule, task, content, made, journal, recycle)
  return isAwaited ? { waitMs: intervalMs * 2 ** Math.min(5, task.asked++) } : undefined
}

/** The result of a file with this content that was placed before, also if a kill came before that was noted. */
async function madeBefore(
  { stamp }: Task,
  entry: JournalEntry | undefined,
  journal: Journal,
): Promise<Converted | undefined> {
  if (entry?.state !== 'done' && entry?.state !== 'placing') return undefined
  const isNoted = entry.state === 'done'
  if (!isNoted && (await hashOf(entry.output).catch(ifGone(''))) !== entry.result) return undefined
  if (!isNoted || entry.stamp !== stamp) await journal.add({ ...entry, state: 'done', stamp })
  return { warnings: [], ...entry }
}

/** What an error means: for the file, which waits, or for all of them. */
async function afterError(
  task: Task,
  error: unknown,
  { journal, report, intervalMs }: WorkParts,
): Promise<Next> {
  const { file, stamp, path, attempt, made, content = '' } = task
  const { code = '', message: detail } = error as Error & { code?: string }
  const next = { waitMs: waitAfter(task.times++) }
  if (made) {
    if (!task.isStuck) report({ file, output: made.output, notGone: error })
    task.isStuck = true
    return next
  }
  if ((await stampOf(path).catch(() => stamp)) !== stamp) return { waitMs: intervalMs }
  const fault = faultOf(error)
  if (fault === 'file') {
    await journal.add({ file, content, stamp, attempt, state: 'failed', code, detail })
    report({ file, error: { code, detail } })
    return park(task, { code, detail })
  }
  if (fault !== undefined && fault !== 'passing') return { heldBy: fault, error }
  // The same key would get the same end again.
  if (fault) {
    task.results = undefined
    await journal.add({ file, content, stamp, attempt: attempt + 1, state: 'again' })
  }
  const told = fault ? { code, detail } : problemOf(error, path)
  if (!task.parked) report({ file, error: told })
  task.parked = told
  return next
}

/** Leaves a file alone until it changes. */
function park(task: Task, { code, detail }: Reason): Next {
  task.parked = { code, detail }
  return { waitMs: Number.POSITIVE_INFINITY }
}

/** What the system's error means for one file. */
function problemOf(error: unknown, path: string): Reason {
  const { code: cause = '', path: where } = error as NodeJS.ErrnoException
  const isUnread = where === path || cause.startsWith('file.')
  const code = isUnread ? 'watch.file_unreadable' : 'watch.not_saved'
  return { code, detail: render({ key: code }, 'en') }
}
