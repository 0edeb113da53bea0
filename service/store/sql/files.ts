import type { FileRecord, FileStore } from '../interfaces/files.ts'
import { found, numberOrNull, type Row, type Sql, textOrNull } from './sql.ts'

/** Stores staged files. */
export function fileStore(sql: Sql): FileStore {
  const { anyOf } = sql.dialect
  /** Deletes files for good, and returns their ids. */
  const removed = async (deleted: Promise<Row[]>): Promise<string[]> => {
    const rows = await deleted
    if (rows.length > 0) await sql.durable()
    return rows.map(row => String(row.id))
  }

  return {
    async add(file) {
      const now = sql.now()
      await sql.run`
        INSERT INTO files (id, account_id, name, relative_path, bytes, format, measures, problem, source, added_at,
                           original_path, modified_at, used_at, created_at)
        VALUES (${file.id}, ${file.accountId}, ${file.name}, ${file.relativePath}, ${file.bytes}, ${file.format},
                ${JSON.stringify(file.measure)}, ${file.problem && JSON.stringify(file.problem)}, ${JSON.stringify(file.source)},
                ${file.addedAt}, ${file.originalPath}, ${file.modifiedAt}, ${now}, ${now})`
      return { ...file, submitted: false, createdAt: now }
    },

    get: (id, accountId) =>
      found(sql.get`SELECT * FROM files WHERE id = ${id} AND account_id = ${accountId}`, toFile),

    async use(ids, accountId) {
      const rows = await sql.all`
        UPDATE files SET used_at = ${sql.now()} WHERE account_id = ${accountId} AND id ${anyOf(ids)} RETURNING *`
      const files = new Map(rows.map(row => [String(row.id), toFile(row)]))
      return ids.flatMap(id => files.get(id) ?? [])
    },

    async unsubmitted(accountId) {
      const rows = await sql.all`
        SELECT * FROM files WHERE account_id = ${accountId} AND submitted = 0 ORDER BY added_at, rowid`
      return rows.map(toFile)
    },

    async getMany(ids, accountId) {
      const rows = await sql.all`SELECT * FROM files WHERE account_id = ${accountId} AND id ${anyOf(ids)}`
      return rows.map(toFile)
    },

    async choices(accountId) {
      const rows = await sql.all`
        SELECT id, choice FROM files WHERE account_id = ${accountId} AND choice IS NOT NULL`
      return new Map(rows.map(({ id, choice }) => [String(id), JSON.parse(String(choice))]))
    },

    choose: (choices, accountId) =>
      sql.transaction(async tx => {
        for (const [id, choice] of choices)
          await tx.run`
            UPDATE files SET choice = ${choice === null ? null : JSON.stringify(choice)}
            WHERE id = ${id} AND account_id = ${accountId}`
      }),

    async existing(ids) {
      const rows = await sql.all`SELECT id FROM files WHERE id ${anyOf(ids)}`
      return new Set(rows.map(row => String(row.id)))
    },

    remove: (ids, accountId) =>
      removed(sql.all`DELETE FROM files WHERE account_id = ${accountId} AND id ${anyOf(ids)} RETURNING id`),

    removeUnused: before =>
      removed(sql.all`
        DELETE FROM files
        WHERE used_at < ${before}
          AND NOT EXISTS (SELECT 1 FROM batch_items WHERE file_id = files.id AND state = 'waiting')
        RETURNING id`),
  }
}

const toFile = (row: Row): FileRecord => ({
  id: String(row.id),
  accountId: String(row.account_id),
  name: String(row.name),
  relativePath: textOrNull(row.relative_path),
  bytes: Number(row.bytes),
  format: textOrNull(row.format),
  measure: JSON.parse(String(row.measures)),
  problem: row.problem === null ? null : JSON.parse(String(row.problem)),
  source: JSON.parse(String(row.source)),
  addedAt: Number(row.added_at),
  originalPath: textOrNull(row.original_path),
  modifiedAt: numberOrNull(row.modified_at),
  submitted: Number(row.submitted) === 1,
  createdAt: Number(row.created_at),
})
