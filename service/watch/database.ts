import { copyFile, open } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { RequestError } from '../shared/errors.ts'
import { hashOfFile } from '../shared/file-hash.ts'
import { makeFolder } from '../shared/make-folder.ts'
import { message } from '../shared/messages/message.ts'
import { syncFile } from '../shared/placing/durable.ts'

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS rules (
    id TEXT PRIMARY KEY, rule TEXT NOT NULL, account TEXT, paused INTEGER NOT NULL DEFAULT 0, progress TEXT, seen INTEGER);
  CREATE TABLE IF NOT EXISTS entries (
    rule TEXT, file TEXT, content TEXT, state TEXT, entry TEXT NOT NULL, UNIQUE (rule, file, content) ON CONFLICT REPLACE);
  CREATE INDEX IF NOT EXISTS states ON entries (rule, state);`

/** What SQLITE_IOERR and SQLITE_FULL are to the system. */
const systemCodes: Record<number, string> = { 10: 'EIO', 13: 'ENOSPC' }
/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGED = [11, 26]

/** What is known of the watched folders of this machine, for the app and for commands: the rules, and what became of each file. */
export class Database implements Disposable {
  readonly folder: string
  readonly #path: string
  readonly #connection: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  private constructor(folder: string) {
    this.folder = folder
    this.#path = join(folder, 'watch.db')
    // Another process writes for moments only.
    this.#connection = new DatabaseSync(this.#path, { timeout: 5_000 })
  }

  /** @throws RequestError server.unavailable if it is damaged: a copy is kept beside and nothing is changed; and the system's errors */
  static async open(folder: string): Promise<Database> {
    await makeFolder(folder, 0o700)
    // Its journals get the mode of the file.
    await (await open(join(folder, 'watch.db'), 'a', 0o600)).close()
    const database = new Database(folder)
    try {
      // Each change is synced below, where that holds up nobody.
      const [found] = database.all('PRAGMA quick_check(1)')
      if (found?.quick_check !== 'ok') throw damaged
      database.#try(() =>
        database.#connection.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${SCHEMA}`),
      )
      return database
    } catch (error) {
      const path = database.#path
      if (error === damaged) await copyFile(path, `${path}.${(await hashOfFile(path)).slice(0, 8)}.damaged`)
      database[Symbol.dispose]()
      throw error
    }
  }

  all(sql: string, ...values: SQLInputValue[]): Record<string, unknown>[] {
    return this.#try(() => this.#prepared(sql).all(...values))
  }

  /** @returns how many rows changed; not yet on the disk */
  set(sql: string, ...values: SQLInputValue[]): number {
    return this.#try(() => Number(this.#prepared(sql).run(...values).changes))
  }

  /** @returns how many rows changed; on the disk when this resolves */
  async run(sql: string, ...values: SQLInputValue[]): Promise<number> {
    const changes = this.set(sql, ...values)
    await syncFile(`${this.#path}-wal`)
    return changes
  }

  #prepared(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#connection.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  #try<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      const kind = ((error as { errcode?: number }).errcode ?? 0) & 0xff
      if (DAMAGED.includes(kind)) throw damaged
      throw kind in systemCodes ? Object.assign(error as Error, { code: systemCodes[kind] }) : error
    }
  }

  [Symbol.dispose](): void {
    this.#connection.close()
  }
}

const damaged = new RequestError('server.unavailable', message('watch.rules_damaged'))
