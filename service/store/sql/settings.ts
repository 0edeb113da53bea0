import type { SettingsStore } from '../interfaces/settings.ts'
import { found, type Sql } from './sql.ts'

/** Stores settings. */
export const settingsStore = (sql: Sql): SettingsStore => ({
  async all(accountId) {
    const rows = await sql.all`SELECT name, value FROM settings WHERE account_id = ${accountId}`
    return new Map(rows.map(({ name, value }) => [String(name), JSON.parse(String(value))]))
  },

  get: (accountId, name) =>
    found(sql.get`SELECT value FROM settings WHERE account_id = ${accountId} AND name = ${name}`, row =>
      JSON.parse(String(row.value)),
    ),

  async put(accountId, name, value) {
    await sql.run`
      INSERT INTO settings (account_id, name, value) VALUES (${accountId}, ${name}, ${JSON.stringify(value)})
      ON CONFLICT (account_id, name) DO UPDATE SET value = excluded.value`
  },
})
