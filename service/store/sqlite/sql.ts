import { asJson, type Sql, type Statement, type Transaction } from '../sql/sql.ts'
import type { Database } from './database.ts'
import { dialect } from './dialect.ts'

/**
 * The embedded database behind the interface of the stores. Operations run one after another, since a transaction has the only
 * connection to itself; each statement completes at once, so that none blocks the next for longer than it takes. `settled`
 * resolves once nothing is running.
 */
export function sqliteSql(database: Database): Sql & { settled(): Promise<unknown> } {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => T | Promise<T>): Promise<T> => {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }
  const alone: Transaction = {
    get: async (...statement) => database.get(...statement),
    all: async (...statement) => database.all(...statement),
    run: async (...statement) => database.run(...statement),
    // Every transaction runs alone anyway.
    lock: async () => {},
  }
  const get = (...statement: Statement) => inTurn(() => database.get(...statement))
  const transaction: Sql['transaction'] = work => inTurn(() => database.alone(() => work(alone)))
  const durably: Sql['durably'] = async work => {
    const result = await transaction(work)
    await database.durable()
    return result
  }

  return {
    ...{ dialect, get, transaction, durably },
    now: () => Date.now(),
    all: (...statement) => inTurn(() => database.all(...statement)),
    run: (...statement) => inTurn(() => database.run(...statement)),
    durable: () => database.durable(),
    settled: () => last,

    async check() {
      await get('SELECT 1')
    },

    async inOneGo(lock, statements, values) {
      const [first = '', ...others] = statements
      const json = asJson(values)
      return durably(async tx => {
        await tx.lock(lock)
        const row = await tx.get(first, json)
        if (row) for (const statement of others) await tx.run(statement, json)
        return row
      })
    },
  }
}
