import { asJson, type Row, type Sql, type Statement, type Transaction } from '../sql/sql.ts'
import type { Database } from './database.ts'
import { dialect } from './dialect.ts'

/**
 * The embedded database behind the interface of the stores. Operations run one after another, since a transaction has the only
 * connection to itself; each statement completes at once, so that none blocks the next for longer than it takes.
 */
export class SqliteSql implements Sql {
  readonly dialect = dialect
  readonly #database: Database
  readonly #transaction: Transaction
  #last: Promise<unknown> = Promise.resolve()

  constructor(database: Database) {
    this.#database = database
    this.#transaction = {
      get: async (...statement) => database.get(...statement),
      all: async (...statement) => database.all(...statement),
      run: async (...statement) => database.run(...statement),
      // Every transaction runs alone anyway.
      lock: async () => {},
    }
  }

  now(): number {
    return Date.now()
  }

  async check(): Promise<void> {
    await this.get('SELECT 1')
  }

  get(...statement: Statement): Promise<Row | undefined> {
    return this.#inTurn(() => this.#database.get(...statement))
  }

  all(...statement: Statement): Promise<Row[]> {
    return this.#inTurn(() => this.#database.all(...statement))
  }

  run(...statement: Statement): Promise<number> {
    return this.#inTurn(() => this.#database.run(...statement))
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#inTurn(() => this.#database.alone(() => work(this.#transaction)))
  }

  async inOneGo(lock: string, statements: readonly string[], values: object): Promise<Row | undefined> {
    const [first = '', ...others] = statements
    const json = asJson(values)
    return this.durably(async tx => {
      await tx.lock(lock)
      const row = await tx.get(first, json)
      if (row) for (const statement of others) await tx.run(statement, json)
      return row
    })
  }

  async durably<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const result = await this.transaction(work)
    await this.durable()
    return result
  }

  durable(): Promise<void> {
    return this.#database.durable()
  }

  /** Resolves once nothing is running. */
  async settled(): Promise<void> {
    await this.#last
  }

  #inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => {})
    return result
  }
}
