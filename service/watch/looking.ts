import { type FSWatcher, watch } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { isWanted } from '../shared/names/unfinished.ts'
import { liesWithin } from '../shared/names/within.ts'
import { ifGone, isGone } from '../shared/placing/naming.ts'
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

/** Gets what a look finds: a file that is new or no longer as it was, or the name of one that is gone. */
export interface Look {
  changed(seen: Seen): void
  gone(file: string): void
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
  readonly #rule: Rule
  readonly #home: string
  readonly #intervalMs: number
  readonly #onReport: () => void
  readonly #folders = new Map<string, Listed>()
  readonly #reported = new Set<string>()
  #nextFull = 0
  #nextFolders = 0

  /**
   * @param home the data folder, which is not looked into
   * @param onReport called when the system reports a change of something that counts
   */
  constructor(rule: Rule, home: string, intervalMs: number, onReport: () => void) {
    this.#rule = rule
    this.#home = home
    this.#intervalMs = intervalMs
    this.#onReport = onReport
  }

  /** @param again paths of files to look at in any case @throws the system's error if the folder cannot be read */
  async look(found: Look, again: readonly string[]): Promise<void> {
    const started = performance.now()
    const reported = [...this.#reported]
    this.#reported.clear()
    const isComplete = started >= this.#nextFull
    const isDue = isComplete || started >= this.#nextFolders
    const all = new Set([this.#rule.folder, ...this.#folders.keys()])
    for (const folder of isDue ? all : reported.filter(path => all.has(path)))
      await this.#list(folder, found, isComplete)
    const next = performance.now() + Math.max(this.#intervalMs, (performance.now() - started) * SHARE)
    if (isComplete) this.#nextFull = next
    else await atOnce(new Set([...reported, ...again]), path => this.#see(path, found))
    if (isDue) this.#nextFolders = next
  }

  /** Looks for what is new or gone in a folder that has changed since it was listed, or at all of it. */
  async #list(folder: string, found: Look, isComplete: boolean): Promise<void> {
    const known = this.#folders.get(folder)
    try {
      // Before it is listed: what comes meanwhile changes it again.
      const { mtimeMs } = await stat(folder)
      if (known?.changedAt === mtimeMs && !isComplete) return
      const entries = await readdir(folder, { withFileTypes: true })
      const { stamps, watcher } = known ?? { stamps: new Map(), watcher: this.#watch(folder) }
      this.#folders.set(folder, { changedAt: mtimeMs, stamps, watcher })
      const names = entries.filter(entry => entry.isFile() && matches(this.#rule, entry.name))
      const there = new Set(names.map(({ name }) => name))
      for (const name of stamps.keys()) if (!there.has(name)) this.#gone(folder, name, found)
      const unseen = isComplete ? there : there.difference(stamps)
      await atOnce(unseen, name => this.#see(join(folder, name), found, true))
      if (!this.#rule.recursive) return
      for (const entry of entries) {
        const path = join(folder, entry.name)
        if (!entry.isDirectory() || !isWanted(entry.name) || liesWithin(this.#home, path)) continue
        if (!this.#folders.has(path)) await this.#list(path, found, true)
      }
    } catch (error) {
      if (folder === this.#rule.folder) throw error
      // One that may not be read costs its own files.
      if (!known || !isGone(error)) return
      for (const name of known.stamps.keys()) this.#gone(folder, name, found)
      known.watcher?.close()
      this.#folders.delete(folder)
    }
  }

  async #see(path: string, found: Look, isListed = false): Promise<void> {
    const [folder, name] = [dirname(path), basename(path)]
    const { stamps } = this.#folders.get(folder) ?? {}
    if (!stamps || this.#folders.has(path)) return
    // If it cannot be seen now, it is looked at again.
    const seen = await lookAt(path)
      .then(async seen => (isListed || (await isNamedSo(path)) ? seen : undefined))
      .catch(() => null)
    if (seen === undefined) return this.#gone(folder, name, found)
    if (seen === null) return void this.#reported.add(path)
    if (stamps.get(name) === seen.stamp) return
    stamps.set(name, seen.stamp)
    found.changed({ path, file: relative(this.#rule.folder, path), ...seen })
  }

  #gone(folder: string, name: string, found: Look): void {
    if (this.#folders.get(folder)?.stamps.delete(name))
      found.gone(relative(this.#rule.folder, join(folder, name)))
  }
  /** Has the system report what happens in a folder; where it cannot, looking is enough. */
  #watch(folder: string): FSWatcher | undefined {
    // Node's own way into folders below watches every file where the system has none.
    const recursive = this.#rule.recursive && process.platform !== 'linux'
    if (this.#folders.size >= MOST_WATCHERS || (recursive && folder !== this.#rule.folder)) return undefined
    try {
      const watcher = watch(folder, { recursive, persistent: false }, (event, name) => {
        const path = join(folder, name ?? '')
        const isFile = name !== null && matches(this.#rule, basename(name))
        const mayBeFolder = this.#rule.recursive && event === 'rename' && isWanted(basename(path))
        if (!isFile && name !== null && !mayBeFolder) return
        this.#reported.add(isFile || name === null ? path : dirname(path))
        this.#onReport()
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
