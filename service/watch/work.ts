import { createHash } from 'node:crypto'
import { basename, dirname, extname } from 'node:path'
import { hashOfFile } from '../shared/file-hash.ts'
import { render } from '../shared/messages/render.ts'
import { extensionOf } from '../shared/names/extension.ts'
import { nameAround, portableName } from '../shared/names/names.ts'
import { ifGone } from '../shared/placing/naming.ts'
import { foldersOf, hashOf, PartialFile } from '../shared/placing/place.ts'
import { type Converter, faultOf, hindranceOf, type Results } from './converter.ts'
import type { Journal, JournalEntry, Made } from './journal.ts'
import { type Seen, stampOf } from './looking.ts'
import { letGo, type Recycle } from './originals.ts'
import { type Rule, ruleId } from './rule.ts'

/** What happened to a file, for whoever watches the watcher. */
export interface Happening {
  file: string
  /** The result, or the folder of several. */
  output?: string
  warnings?: readonly string[]
  error?: Reason
  /** Why the original is still where it was, although it was to go. */
  notGone?: unknown
}

/** Why a file is left alone until it changes, or for a while if the cause may pass. */
export interface Reason {
  code: string
  detail: string
}

/** A file with something left to do. One that changes becomes another task. */
export interface Task extends Seen {
  /** Whether it has been as it is for long enough, and is due. */
  isReady: boolean
  /** Until when it waits at least, by a clock that never jumps, in milliseconds. */
  until: number
  /** How often what is left to do was tried in vain. */
  times: number
  /** Number of conversions that ended: each is charged once. */
  attempt: number
  content?: string
  parked?: Reason | undefined
  /** What came of it, if only placing that failed. */
  results?: Results | undefined
  /** Its result, if only the original is still to go. */
  made?: Made
  /** Whether that was tried in vain. */
  isStuck?: true
}

export interface WorkParts {
  rule: Rule
  converter: Converter
  journal: Journal
  /** For how long a file has to be as it is, and the time between two scans of the folder, in milliseconds. */
  intervalMs: number
  report(happening: Happening): void
  recycle: Recycle
}

const FIRST_WAIT_MS = 5_000
export const LONGEST_WAIT_MS = 3_600_000

/** Time until something is tried again, in milliseconds: each time twice as long as before. */
export const waitAfter = (times: number): number => Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** times)

/**
 * Does what there is to do for a file: what was done is in the journal, which outlives kills and restarts.
 * @returns how long it waits for what is left to do, in milliseconds; undefined if nothing is
 * @throws what holds up all files
 */
export async function workOn(task: Task, parts: WorkParts, signal: AbortSignal): Promise<number | undefined> {
  try {
    return await attempt(task, parts, signal)
  } catch (error) {
    return signal.aborted ? undefined : await afterError(task, error, parts)
  }
}

async function attempt(task: Task, parts: WorkParts, signal: AbortSignal): Promise<number | undefined> {
  const { rule, journal, intervalMs, recycle, report } = parts
  const { path, file, stamp } = task
  const content = task.content ?? (await hashOfFile(path))
  // Whoever wrote it has gone on.
  if ((await stampOf(path)) !== stamp) return intervalMs
  task.content = content
  const entry = journal.get(file, content)
  if (entry?.state === 'failed') return park(task, entry)
  let made = await madeBefore(task, entry, journal)
  if (!made) {
    task.attempt = entry?.attempt ?? 0
    const results = await convert(task, content, parts, entry, signal)
    made = await save(task, content, results, parts, entry, signal)
    if (!made) return intervalMs
    report({ file, output: made.output, warnings: results.warnings })
  }
  if (!task.made) task.times = 0
  task.made = made
  task.parked = undefined
  const isAwaited = await letGo(rule, task, content, made, journal, recycle)
  return isAwaited ? intervalMs * 2 ** Math.min(5, task.times++) : undefined
}

/** The result of a file with this content that was saved before, also if a kill came before that was noted. */
async function madeBefore(
  { stamp }: Task,
  entry: JournalEntry | undefined,
  journal: Journal,
): Promise<Made | undefined> {
  if (entry?.state !== 'done' && entry?.state !== 'placing') return undefined
  const isNoted = entry.state === 'done'
  if (!isNoted && (await hashOf(entry.output).catch(ifGone(''))) !== entry.result) return undefined
  if (!isNoted || entry.stamp !== stamp) await journal.add({ ...entry, state: 'done', stamp })
  return entry
}

