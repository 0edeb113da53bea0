import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { putDurably } from '../../shared/placing/durable.ts'
import { type Database, DatabaseDamaged } from './database.ts'
import { isIntact } from './intact.ts'

/** Number of daily backups kept. */
const KEPT = 3
/** Number of backups kept of those made before migrations. */
const KEPT_OF_MIGRATIONS = 2
const DAY_MS = 24 * 3600_000
/** A service that has just started has other things to do. */
const FIRST_AFTER_MS = 60_000
const LOOK_EVERY_MS = 3600_000

const folderOf = (database: string) => join(dirname(database), 'backups')
/** One that was made before a migration has its time too, so that it comes after that of its day. */
const NAME = /^refile-\d{4}-\d\d-\d\d(T\d{6}-before-migration)?\.sqlite$/
const isOfMigration = (path: string) => path.endsWith('-before-migration.sqlite')

/**
 * Copies an open database to its backups, whole or not at all.
 * @throws DatabaseDamaged if the copy is not intact
 */
async function copyTo(name: string, database: Database, path: string): Promise<void> {
  const folder = folderOf(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await putDurably(join(folder, name), async partial => {
    await database.backupTo(partial)
    if (!isIntact(partial)) throw new DatabaseDamaged('its copy is not intact')
  })
}

/** Keeps a copy of a database that is about to be migrated. */
export async function keepBeforeMigration(database: Database, path: string): Promise<void> {
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '')
  await copyTo(`refile-${time}-before-migration.sqlite`, database, path)
}

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
    try {
      await copyTo(`refile-${new Date().toISOString().slice(0, 10)}.sqlite`, this.#database, this.#path)
    } catch (error) {
      if (error instanceof DatabaseDamaged) this.#database.suspect()
      throw error
    }
    // Only now that the newest one has been checked.
    const all = await backupsOf(this.#path)
    const surplus = [
      ...all.filter(path => !isOfMigration(path)).slice(KEPT),
      ...all.filter(isOfMigration).slice(KEPT_OF_MIGRATIONS),
    ]
    for (const old of surplus) await rm(old, { force: true })
  }

  /** Resolves once no backup is running. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#making
  }
}
