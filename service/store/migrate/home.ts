import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fragment, type Row, type Statement, type Statements } from '../sql/sql.ts'
import { DatabaseInUse } from '../sqlite/database.ts'
import { migrations } from '../sqlite/intact.ts'

/** How long to wait for a service that is just shutting down. */
const BUSY_MS = 2000

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size

/**
 * The embedded database of a data folder, opened read-only: neither the database nor its log is changed. It is locked
 * meanwhile, so that no service starts with the folder.
 */
export class HomeDatabase implements Statements, Disposable {
  readonly #connection: DatabaseSync
  readonly #path: string
  /** Whether the index of the log existed before, so another reader may have it open. */
  readonly #hadIndex: boolean

  /**
   * @param home data folder
   * @throws DatabaseInUse if a service uses the folder; otherwise an error that says why it cannot be migrated as it is
   */
  constructor(home: string) {
    const path = join(home, 'refile.sqlite')
    if (sizeOf(path) === undefined) throw new Error(`There are no data of Refile in ${home}.`)
    this.#path = path
    this.#hadIndex = sizeOf(`${path}-shm`) !== undefined
    this.#connection = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS })
    try {
      // The transaction holds the lock and reads one consistent snapshot.
      this.#connection.exec('BEGIN')
      this.#check()
    } catch (error) {
      this[Symbol.dispose]()
      throw error instanceof Error && /database is locked/.test(error.message) ? new DatabaseInUse() : error
    }
  }

  #check(): void {
    const version = Number(this.#first('PRAGMA user_version')?.user_version)
    if (version > migrations.length)
      throw new Error(`The data folder was written by a newer version of Refile (schema ${version}).`)
    if (version < migrations.length)
      throw new Error(
        'The data folder is that of an older version of Refile. Start this version with it once, and stop it again.',
      )
    const found = this.#first('PRAGMA quick_check(1)')?.quick_check
    if (found !== 'ok')
      throw new Error(`The database of the data folder is damaged (${found}). Start Refile with it once.`)
  }

  #first(sql: string): Row | undefined {
    return this.#connection.prepare(sql).get() as Row | undefined
  }

  async get(...statement: Statement): Promise<Row | undefined> {
    return (await this.all(...statement))[0]
  }

  async all(...statement: Statement): Promise<Row[]> {
    return [...this.each(...statement)]
  }

  run(): never {
    throw new Error('The data folder is only read.')
  }

  /** Rows of a query, one at a time. */
  each(...statement: Statement): Iterable<Row> {
    const { text, values } = fragment(...statement)
    return this.#connection.prepare(text).iterate(...values) as Iterable<Row>
  }

  [Symbol.dispose](): void {
    // Deletes the files that SQLite created beside the database to read it, while the lock still keeps others from using it.
    // Windows keeps open files, which is harmless.
    const hasLog = (sizeOf(`${this.#path}-wal`) ?? 0) > 0
    try {
      if (!hasLog) rmSync(`${this.#path}-wal`, { force: true })
      if (!hasLog || !this.#hadIndex) rmSync(`${this.#path}-shm`, { force: true })
    } catch {}
    this.#connection.close()
  }
}
