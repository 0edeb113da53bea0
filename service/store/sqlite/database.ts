import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync, type StatementSync } from 'node:sqlite'
import { syncFile } from '../../shared/placing/durable.ts'
import { OutcomeUnknown } from '../interfaces/errors.ts'
import { fragment, type Row, type Statement } from '../sql/sql.ts'
import { isIntact, isUnchangedSinceClosed, markClosed, migrations, unmarkClosed } from './intact.ts'

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
/** What a damaged header may lead to as well: SQLITE_ERROR and SQLITE_READONLY. */
const OTHER_DAMAGE_CODES = [1, 8]
/** After these the next start checks the database: SQLITE_IOERR and damage. */
const SUSPECT_CODES = [10, ...DAMAGE_CODES]
/** The lowest byte of SQLite's codes is the kind of error, the others are details. */
const KIND_MASK = 0xff
const kindOf = (error: unknown) => ((error as { errcode?: number } | null)?.errcode ?? 0) & KIND_MASK

/** The embedded database: cached prepared statements, and transactions that cannot be left half done. */
export class Database {
  readonly #connection: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  readonly #path: string
  readonly #wal: string
  /** The running sync, and the next one, which waits for it. */
  #syncing: Promise<void> = Promise.resolve()
  #nextSync: Promise<void> | undefined
  #isSuspect = false
  /** Whether its log may have lost what the system could not write, though later syncs succeed. */
  #isLogDoubtful = false

  /**
   * Opens or creates the database at `path` (`:memory:` for tests) and brings its schema up to date, unless the caller does that later.
   * It is checked as a whole unless it is as it was when it was closed.
   * @throws DatabaseInUse if another process has it open, DatabaseDamaged
   */
  constructor(path: string, { migrate = true }: { migrate?: boolean } = {}) {
    const isFile = path !== ':memory:'
    this.#path = path
    this.#wal = isFile ? `${path}-wal` : ''
    if (isFile) mkdirSync(dirname(path), { recursive: true })
    // A clean shutdown leaves no log.
    const hasLog = isFile && (statSync(this.#wal, { throwIfNoEntry: false })?.size ?? 0) > 0
    const isKnown = !isFile || (!hasLog && isUnchangedSinceClosed(path))
    this.#connection = new DatabaseSync(path)
    try {
      // The exclusive lock makes this the only service with this data folder; it is released with the process, however
      // that ends. The timeout waits for a predecessor that is just ending.
      this.#connection.exec('PRAGMA busy_timeout = 2000; PRAGMA locking_mode = EXCLUSIVE')
      this.#connection.exec(
        'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON',
      )
      this.#connection.function('contains', { deterministic: true }, contains)
      if (isFile) unmarkClosed(path)
      if (!isKnown) this.#check()
      if (migrate) this.migrate()
    } catch (error) {
      this.#connection.close()
      if (!(error instanceof Error)) throw error
      if (/database is locked/.test(error.message)) throw new DatabaseInUse()
      const kind = kindOf(error)
      const isDamaged =
        DAMAGE_CODES.includes(kind) || (OTHER_DAMAGE_CODES.includes(kind) && !hasLog && !isIntact(path))
      throw isDamaged ? new DatabaseDamaged(error.message, { cause: error }) : error
    }
  }

  #check(): void {
    const [found] = this.all('PRAGMA quick_check(1)')
    if (found?.quick_check !== 'ok') throw new DatabaseDamaged(String(found?.quick_check))
  }

  get #version(): number {
    return Number(this.get('PRAGMA user_version')?.user_version ?? 0)
  }

  /** Whether it has data of an older version. */
  get isOutdated(): boolean {
    return this.#version > 0 && this.#version < migrations.length
  }

  /** Brings the schema up to date. @throws Error if it is that of a newer version */
  migrate(): void {
    const version = this.#version
    if (version > migrations.length) {
      throw new Error(`The data was written by a newer version of Refile (schema ${version}). Update Refile.`)
    }
    for (const [index, migration] of migrations.entries()) {
      if (index < version) continue
      // What breaks off is rolled back when the connection is closed, as whoever asked for this does.
      this.#connection.exec(`BEGIN IMMEDIATE; ${migration}; PRAGMA user_version = ${index + 1}; COMMIT`)
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

  /** Has the next start check the database. */
  suspect(): void {
    this.#isSuspect = true
  }

  #watched<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (SUSPECT_CODES.includes(kindOf(error))) this.suspect()
      throw error
    }
  }

  get(...statement: Statement): Row | undefined {
    const { text, values } = fragment(...statement)
    return this.#watched(() => this.#statement(text).get(...values)) as Row | undefined
  }

  all(...statement: Statement): Row[] {
    const { text, values } = fragment(...statement)
    return this.#watched(() => this.#statement(text).all(...values)) as Row[]
  }

  /** Runs a statement and returns how many rows it changed. */
  run(...statement: Statement): number {
    const { text, values } = fragment(...statement)
    return Number(this.#watched(() => this.#statement(text).run(...values)).changes)
  }

  /** Runs `work` atomically; nobody else may use the database meanwhile. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    this.#connection.exec('BEGIN IMMEDIATE')
    try {
      const result = await work()
      this.#watched(() => this.#connection.exec('COMMIT'))
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
        return this.#isLogDoubtful ? this.#emptyLog() : syncFile(this.#wal)
      })
      .catch((error: NodeJS.ErrnoException) => {
        // Closed meanwhile, which made the log part of the database.
        if (error.code === 'ENOENT') return
        this.#isLogDoubtful = true
        // It is committed, and nobody knows whether a power loss would undo that.
        throw new OutcomeUnknown('The disk could not sync the database.', { cause: error })
      })
    return this.#nextSync
  }

  /** Writes everything of the log to the main file, which is synced, and starts a new log. */
  async #emptyLog(): Promise<void> {
    const result = this.get('PRAGMA wal_checkpoint(TRUNCATE)')
    if (result?.busy !== 0) throw new Error('the log of the database is in use')
    this.#isLogDoubtful = false
  }

  /** Writes a complete copy to a new file, part by part off the event loop. */
  async backupTo(path: string): Promise<void> {
    await backup(this.#connection, path)
  }

  close(): void {
    this.#connection.close()
    if (this.#wal === '' || this.#isSuspect) return
    // SQLite leaves its log if it could not write all of it to the main file.
    if (!statSync(this.#wal, { throwIfNoEntry: false })?.size) markClosed(this.#path)
  }
}
