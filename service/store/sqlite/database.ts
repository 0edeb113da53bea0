import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync, type StatementSync } from 'node:sqlite'
import { syncFile } from '../interfaces/durable.ts'
import { OutcomeUnknown } from '../interfaces/errors.ts'
import type { Row, Value } from '../sql/sql.ts'
import { migrations } from './migrations.ts'

/** Another process has the database open. */
export class DatabaseInUse extends Error {
  constructor() {
    super('Refile is already running with this data folder.')
  }
}

/** Text normalised for searching: letter case, and the two encodings of accented letters, do not matter. */
const folded = (value: unknown) => {
  const text = String(value)
  // Most names are ASCII, which needs no normalising: that takes most of the time.
  return (/^[\0-\x7f]*$/.test(text) ? text : text.normalize('NFC')).toLowerCase()
}
let wanted = ''
let wantedFolded = ''

/** SQL function `contains(text, part)`: whether the part occurs, ignoring case in all languages. */
function contains(text: unknown, part: unknown): number {
  if (part !== wanted) {
    wanted = String(part)
    wantedFolded = folded(part)
  }
  return folded(text).includes(wantedFolded) ? 1 : 0
}

/** The file is not a database, or a damaged one. */
export class DatabaseDamaged extends Error {}

/** SQLite's error codes for such files: SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGE_CODES = [11, 26]
/** The lowest byte of SQLite's codes is the kind of error, the others are details. */
const KIND_MASK = 0xff

/** The embedded database: cached prepared statements, and transactions that cannot be left half done. */
export class Database {
  readonly #connection: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  readonly #wal: string
  /** The running sync, and the next one, which waits for it. */
  #syncing: Promise<void> = Promise.resolve()
  #nextSync: Promise<void> | undefined
  #depth = 0

  /**
   * Opens or creates the database at `path` (`:memory:` for tests) and brings its schema up to date.
   * @throws DatabaseInUse if another process has it open, DatabaseDamaged
   */
  constructor(path: string) {
    this.#wal = path === ':memory:' ? '' : `${path}-wal`
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
    // A clean shutdown leaves no log.
    const wasCutOff = (statSync(this.#wal, { throwIfNoEntry: false })?.size ?? 0) > 0
    this.#connection = new DatabaseSync(path)
    try {
      // The exclusive lock makes this the only service with this data folder; it is released with the process, however
      // that ends. The timeout waits for a predecessor that is just ending.
      this.#connection.exec('PRAGMA busy_timeout = 2000; PRAGMA locking_mode = EXCLUSIVE')
      this.#connection.exec(
        'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON',
      )
      this.#connection.function('contains', { deterministic: true }, contains)
      if (wasCutOff) this.#check()
      this.#migrate()
    } catch (error) {
      this.#connection.close()
      if (!(error instanceof Error)) throw error
      if (/database is locked/.test(error.message)) throw new DatabaseInUse()
      const { errcode = 0 } = error as Error & { errcode?: number }
      throw DAMAGE_CODES.includes(errcode & KIND_MASK)
        ? new DatabaseDamaged(error.message, { cause: error })
        : error
    }
  }

  #check(): void {
    const [found] = this.all('PRAGMA quick_check(1)')
    if (found?.quick_check !== 'ok') throw new DatabaseDamaged(String(found?.quick_check))
  }

  #migrate(): void {
    const version = Number(this.get('PRAGMA user_version')?.user_version ?? 0)
    if (version > migrations.length) {
      throw new Error(`The data was written by a newer version of Refile (schema ${version}). Update Refile.`)
    }
    for (const [index, migration] of migrations.entries()) {
      if (index < version) continue
      this.transaction(() => {
        this.#connection.exec(migration)
        this.#connection.exec(`PRAGMA user_version = ${index + 1}`)
      })
    }
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#connection.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  get(sql: string, ...values: Value[]): Row | undefined {
    return this.#statement(sql).get(...values) as Row | undefined
  }

  all(sql: string, ...values: Value[]): Row[] {
    return this.#statement(sql).all(...values) as Row[]
  }

  /** Runs a statement and returns how many rows it changed. */
  run(sql: string, ...values: Value[]): number {
    return Number(this.#statement(sql).run(...values).changes)
  }

  /** Runs `work` atomically; inside another transaction it joins that one. */
  transaction<T>(work: () => T): T {
    if (this.#depth > 0) return work()
    this.#connection.exec('BEGIN IMMEDIATE')
    this.#depth++
    try {
      const result = work()
      this.#connection.exec('COMMIT')
      return result
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK')
      throw error
    } finally {
      this.#depth--
    }
  }

  /** The same for asynchronous work; nobody else may use the database meanwhile. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    this.#connection.exec('BEGIN IMMEDIATE')
    try {
      const result = await work()
      this.#connection.exec('COMMIT')
      return result
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK')
      throw error
    }
  }

  /**
   * Resolves once everything committed so far survives a power loss. SQLite itself only syncs its log from time to time; making
   * it wait at each commit would block everybody. Here one sync off the event loop serves all waiting callers.
   * @throws OutcomeUnknown if the disk could not
   */
  durable(): Promise<void> {
    if (this.#wal === '') return Promise.resolve()
    // A running sync may miss what was committed since it started.
    this.#nextSync ??= this.#syncing
      .catch(() => {})
      .then(() => {
        this.#syncing = this.#nextSync ?? Promise.resolve()
        this.#nextSync = undefined
        return syncFile(this.#wal)
      })
      .catch((error: NodeJS.ErrnoException) => {
        // Closed meanwhile, which made the log part of the database.
        if (error.code === 'ENOENT') return
        // It is committed, and nobody knows whether a power loss would undo that.
        throw new OutcomeUnknown('The disk could not sync the database.', { cause: error })
      })
    return this.#nextSync
  }

  /** Writes a complete copy to a new file, part by part off the event loop. */
  async backupTo(path: string): Promise<void> {
    await backup(this.#connection, path)
  }

  close(): void {
    this.#connection.close()
  }
}
