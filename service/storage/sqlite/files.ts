import type { FileRecord, FileStore, NewFile } from '../../stores/files.ts'
import { type Database, numberOrNull, type Row, textOrNull } from './database.ts'

/** The embedded store of staged files. */
export class SqliteFileStore implements FileStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async add(file: NewFile): Promise<FileRecord> {
    const now = Date.now()
    this.#database.run(
      `INSERT INTO files (id, account_id, name, relative_path, bytes, format, measures, problem, source, added_at,
                          original_path, modified_at, used_at, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      file.id,
      file.accountId,
      file.name,
      file.relativePath,
      file.bytes,
      file.format,
      JSON.stringify(file.measure),
      file.problem && JSON.stringify(file.problem),
      JSON.stringify(file.source),
      file.addedAt,
      file.originalPath,
      file.modifiedAt,
      now,
      now,
    )
    return { ...file, submitted: false, createdAt: now }
  }

  async get(id: string, accountId: string): Promise<FileRecord | undefined> {
    const row = this.#database.get('SELECT * FROM files WHERE id = ? AND account_id = ?', id, accountId)
    return row && toFile(row)
  }

  async use(ids: readonly string[], accountId: string): Promise<FileRecord[]> {
    const rows = this.#database.all(
      `UPDATE files SET used_at = ? WHERE account_id = ? AND id IN (SELECT value FROM json_each(?)) RETURNING *`,
      Date.now(),
      accountId,
      JSON.stringify(ids),
    )
    const files = new Map(rows.map(row => [String(row.id), toFile(row)]))
    return ids.flatMap(id => files.get(id) ?? [])
  }

  async unsubmitted(accountId: string): Promise<FileRecord[]> {
    return this.#database
      .all('SELECT * FROM files WHERE account_id = ? AND submitted = 0 ORDER BY added_at, rowid', accountId)
      .map(toFile)
  }

  async getMany(ids: readonly string[], accountId: string): Promise<FileRecord[]> {
    return this.#database
      .all(
        'SELECT * FROM files WHERE account_id = ? AND id IN (SELECT value FROM json_each(?))',
        accountId,
        JSON.stringify(ids),
      )
      .map(toFile)
  }

  async existing(ids: readonly string[]): Promise<Set<string>> {
    const rows = this.#database.all(
      'SELECT id FROM files WHERE id IN (SELECT value FROM json_each(?))',
      JSON.stringify(ids),
    )
    return new Set(rows.map(row => String(row.id)))
  }

  async remove(id: string, accountId: string): Promise<FileRecord | undefined> {
    const row = this.#database.get(
      'DELETE FROM files WHERE id = ? AND account_id = ? RETURNING *',
      id,
      accountId,
    )
    if (row) await this.#database.durable()
    return row && toFile(row)
  }

  async removeUnused(before: number): Promise<string[]> {
    const gone = this.#database
      .all(
        `DELETE FROM files
         WHERE used_at < ?
           AND NOT EXISTS (SELECT 1 FROM batch_items WHERE file_id = files.id AND state = 'waiting')
         RETURNING id`,
        before,
      )
      .map(row => String(row.id))
    if (gone.length > 0) await this.#database.durable()
    return gone
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
  submitted: row.submitted === 1,
  createdAt: Number(row.created_at),
})
