import { watch as watchFolder } from 'node:fs'
import { basename, dirname, extname, sep } from 'node:path'
import { hashOfFile } from '../file-hash.ts'
import { extensionOf, nameAround, portableName } from '../names/names.ts'
import { moveFile } from '../placing/move.ts'
import { hashOf, isThere, PartialFile } from '../placing/place.ts'
import type { Entry, Journal, Made } from './journal.ts'
import type { OtherRules } from './others.ts'
import type { Rule } from './rule.ts'
import { Scanner, type Seen, stampOf } from './scan.ts'

/** Converts files: the client of the API. Errors that have a `code` of a job or a request are those of the file. */
export interface Converting {
  convert(
    path: string,
    target: string,
    settings: { options: Record<string, unknown>; signal: AbortSignal },
  ): Promise<{
    fileName: string
    fileCount: number
    warnings: readonly string[]
    stream(): Promise<ReadableStream<Uint8Array>>
    remove(): Promise<void>
  }>
}

/** What happened to a file, for whoever watches the watcher. */
export interface Happening {
  file: string
  /** The result, or the folder of several. */
  output?: string
  warnings?: readonly string[]
  error?: { code: string; detail: string }
  /** Why the original is still where it was, although it was to go to the recycle bin. */
  notRecycled?: unknown
}

export interface WatchSettings {
  jobs: number
  /** Time between two looks at the folder, in milliseconds. */
  intervalMs: number
  signal: AbortSignal
  report(happening: Happening): void
  /** Moves a file to the recycle bin of this system. */
  recycle(path: string): Promise<void>
  /** An original stays until those of them that it concerns have their results too. */
  others?: OtherRules
  /** Called after each look at the folder that found it. */
  onLook?(): void
  /** Tries again what failed before. */
  retry: boolean
  /** Ends once the folder holds nothing to do, instead of waiting for more. */
  once: boolean
}

/**
 * Converts the files that come into a folder, each content once: what was done is in the journal, which outlives kills and restarts.
 * A file is taken when two looks in a row found it the same. Failed ones are not tried again until their content changes.
 */
