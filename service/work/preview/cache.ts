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

/** An entry that is being made; to be disposed of when that has ended. */
export interface Making extends Disposable {
  readonly key: string
  readonly accountId: string
  /** Ids of the files and jobs it shows. */
  readonly shows: readonly string[]
  /** Whether one of them was forgotten meanwhile. */
  isForgotten: boolean
}

interface Kept extends Cached<unknown> {
  key: string
  accountId: string
  shows: readonly string[]
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
  /** By the ids of what they show. */
  readonly #showing = new Map<string, Set<Kept>>()
  readonly #making = new Set<Making>()
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

  /** Creates the folder, emptied. */
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
   * Says that an entry is being made, so that it is not stored if what it shows is forgotten meanwhile.
   * @param shows ids of the files and jobs it shows
   */
  begin(key: string, accountId: string, shows: readonly string[]): Making {
    const making: Making = {
      ...{ key, accountId, shows, isForgotten: false },
      [Symbol.dispose]: () => void this.#making.delete(making),
    }
    this.#making.add(making)
    return making
  }

  /**
   * Stores an entry under its key, replacing the old one; returns it without its files if it was forgotten meanwhile.
   * @param made folder of files to show, which is taken over
   */
  async add<Facts>(making: Making, facts: Facts, made: string | null): Promise<Cached<Facts>> {
    const { key, accountId, shows } = making
    const id = guid()
    const found = made ? await Promise.all((await readdir(made)).map(name => ownFile(made, name))) : []
    const files = found.flatMap(file => file ?? [])
    if (making.isForgotten) return { id, facts, files: [] }
    if (made && files.length > 0) await rename(made, join(this.#folder, id))
    await this.#drop(this.#kept.get(key))
    if (making.isForgotten) {
      await rm(join(this.#folder, id), { recursive: true, force: true })
      return { id, facts, files: [] }
    }
    const bytes = files.reduce((sum, file) => sum + file.bytes, JSON.stringify(facts).length)
    const names = files.map(({ name }) => name)
    const kept: Kept = { id, key, accountId, shows, facts, files: names, bytes, usedAt: Date.now() }
    this.#kept.set(key, kept)
    this.#byId.set(id, kept)
    for (const shown of shows) this.#showing.set(shown, (this.#showing.get(shown) ?? new Set()).add(kept))
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

  /** Deletes everything that shows one of these files or jobs, also what is still being made. */
  async evict(ids: readonly string[]): Promise<void> {
    const gone = new Set(ids)
    for (const making of this.#making) making.isForgotten ||= making.shows.some(id => gone.has(id))
    const shown = ids.flatMap(id => [...(this.#showing.get(id) ?? [])])
    await Promise.all(shown.map(kept => this.#drop(kept)))
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
    for (const id of kept.shows) {
      const others = this.#showing.get(id)
      others?.delete(kept)
      if (others?.size === 0) this.#showing.delete(id)
    }
    if (kept.files.length === 0) return
    await rm(join(this.#folder, kept.id), { recursive: true, force: true }).catch(this.#onError)
  }
}

/**
 * A file that a worker has made; undefined for a link, with which a worker taken over by a hostile file could expose any file.
 */
export async function ownFile(
  folder: string,
  name: string,
): Promise<{ name: string; bytes: number } | undefined> {
  const found = await lstat(join(folder, name))
  return found.isFile() && found.nlink === 1 ? { name, bytes: found.size } : undefined
}
