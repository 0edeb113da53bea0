import { type FSWatcher, watch } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { isWanted } from '../shared/names/unfinished.ts'
import { liesWithin } from '../shared/names/within.ts'
import { ifGone } from '../shared/placing/place.ts'
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
  readonly #stamps = new Map<string, string>()
  /** Time of modification of each folder, by its path. */
  readonly #folders = new Map<string, number>()
  readonly #watchers = new Map<string, FSWatcher>()
  readonly #reported = new Set<string>()
  #nextFull = 0
  #nextFolders = 0

  /**
   * @param home the data folder, which is not looked into
   * @param onReport called when the system reports a change of something that counts
   */
  constructor(rule: Rule, home: string, intervalMs: number, onReport: () => void = () => {}) {
    this.#rule = rule
    this.#home = home
    this.#intervalMs = intervalMs
    this.#onReport = onReport
  }

  /** @param again files to look at in any case @throws the system's error if the folder cannot be read */
  async look(found: Look, again: Iterable<string> = []): Promise<void> {
    const begun = performance.now()
    const reported = [...this.#reported]
    this.#reported.clear()
    if (begun >= this.#nextFull) {
      const left = new Set(this.#stamps.keys())
      await this.#walk(this.#rule.folder, found, left)
      for (const file of left) this.#isGone(file, found)
      this.#nextFull = this.#after(begun)
      return
    }
    const isDue = begun >= this.#nextFolders
    for (const folder of isDue ? [...this.#folders.keys()] : reported.filter(path => this.#folders.has(path)))
      await this.#lookForNew(folder, found)
    if (isDue) this.#nextFolders = this.#after(begun)
    const files = new Set([...reported.map(path => relative(this.#rule.folder, path)), ...again])
    await each([...files], file => this.#see(file, found))
  }

  /** When what began at a time may be done again. */
  #after(begun: number): number {
    const now = performance.now()
    return now + Math.max(this.#intervalMs, (now - begun) * SHARE)
  }

  /** Looks at all files of a folder and those below it. @param left loses those that are there */
  async #walk(folder: string, found: Look, left?: Set<string>): Promise<void> {
    const { files, folders } = await this.#list(folder)
    for (const file of files) left?.delete(file)
    await each(files, file => this.#see(file, found))
    // One that may not be read costs its own files.
    for (const below of folders) await this.#walk(below, found, left).catch(() => {})
  }

  /** Looks for what is new or gone in a folder that has changed since it was listed. */
  async #lookForNew(folder: string, found: Look): Promise<void> {
    const changedAt = (await stat(folder).catch(() => undefined))?.mtimeMs
    if (changedAt !== undefined && changedAt === this.#folders.get(folder)) return
    const there = new Set<string>()
    if (changedAt === undefined && folder !== this.#rule.folder) this.#unwatch(folder)
    else {
      const { files, folders } = await this.#list(folder)
      for (const file of files) there.add(file)
      const added = files.filter(file => !this.#stamps.has(file))
      await each(added, file => this.#see(file, found))
      for (const below of folders)
        if (!this.#folders.has(below)) await this.#walk(below, found).catch(() => {})
    }
    for (const file of [...this.#stamps.keys()])
      if (!there.has(file) && dirname(join(this.#rule.folder, file)) === folder) this.#isGone(file, found)
  }

  /** The files in a folder that count, and the folders in it. */
  async #list(folder: string): Promise<Record<'files' | 'folders', string[]>> {
    // Before it is listed: what comes meanwhile changes it again.
    const { mtimeMs } = await stat(folder)
    const entries = await readdir(folder, { withFileTypes: true })
    if (!this.#folders.has(folder)) this.#watch(folder)
    this.#folders.set(folder, mtimeMs)
    const below = (name: string) => join(folder, name)
    const files = entries.filter(entry => entry.isFile() && matches(this.#rule, entry.name))
    const folders = entries.filter(entry => entry.isDirectory() && isWanted(entry.name))
    return {
      files: files.map(({ name }) => relative(this.#rule.folder, below(name))),
      folders: this.#rule.recursive
        ? folders.map(({ name }) => below(name)).filter(path => !liesWithin(this.#home, path))
        : [],
    }
  }

  async #see(file: string, found: Look): Promise<void> {
    const path = join(this.#rule.folder, file)
    // If it cannot be seen now, it is looked at again.
    const seen = await lookAt(path).catch(() => null)
    if (seen === undefined) return this.#isGone(file, found)
    if (seen === null) return void this.#reported.add(path)
    if (this.#stamps.get(file) === seen.stamp) return
    this.#stamps.set(ownCopy(file), ownCopy(seen.stamp))
    found.changed({ path, file, ...seen })
  }

  #isGone(file: string, found: Look): void {
    if (this.#stamps.delete(file)) found.gone(file)
  }

  #watch(folder: string): void {
    // Node's own way into folders below watches every file where the system has none.
    const recursive = this.#rule.recursive && process.platform !== 'linux'
    if (this.#watchers.size >= MOST_WATCHERS || (recursive && folder !== this.#rule.folder)) return
    try {
      const watcher = watch(folder, { recursive, persistent: false }, (event, name) => {
        if (name !== null && matches(this.#rule, basename(name))) this.#reported.add(join(folder, name))
        // It may be a folder.
        else if (name === null || (this.#rule.recursive && event === 'rename' && isWanted(basename(name))))
          this.#reported.add(name === null ? folder : dirname(join(folder, name)))
        if (this.#reported.size > 0) this.#onReport()
      })
      watcher.on('error', () => this.#unwatch(folder))
      this.#watchers.set(folder, watcher)
    } catch {
      // No reports here; looking is enough.
    }
  }

  #unwatch(folder: string): void {
    this.#watchers.get(folder)?.close()
    this.#watchers.delete(folder)
    this.#folders.delete(folder)
  }

  [Symbol.dispose](): void {
    for (const watcher of this.#watchers.values()) watcher.close()
  }
}

async function each<Item>(items: readonly Item[], use: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values()
  const work = async () => {
    for (const item of waiting) await use(item)
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, work))
}

/** The same text in memory of its own: V8 keeps all that a text was cut from or put together of. */
const ownCopy = (text: string) => Buffer.from(text).toString()

/** How a file is; undefined for an empty one, and for what is none or is gone. @throws the system's error if it does not say */
export async function lookAt(path: string): Promise<Pick<Seen, 'stamp' | 'modifiedAt'> | undefined> {
  const found = await stat(path).catch(ifGone(undefined))
  if (!found?.isFile() || found.size === 0) return undefined
  const { size, mtimeMs, ctimeMs, ino } = found
  return { stamp: `${size} ${mtimeMs} ${ctimeMs} ${ino}`, modifiedAt: mtimeMs }
}

/** What changes whenever a file does: size, times and inode; undefined for an empty file, or one that is gone. */
export const stampOf = async (path: string): Promise<string | undefined> => (await lookAt(path))?.stamp
