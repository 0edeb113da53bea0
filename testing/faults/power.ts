/** What a power cut leaves of a data folder: what was synced, and whatever else happened to have reached the disk. */
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import promises, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import type { Place } from './place.ts'

const DATABASE = 'refile.sqlite'
const WAL = `${DATABASE}-wal`
/** Largest amount of garbage in a block that was never written. */
const RUBBISH_BYTES = 5000

/** Tracks what has been synced in a folder, from now on and in this process. */
export class Disk {
  /** Contents of synced files by inode, at the time of the sync. */
  readonly #synced = new Map<number, Buffer>()
  readonly #random: () => number
  #loggedAt = Number.POSITIVE_INFINITY

  constructor(random: () => number) {
    this.#random = random
    const { open } = promises
    const watched = async (path: string, ...rest: unknown[]): Promise<FileHandle> => {
      const handle = await open(path, ...(rest as [string]))
      const { sync } = handle
      handle.sync = async () => {
        // Data written during the sync may be missed.
        const before = statSync(path).isFile() ? readFileSync(path) : undefined
        const { ino } = statSync(path)
        await sync.call(handle)
        if (before) this.#synced.set(ino, before)
        if (path.endsWith(WAL)) this.#loggedAt = statSync(path.slice(0, -'-wal'.length)).mtimeMs
      }
      return handle
    }
    Object.assign(promises, { open: watched })
    syncBuiltinESMExports()
  }

  /** Whether SQLite has written to its main file since its log was last synced here. */
  #isWritten(database: string): boolean {
    return statSync(database).mtimeMs > this.#loggedAt
  }

  /** Makes `to` what the next start would find of `from`. */
  cutPower(from: Place, to: Place): void {
    const links = new Map<number, string>()
    copyFileSync(from.journal, to.journal)
    this.#copyFolder(from.results, to.results, links)
    if (existsSync(from.home)) this.#copyFolder(from.home, to.home, links)
  }

  /** @param links new locations of files by inode, so that hard links stay hard links */
  #copyFolder(from: string, to: string, links: Map<number, string>): void {
    mkdirSync(to, { recursive: true })
    for (const entry of readdirSync(from, { withFileTypes: true })) {
      const [source, target] = [join(from, entry.name), join(to, entry.name)]
      if (entry.isDirectory()) this.#copyFolder(source, target, links)
      // SQLite syncs its log before it writes to its main file, and the main file afterwards; the shared memory is
      // recreated.
      else if (entry.name === DATABASE || (entry.name === WAL && this.#isWritten(join(from, DATABASE))))
        copyFileSync(source, target)
      else if (entry.name !== 'refile.sqlite-shm' && entry.isFile()) this.#copyFile(source, target, links)
    }
  }

  #copyFile(source: string, target: string, links: Map<number, string>): void {
    const { ino } = statSync(source)
    const first = links.get(ino)
    if (first !== undefined) {
      linkSync(first, target)
      return
    }
    links.set(ino, target)
    const now = readFileSync(source)
    const safe = this.#synced.get(ino) ?? Buffer.alloc(0)
    // The beginning of the new data has reached the disk; after it comes the old content, or garbage.
    const reached = Math.max(firstDifference(now, safe), Math.floor(this.#random() * (now.length + 1)))
    const rubbish = Buffer.alloc(Math.floor(this.#random() * RUBBISH_BYTES), 0x5a)
    const rest = this.#random() < 0.5 ? rubbish : safe.subarray(reached)
    writeFileSync(target, safe.equals(now) ? now : Buffer.concat([now.subarray(0, reached), rest]))
  }
}

function firstDifference(a: Buffer, b: Buffer): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) if (a[index] !== b[index]) return index
  return length
}