/** Converts a file, unless that was done and only placing failed. */
async function convert(
  task: Task,
  content: string,
  { rule, converter, journal }: WorkParts,
  before: JournalEntry | undefined,
  signal: AbortSignal,
): Promise<Results> {
  const { path, file, stamp } = task
  while (!task.results) {
    const key = createHash('sha256').update(JSON.stringify([ruleId(rule), file, content, task.attempt]))
    const settings = { options: rule.options, key: key.digest('hex'), signal }
    try {
      task.results = await converter.convert({ path, name: basename(path) }, rule.target, settings)
    } catch (error) {
      if (signal.aborted) await journal.add({ file, content, stamp, attempt: task.attempt, state: 'stopped' })
      // It was canceled as this stopped, and not by a person; the same key would get the same end again.
      const isOwn = before?.state === 'stopped' && (error as { code?: unknown }).code === 'jobs.canceled'
      if (signal.aborted || !isOwn) throw error
      task.attempt++
    }
  }
  return task.results
}

/** Places the result of a file, which is in the journal then; undefined if the file changed meanwhile. */
async function save(
  { path, file, stamp, attempt }: Task,
  content: string,
  results: Results,
  { rule, journal }: WorkParts,
  before: JournalEntry | undefined,
  signal: AbortSignal,
): Promise<Made | undefined> {
  const { fileName, fileCount, warnings } = results
  const [stem, isSeveral] = [basename(file, extname(file)), fileCount > 1]
  const where = { root: rule.out, folders: foldersOf(dirname(file)) }
  await using received = await PartialFile.receive(await results.content(), where, { signal })
  await using files = isSeveral ? await PartialFile.unpack(received.path, where, { signal }) : undefined
  const finished = files ?? received
  const about = { file, content, stamp, attempt, result: await hashOf(finished.path) }
  const made = { ...about, ...(warnings.length > 0 && { warned: true }) }
  // It may have been written on while it was converted; then it is new work.
  if ((await stampOf(path)) !== stamp) return undefined
  const output = await finished.place({
    name: isSeveral ? portableName(stem) : nameAround('', stem, `.${extensionOf(fileName)}`),
    taken: 'number',
    announce: output => journal.add({ ...made, state: 'placing', output }),
    announced: before?.state === 'placing' ? before.output : null,
  })
  await journal.add({ ...made, state: 'done', output })
  await results.remove().catch(() => {})
  return { ...made, output }
}

/** What an error means for the file, which waits. @throws it if it holds up all files */
async function afterError(
  task: Task,
  error: unknown,
  { journal, report, intervalMs }: WorkParts,
): Promise<number> {
  const { file, stamp, path, attempt, made, content = '' } = task
  const { code = '', message: detail } = error as Error & { code?: string }
  const wait = waitAfter(task.times++)
  if (made) {
    if (!task.isStuck) report({ file, output: made.output, notGone: error })
    task.isStuck = true
    return wait
  }
  if ((await stampOf(path).catch(() => stamp)) !== stamp) return intervalMs
  if (hindranceOf(error)) throw error
  const fault = faultOf(error)
  if (fault === 'file') {
    await journal.add({ file, content, stamp, attempt, state: 'failed', code, detail })
    report({ file, error: { code, detail } })
    return park(task, { code, detail })
  }
  // The same key would get the same end again.
  if (fault) {
    task.results = undefined
    await journal.add({ file, content, stamp, attempt: attempt + 1, state: 'again' })
  }
  const told = fault ? { code, detail } : problemOf(error, path)
  if (!task.parked) report({ file, error: told })
  task.parked = told
  return wait
}

/** Leaves a file alone until it changes. */
function park(task: Task, { code, detail }: Reason): number {
  task.parked = { code, detail }
  return Number.POSITIVE_INFINITY
}

/** What the system's error means for one file. */
function problemOf(error: unknown, path: string): Reason {
  const { code: cause = '', path: where } = error as NodeJS.ErrnoException
  const isUnread = where === path || cause.startsWith('file.')
  const code = isUnread ? 'watch.file_unreadable' : 'watch.not_saved'
  return { code, detail: render({ key: code }, 'en') }
}
