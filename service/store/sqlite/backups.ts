import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Database } from './database.ts'

/** Number of backups kept; one is made each day. */
const KEPT = 3
const DAY_MS = 24 * 3600_000
/** A service that has just started has other things to do. */
const FIRST_AFTER_MS = 60_000
const LOOK_EVERY_MS = 3600_000

const folderOf = (database: string) => join(dirname(database), 'backups')
const NAME = /^refile-\d{4}-\d\d-\d\d\.sqlite$/

/** Paths of a database's backups, newest first. */
export async function backupsOf(database: string): Promise<string[]> {
  const names = await readdir(folderOf(database)).catch(() => [])
  return names
    .filter(name => NAME.test(name))
    .toSorted()
    .toReversed()
    .map(name => join(folderOf(database), name))
}

/** Keeps a copy of the database for each of the last days on which the service ran. */
export class Backups {
  readonly #database: Database
  readonly #path: string
  readonly #onError: (error: unknown) => void
  #timer: NodeJS.Timeout
  #making: Promise<void> | undefined

  /** @param path of the database */
  constructor(database: Database, path: string, onError: (error: unknown) => void) {
    this.#database = database
    this.#path = path
    this.#onError = onError
    this.#timer = setTimeout(() => {
      void this.makeIfDue()
      this.#timer = setInterval(() => void this.makeIfDue(), LOOK_EVERY_MS).unref()
    }, FIRST_AFTER_MS).unref()
  }

  /** Makes a backup unless there is one from the last day. */
  makeIfDue(): Promise<void> {
    this.#making ??= this.#make()
      .catch(this.#onError)
      .finally(() => {
        this.#making = undefined
      })
    return this.#making
  }

  async #make(): Promise<void> {
    const [newest] = await backupsOf(this.#path)
    if (newest !== undefined && Math.abs(Date.now() - (await stat(newest)).mtimeMs) < DAY_MS) return
    const path = join(folderOf(this.#path), `refile-${new Date().toISOString().slice(0, 10)}.sqlite`)
    await mkdir(folderOf(this.#path), { recursive: true, mode: 0o700 })
    const partial = `${path}.part`
    try {
      await rm(partial, { force: true })
      await this.#database.backupTo(partial)
      await rename(partial, path)
    } catch (error) {
      await rm(partial, { force: true }).catch(() => {})
      throw error
    }
    for (const old of (await backupsOf(this.#path)).slice(KEPT)) await rm(old, { force: true })
  }

  /** Resolves once no backup is running. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#making
  }
}
