import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { matches, type Rule } from './rule.ts'

/** A file as one look at the folder found it. */
export interface Seen {
  path: string
  /** Below the watched folder. */
  file: string
  /** Changes whenever the file does. */
  stamp: string
}

/** A folder that results are put into and that is still to get its name. */
const unfinished = /(^|[\\/])\.[^\\/]+\.part([\\/]|$)/

/** Looks at a folder again and again, and finds the files that have stopped changing. */
export class Scanner {
  readonly #rule: Rule
  #before = new Map<string, string>()
  /** Whether the last look found nothing that is still changing. */
  isQuiet = false

  constructor(rule: Rule) {
    this.#rule = rule
  }

  /** The files that are as they were at the look before: whoever wrote them has finished, or paused. */
  async look(): Promise<Seen[]> {
    const { folder, recursive } = this.#rule
    const entries = await readdir(folder, { recursive, withFileTypes: true })
    const files = entries.filter(
      entry =>
        entry.isFile() &&
        matches(this.#rule, entry.name) &&
        !unfinished.test(relative(folder, entry.parentPath)),
    )
    const seen = await Promise.all(files.map(entry => this.#see(join(entry.parentPath, entry.name))))
    const found = seen.filter(file => file !== undefined)
    const before = this.#before
    this.#before = new Map(found.map(({ path, stamp }) => [path, stamp]))
    const stable = found.filter(({ path, stamp }) => before.get(path) === stamp)
    this.isQuiet = stable.length === found.length
    return stable
  }

  async #see(path: string): Promise<Seen | undefined> {
    const stamp = await stampOf(path)
    return stamp === undefined ? undefined : { path, file: relative(this.#rule.folder, path), stamp }
  }
}

/** What changes whenever a file does: size, times and inode; undefined for an empty file, or one that is gone. */
export async function stampOf(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined)
  if (!found || found.size === 0n) return undefined
  const { size, mtimeNs, ctimeNs, ino } = found
  return `${size} ${mtimeNs} ${ctimeNs} ${ino}`
}
