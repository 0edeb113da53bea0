import type { SettingsStore } from '../../stores/settings.ts'
import type { Database } from './database.ts'

/** The embedded store of settings. */
export class SqliteSettingsStore implements SettingsStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async all(accountId: string): Promise<Map<string, unknown>> {
    const rows = this.#database.all('SELECT name, value FROM settings WHERE account_id = ?', accountId)
    return new Map(rows.map(({ name, value }) => [String(name), JSON.parse(String(value))]))
  }

  async get(accountId: string, name: string): Promise<unknown> {
    const row = this.#database.get(
      'SELECT value FROM settings WHERE account_id = ? AND name = ?',
      accountId,
      name,
    )
    return row && JSON.parse(String(row.value))
  }

  async put(accountId: string, name: string, value: unknown): Promise<void> {
    this.#database.run(
      `INSERT INTO settings (account_id, name, value) VALUES (?, ?, ?)
       ON CONFLICT (account_id, name) DO UPDATE SET value = excluded.value`,
      accountId,
      name,
      JSON.stringify(value),
    )
  }
}
