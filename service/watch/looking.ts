import { type FSWatcher, watch } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { isWanted } from '../shared/names/unfinished.ts'
import { liesWithin } from '../shared/names/within.ts'
import { ifGone, isGone } from '../shared/placing/naming.ts'
import { sweep } from '../shared/placing/partial-name.ts'
import { matches, type Rule } from './rule.ts'

/** A file as a look at the folder found it. */
export interface Seen {
  path: string
  /** Below the watched folder. */
  file: string
  /** Changes whenever the file does. */
  stamp: string
  /** Milliseconds since 1970. */
  modifiedAt: number
}

export interface LookerParts {
  rule: Rule
  /** The data folder, which is not looked into. */
  home: string
  intervalMs: number
  /** Called when the system reports a change of something that counts. */
  onReport(): void
  /** Gets a file that is new or no longer as it was. */
  onChanged(seen: Seen): void
  /** Gets the name of one that is gone. */
  onGone(file: string): void
}

/** A folder as it was last listed, with the stamps of its files by their names. */
interface Listed {
  changedAt: number
  readonly stamps: Map<string, string>
  readonly watcher: FSWatcher | undefined
}

/** A look at everything, or at every folder, takes at most this part of the time. */
const SHARE = 200
/** Files whose state is asked for at once. */
const AT_ONCE = 32
/** Folders of which the system is asked for reports; it allows so many for all programs together. */
const MOST_WATCHERS = 1_000

/**
 * Finds out what came into a folder. The system's reports make it quick, and looking finds what is not reported, as on network drives:
 * folders whose time has changed have something new, and everything is looked at again after a while.
 */
export class Looker implements Disposable {
  readonly #parts: LookerParts
  readonly #folders = new Map<string, Listed>()
  readonly #reported = new Set<string>()
  #nextFull = 0
  #nextFolders = 0

  constructor(parts: LookerParts) {
    this.#parts = parts
  }

  /** @param again paths of files to look at in any case @throws the system's error if the folder cannot be read */
  async look(again: readonly string[] = []): Promise<void> {
    const { rule, intervalMs } = this.#parts
    const started = performance.now()
    const reported = [...this.#reported]
    this.#reported.clear()
    const isComplete = started >= this.#nextFull
    const isDue = isComplete || started >= this.#nextFolders
    const all = new Set([rule.folder, ...this.#folders.keys()])
    for (const folder of isDue ? all : reported.filter(path => all.has(path)))
      await this.#list(folder, isComplete)
    if (!isComplete) await atOnce(new Set([...reported, ...again]), path => this.#see(path))
    const next = performance.now() + Math.max(intervalMs, (performance.now() - started) * SHARE)
    if (isComplete) this.#nextFull = next
    if (isDue) this.#nextFolders = next
  }

  /** Looks for what is new or gone in a folder that has changed since it was listed, or at all of it. */
  async #list(folder: string, isComplete: boolean): Promise<void> {
    const { rule, home } = this.#parts
    const known = this.#folders.get(folder)
    let watcher = known?.watcher
    try {
      // Before it is listed: what comes meanwhile changes it again.
      const { mtimeMs } = await stat(folder)
      if (known?.changedAt === mtimeMs && !isComplete) return
      if (!known) await sweep(folder)
      // What comes while it is listed is reported.
      watcher ??= this.#watch(folder)
      const entries = await readdir(folder, { withFileTypes: true })
      const stamps = known?.stamps ?? new Map<string, string>()
      this.#folders.set(folder, { changedAt: mtimeMs, stamps, watcher })
      const files = entries.filter(entry => entry.isFile() && matches(rule, entry.name))
      const there = new Set(files.map(({ name }) => name))
      for (const name of stamps.keys()) if (!there.has(name)) this.#gone(folder, name)
      const unseen = isComplete ? there : there.difference(stamps)
      await atOnce(unseen, name => this.#see(join(folder, name), true))
      if (!rule.recursive) return
      for (const entry of entries) {
        const path = join(folder, entry.name)
        if (!entry.isDirectory() || !isWanted(entry.name) || liesWithin(home, path)) continue
        if (!this.#folders.has(path)) await this.#list(path, true)
      }
    } catch (error) {
      if (this.#folders.get(folder)?.watcher !== watcher) watcher?.close()
      if (folder === rule.folder) throw error
      // One that may not be read costs its own files.
      if (!known || !isGone(error)) return
      for (const name of known.stamps.keys()) this.#gone(folder, name)
      known.watcher?.close()
      this.#folders.delete(folder)
    }
  }

  async #see(path: string, isListed = false): Promise<void> {
    const [folder, name] = [dirname(path), basename(path)]
    const { stamps } = this.#folders.get(folder) ?? {}
    if (!stamps || this.#folders.has(path) || !matches(this.#parts.rule, name)) return
    try {
      const seen = await lookAt(path)
      if (!seen || !(isListed || (await isNamedSo(path)))) return this.#gone(folder, name)
      if (stamps.get(name) === seen.stamp) return
      stamps.set(name, seen.stamp)
      this.#parts.onChanged({ path, file: relative(this.#parts.rule.folder, path), ...seen })
    } catch {
      // It cannot be seen now.
      this.#reported.add(path)
    }
  }

  #gone(folder: string, name: string): void {
    if (this.#folders.get(folder)?.stamps.delete(name))
      this.#parts.onGone(relative(this.#parts.rule.folder, join(folder, name)))
  }

  /** Has the system report what happens in a folder; where it cannot, looking is enough. */
  #watch(folder: string): FSWatcher | undefined {
    const { rule, onReport } = this.#parts
    // Node's own way into folders below watches every file where the system has none.
    const recursive = rule.recursive && process.platform !== 'linux'
    if (this.#folders.size >= MOST_WATCHERS || (recursive && folder !== rule.folder)) return undefined
    try {
      const watcher = watch(folder, { recursive, persistent: false }, (_, name) => {
        const path = join(folder, name ?? '')
        if (!isWanted(basename(path))) return
        this.#reported.add(path).add(dirname(path))
        onReport()
      })
      return watcher.on('error', () => watcher.close())
    } catch {
      return undefined
    }
  }

  [Symbol.dispose](): void {
    for (const { watcher } of this.#folders.values()) watcher?.close()
  }
}

const atOnce = (paths: Iterable<string>, use: (path: string) => Promise<void>): Promise<void> =>
  Readable.from(paths).forEach(use, { concurrency: AT_ONCE })

/** Whether a file is named as the disk writes it: where case is ignored, a name that a file had is still found. */
const isNamedSo = async (path: string) => basename(await realpath(path).catch(ifGone(''))) === basename(path)

/** How a file is; undefined for an empty one, and for what is none or is gone. @throws the system's error if it does not say */
export async function lookAt(path: string): Promise<Pick<Seen, 'stamp' | 'modifiedAt'> | undefined> {
  const found = await stat(path).catch(ifGone(undefined))
  if (!found?.isFile() || found.size === 0) return undefined
  const { size, mtimeMs, ctimeMs, ino } = found
  // V8 would keep all that a text was put together of.
  return { stamp: [size, mtimeMs, ctimeMs, ino].join(' '), modifiedAt: mtimeMs }
}

/** What changes whenever a file does: size, times and inode; undefined for an empty file, or one that is gone. */
export const stampOf = async (path: string): Promise<string | undefined> => (await lookAt(path))?.stamp
