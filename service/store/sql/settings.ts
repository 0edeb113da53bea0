import type { SettingsStore } from '../interfaces/settings.ts'
import type { Sql } from './sql.ts'

/** Stores settings. */
export class SqlSettingsStore implements SettingsStore {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  async all(accountId: string): Promise<Map<string, unknown>> {
    const rows = await this.#sql.all`SELECT name, value FROM settings WHERE account_id = ${accountId}`
    return new Map(rows.map(({ name, value }) => [String(name), JSON.parse(String(value))]))
  }

  async get(accountId: string, name: string): Promise<unknown> {
    const row = await this.#sql.get`
      SELECT value FROM settings WHERE account_id = ${accountId} AND name = ${name}`
    return row && JSON.parse(String(row.value))
  }

  async put(accountId: string, name: string, value: unknown): Promise<void> {
    await this.#sql.run`
      INSERT INTO settings (account_id, name, value) VALUES (${accountId}, ${name}, ${JSON.stringify(value)})
      ON CONFLICT (account_id, name) DO UPDATE SET value = excluded.value`
  }
}
