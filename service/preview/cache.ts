import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { guid } from '../stores/ids.ts'

/** What was made for one key: facts, and files to show. */
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

/** Most entries: even the smallest take memory. */
const ENTRIES = 20_000

/**
 * Keeps what was made to be looked at, on disk and within a bound: what was not looked at for longest goes first. It
 * remembers nothing beyond the service's life, and begins with an empty folder.
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

  /** Bytes of all files and facts. */
  get bytes(): number {
    return this.#bytes
  }

  get size(): number {
    return this.#kept.size
  }

  /** Makes the folder anew. */
  async start(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
    await mkdir(this.#folder, { mode: 0o700 })
  }

  /** What is kept under a key, which counts as looked at. */
  get<Facts>(key: string): Cached<Facts> | undefined {
    const kept = this.#kept.get(key)
    if (kept) this.#use(kept)
    return kept as Cached<Facts> | undefined
  }

  /**
   * Keeps facts under a key, in place of others.
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

  /** Path of an account's file; undefined when it is not kept any more. */
  pathOf(id: string, name: string, accountId: string): string | undefined {
    const kept = this.#byId.get(id)
    if (kept?.accountId !== accountId || !kept.files.includes(name)) return undefined
    this.#use(kept)
    return join(this.#folder, id, name)
  }

  /** Deletes what was not looked at since a time, in milliseconds since 1970. */
  async sweep(unusedSince: number): Promise<void> {
    for (const kept of [...this.#kept.values()]) if (kept.usedAt < unusedSince) await this.#drop(kept)
  }

  /** Deletes everything whose key begins so. */
  async forget(prefix: string): Promise<void> {
    for (const kept of [...this.#kept.values()]) if (kept.key.startsWith(prefix)) await this.#drop(kept)
  }

  #use(kept: Kept): void {
    kept.usedAt = Date.now()
    this.#kept.delete(kept.key)
    this.#kept.set(kept.key, kept)
  }

  /** It is gone for everybody at once; files that cannot be deleted now go with the next start. */
  async #drop(kept: Kept | undefined): Promise<void> {
    if (!kept || this.#byId.get(kept.id) !== kept) return
    this.#byId.delete(kept.id)
    if (this.#kept.get(kept.key) === kept) this.#kept.delete(kept.key)
    this.#bytes -= kept.bytes
    if (kept.files.length === 0) return
    await rm(join(this.#folder, kept.id), { recursive: true, force: true }).catch(this.#onError)
  }
}

/** A file that a worker has made; undefined for a link, by which one that a hostile file has taken over could show any file. */
async function ownFile(folder: string, name: string): Promise<{ name: string; bytes: number } | undefined> {
  const found = await lstat(join(folder, name))
  return found.isFile() && found.nlink === 1 ? { name, bytes: found.size } : undefined
}
