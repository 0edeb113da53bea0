import type { Config } from '../config.ts'
import type { Database } from '../storage/database.ts'
import { guid } from '../storage/ids.ts'
import { writeEntry } from './ledger.ts'

export interface Account {
  id: string
  name: string
  balance: number
}

/** Who owns jobs and credits on this machine. The first account is the owner, made at the first start. */
export class Accounts {
  readonly #database: Database
  readonly #freeCredits: number

  constructor(database: Database, config: Pick<Config, 'freeCredits'>) {
    this.#database = database
    this.#freeCredits = config.freeCredits
  }

  /** The local owner; created with the free credits when there is none yet. */
  owner(): Account {
    const row = this.#database.get('SELECT id, name, balance FROM accounts ORDER BY rowid LIMIT 1')
    return row ? (row as unknown as Account) : this.create('Owner')
  }

  create(name: string): Account {
    const id = guid()
    this.#database.transaction(() => {
      this.#database.run('INSERT INTO accounts (id, name, created_at) VALUES (?, ?, ?)', id, name, Date.now())
      if (this.#freeCredits > 0) {
        writeEntry(this.#database, {
          accountId: id,
          kind: 'grant',
          amount: this.#freeCredits,
          reason: 'Free credits',
        })
      }
    })
    return this.get(id)!
  }

  get(id: string): Account | undefined {
    return this.#database.get('SELECT id, name, balance FROM accounts WHERE id = ?', id) as
      | Account
      | undefined
  }
}