export async function watch(
  rule: Rule,
  client: Converting,
  journal: Journal,
  { jobs, intervalMs, signal, report, recycle, others, onLook, retry, once }: WatchSettings,
): Promise<void> {
  const scanner = new Scanner(rule)
  /** Stamps of files whose content is known to be done or parked, so that nothing is read again. */
  const settled = new Map<string, string>()
  /** Originals that stay until other rules are done with them, by their paths. */
  const held = new Map<string, Parameters<typeof discard>>()
  const waker = new Waker(rule, signal)
  const retrying = new Set<Entry>(retry ? journal.failed() : [])

  const settle = async ({ path, file, stamp }: Seen): Promise<void> => {
    const content = await hashOfFile(path)
    const known = journal.get(file, content)
    const isDone = known?.state === 'done' || (known?.state === 'placing' && (await isPlaced(known)))
    if (known?.state === 'placing' && isDone) await journal.add({ ...known, state: 'done' })
    const isParked = known?.state === 'failed' && !retrying.delete(known)
    if (isDone) await discard({ path, file, stamp }, content, known)
    if (isDone || isParked || (await convertOne({ path, file, stamp }, content))) settled.set(path, stamp)
  }

  /** What becomes of an original with a result. One that cannot go to the recycle bin stays, and holds up no other file. */
  const discard = async (seen: Seen, content: string, made: Pick<Made, 'output'> & Partial<Made>) => {
    const { path, file, stamp } = seen
    if (rule.moveTo === null && rule.original !== 'recycle') return
    held.delete(path)
    if ((await stampOf(path)) !== stamp) return
    if (await others?.want(path, content)) return void held.set(path, [seen, content, made])
    try {
      await moveAway(rule, path, made.output, content)
    } catch (error) {
      // Another rule that was done with it at the same moment may have taken it.
      if ((await stampOf(path)) === stamp) throw error
    }
    if (rule.original !== 'recycle' || made.warned || made.result === undefined) return
    if ((await hashOf(made.output).catch(() => '')) !== made.result || (await stampOf(path)) !== stamp) return
    try {
      await recycle(path)
    } catch (error) {
      if ((await stampOf(path)) === stamp) report({ file, output: made.output, notRecycled: error })
    }
  }

  /** @returns whether the file is done or parked, so that only new content makes new work of it */
  const convertOne = async ({ path, file, stamp }: Seen, content: string): Promise<boolean> => {
    try {
      const result = await client.convert(path, rule.target, { options: rule.options, signal })
      const stem = basename(file, extname(file))
      const isSeveral = result.fileCount > 1
      const name = isSeveral ? portableName(stem) : nameAround('', stem, `.${extensionOf(result.fileName)}`)
      const where = {
        root: rule.out,
        folders: dirname(file)
          .split(sep)
          .filter(part => part !== '.'),
      }
      await using received = await PartialFile.receive(await result.stream(), where)
      await using files = isSeveral ? await PartialFile.unpack(received.path, where) : undefined
      const finished = files ?? received
      const hash = await hashOf(finished.path)
      // It may have been written on while it was converted; then it is new work.
      if ((await stampOf(path)) !== stamp) return false
      const made = { result: hash, ...(result.warnings.length > 0 && { warned: true }) }
      const output = await finished.place({
        name,
        taken: 'number',
        announce: free => journal.add({ state: 'placing', file, content, output: free, ...made }),
      })
      await journal.add({ state: 'done', file, content, output, ...made })
      await result.remove().catch(() => {})
      report({ file, output, warnings: result.warnings })
      await discard({ path, file, stamp }, content, { output, ...made })
      return true
    } catch (error) {
      if (signal.aborted) return false
      const { code = '', message: detail } = error as Error & { code?: string }
      // It is new work once it has stopped changing.
      if (code === 'file.changed') return false
      // Whoever cannot write here, or reach the service, knows nothing about the file.
      if (!/^(jobs|convert|request)\./.test(code)) throw error
      // Whoever stops the service starts it again.
      if (code === 'jobs.interrupted') return false
      report({ file, error: { code, detail } })
      if (notTheFile.has(code)) return false
      await journal.add({ state: 'failed', file, content, code, detail })
      return true
    }
  }

  for (;;) {
    const begun = performance.now()
    const stable = (await scanner.look()).filter(({ path, stamp }) => settled.get(path) !== stamp)
    const took = performance.now() - begun
    onLook?.()
    for (const original of [...held.values()]) await discard(...original)
    const waiting = stable.values()
    const work = async () => {
      for (const seen of waiting) {
        if (signal.aborted) return
        await settle(seen)
      }
    }
    await Promise.all(Array.from({ length: Math.min(jobs, stable.length) }, work))
    if (signal.aborted) return
    if (once && stable.length === 0 && scanner.isQuiet) return
    await waker.wait(pauseAfter(took, scanner.isQuiet, intervalMs))
  }
}

/** Time until the next look: longer after long looks, at thousands of files or a slow share, most of all where nothing changes. */
export const pauseAfter = (tookMs: number, isQuiet: boolean, intervalMs: number): number =>
  Math.max(intervalMs, tookMs * (isQuiet ? 20 : 2))

/** Failures that may pass by themselves: the file is tried again at the next look. */
const notTheFile = new Set(['jobs.disk_full', 'jobs.storage_failed', 'jobs.canceled'])

/** Whether what a kill left unrecorded is the result. */
const isPlaced = async ({ output, result }: { output: string; result: string }): Promise<boolean> =>
  (await hashOf(output).catch(() => '')) === result

/** Moves an original to the folder of the rule, once its result has been found to be there. */
async function moveAway({ moveTo }: Rule, path: string, output: string, content: string): Promise<void> {
  if (moveTo !== null && (await isThere(output)))
    await moveFile(path, { root: moveTo, isMade: true }, content)
}

/** Sleeps between two looks, and less when the system reports a change; where it reports none, as on shares, looking is enough. */
class Waker {
  #wake: () => void = () => {}

  constructor({ folder, recursive }: Rule, signal: AbortSignal) {
    try {
      watchFolder(folder, { recursive, signal, persistent: false }, () => this.#wake()).on('error', () => {})
    } catch {
      // No reports here.
    }
    signal.addEventListener('abort', () => this.#wake())
  }

  async wait(ms: number): Promise<void> {
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        // A file that is being written changes many times a second.
        setTimeout(resolve, Math.min(ms, 200))
      }
    })
  }
}
