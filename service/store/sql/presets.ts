import type { LastChoice, PresetRecord, PresetStore } from '../interfaces/presets.ts'
import { isOne, type Row, type Sql } from './sql.ts'

/** Stores presets and last choices. */
export const presetStore = (sql: Sql): PresetStore => ({
  async list(accountId) {
    const rows = await sql.all`SELECT * FROM presets WHERE account_id = ${accountId} ORDER BY rowid`
    return rows.map(toPreset)
  },

  add: (accountId, presets) =>
    sql.transaction(async tx => {
      for (const { id, name, choices } of presets) {
        await tx.run`
          INSERT INTO presets (id, account_id, name, choices)
          VALUES (${id}, ${accountId}, ${name}, ${JSON.stringify(choices)})`
      }
    }),

  change: (accountId, { id, name, choices }) =>
    isOne(sql.run`
      UPDATE presets SET name = ${name}, choices = ${JSON.stringify(choices)}
      WHERE id = ${id} AND account_id = ${accountId}`),

  remove: (accountId, id) =>
    sql.transaction(async tx => {
      await tx.run`DELETE FROM preset_uses WHERE account_id = ${accountId} AND preset = ${id}`
      return isOne(tx.run`DELETE FROM presets WHERE id = ${id} AND account_id = ${accountId}`)
    }),

  async uses(accountId) {
    const rows = await sql.all`SELECT preset, used_at FROM preset_uses WHERE account_id = ${accountId}`
    return new Map(rows.map(row => [String(row.preset), Number(row.used_at)]))
  },

  async touch(accountId, id, at) {
    await sql.run`
      INSERT INTO preset_uses (account_id, preset, used_at) VALUES (${accountId}, ${id}, ${at})
      ON CONFLICT (account_id, preset) DO UPDATE SET used_at = excluded.used_at`
  },

  async choices(accountId) {
    const rows = await sql.all`
      SELECT * FROM choices WHERE account_id = ${accountId} ORDER BY used_at DESC, rowid DESC`
    return rows.map(toChoice)
  },

  remember: (accountId, choices) =>
    sql.transaction(async tx => {
      for (const { source, target, options, usedAt } of choices) {
        await tx.run`
          INSERT INTO choices (account_id, source, target, options, used_at)
          VALUES (${accountId}, ${source}, ${target}, ${JSON.stringify(options)}, ${usedAt})
          ON CONFLICT (account_id, source, target) DO UPDATE SET options = excluded.options, used_at = excluded.used_at`
      }
    }),
})

const toPreset = (row: Row): PresetRecord => ({
  id: String(row.id),
  name: String(row.name),
  choices: JSON.parse(String(row.choices)),
})

const toChoice = (row: Row): LastChoice => ({
  source: String(row.source),
  target: String(row.target),
  options: JSON.parse(String(row.options)),
  usedAt: Number(row.used_at),
})
