import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { guid } from '../../store/interfaces/ids.ts'

/** The result for one key: facts, and files to show. */
export interface Cached<Facts> {
  id: string
  facts: Facts
  /** Names of its files. */
  files: readonly string[]
}

interface Kept extends Cached<unknown> {
  key: string
  accountId: string
  bytes: number
  usedAt: number
}

/** Maximum number of entries: even small ones take memory. */
const ENTRIES = 20_000

/**
 * Caches previews on disk, up to a size limit; the least recently viewed are dropped first. Nothing outlives the
 * service: it starts with an empty folder.
 */
export class PreviewCache {
  readonly #folder: string
  readonly #limitBytes: number
  readonly #onError: (error: unknown) => void
  /** Least recently used first. */
  readonly #kept = new Map<string, Kept>()
  readonly #byId = new Map<string, Kept>()
  #bytes = 0

  constructor(folder: string, limitBytes: number, onError: (error: unknown) => void) {
    this.#folder = folder
    this.#limitBytes = limitBytes
    this.#onError = onError
  }

  /** Total size of all files and facts. */
  get bytes(): number {
    return this.#bytes
  }

  get size(): number {
    return this.#kept.size
  }

  /** Creates the folder afresh. */
  async start(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
    await mkdir(this.#folder, { mode: 0o700 })
  }

  /** The entry of a key, which counts as viewed now. */
  get<Facts>(key: string): Cached<Facts> | undefined {
    const kept = this.#kept.get(key)
    if (kept) this.#use(kept)
    return kept as Cached<Facts> | undefined
  }

  /**
   * Stores an entry under a key, replacing the old one.
   * @param made folder of files to show, which is taken over
   */
  async add<Facts>(
    key: string,
    accountId: string,
    facts: Facts,
    made: string | null,
  ): Promise<Cached<Facts>> {
    const id = guid()
    const found = made ? await Promise.all((await readdir(made)).map(name => ownFile(made, name))) : []
    const files = found.flatMap(file => file ?? [])
    if (made && files.length > 0) await rename(made, join(this.#folder, id))
    await this.#drop(this.#kept.get(key))
    const bytes = files.reduce((sum, file) => sum + file.bytes, JSON.stringify(facts).length)
    const names = files.map(({ name }) => name)
    const kept: Kept = { id, key, accountId, facts, files: names, bytes, usedAt: Date.now() }
    this.#kept.set(key, kept)
    this.#byId.set(id, kept)
    this.#bytes += bytes
    for (const oldest of this.#kept.values()) {
      if (this.#bytes <= this.#limitBytes && this.#kept.size <= ENTRIES) break
      if (oldest !== kept) await this.#drop(oldest)
    }
    return { id, facts, files: names }
  }

  /** Path of an account's file; undefined if it is no longer cached. */
  pathOf(id: string, name: string, accountId: string): string | undefined {
    const kept = this.#byId.get(id)
    if (kept?.accountId !== accountId || !kept.files.includes(name)) return undefined
    this.#use(kept)
    return join(this.#folder, id, name)
  }

  /** Deletes what was not viewed since a time, in milliseconds since 1970. */
  async sweep(unusedSince: number): Promise<void> {
    for (const kept of [...this.#kept.values()]) if (kept.usedAt < unusedSince) await this.#drop(kept)
  }

  /** Deletes everything whose key starts with a prefix. */
  async forget(prefix: string): Promise<void> {
    for (const kept of [...this.#kept.values()]) if (kept.key.startsWith(prefix)) await this.#drop(kept)
  }

  #use(kept: Kept): void {
    kept.usedAt = Date.now()
    this.#kept.delete(kept.key)
    this.#kept.set(kept.key, kept)
  }

  /** The entry is gone at once; files that cannot be deleted now are removed at the next start. */
  async #drop(kept: Kept | undefined): Promise<void> {
    if (!kept || this.#byId.get(kept.id) !== kept) return
    this.#byId.delete(kept.id)
    if (this.#kept.get(kept.key) === kept) this.#kept.delete(kept.key)
    this.#bytes -= kept.bytes
    if (kept.files.length === 0) return
    await rm(join(this.#folder, kept.id), { recursive: true, force: true }).catch(this.#onError)
  }
}

/**
 * A file that a worker has made; undefined for a link, with which a worker taken over by a hostile file could expose any file.
 */
async function ownFile(folder: string, name: string): Promise<{ name: string; bytes: number } | undefined> {
  const found = await lstat(join(folder, name))
  return found.isFile() && found.nlink === 1 ? { name, bytes: found.size } : undefined
}
