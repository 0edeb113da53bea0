import type { FileRecord, FileStore, NewFile } from '../interfaces/files.ts'
import { numberOrNull, type Row, type Sql, textOrNull } from './sql.ts'

/** Stores staged files. */
export class SqlFileStore implements FileStore {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  async add(file: NewFile): Promise<FileRecord> {
    const now = this.#sql.now()
    await this.#sql.run`
      INSERT INTO files (id, account_id, name, relative_path, bytes, format, measures, problem, source, added_at,
                         original_path, modified_at, used_at, created_at)
      VALUES (${file.id}, ${file.accountId}, ${file.name}, ${file.relativePath}, ${file.bytes}, ${file.format},
              ${JSON.stringify(file.measure)}, ${file.problem && JSON.stringify(file.problem)}, ${JSON.stringify(file.source)},
              ${file.addedAt}, ${file.originalPath}, ${file.modifiedAt}, ${now}, ${now})`
    return { ...file, submitted: false, createdAt: now }
  }

  async get(id: string, accountId: string): Promise<FileRecord | undefined> {
    const row = await this.#sql.get`SELECT * FROM files WHERE id = ${id} AND account_id = ${accountId}`
    return row && toFile(row)
  }

  async use(ids: readonly string[], accountId: string): Promise<FileRecord[]> {
    const rows = await this.#sql.all`
      UPDATE files SET used_at = ${this.#sql.now()}
      WHERE account_id = ${accountId} AND id ${this.#sql.dialect.anyOf(ids)} RETURNING *`
    const files = new Map(rows.map(row => [String(row.id), toFile(row)]))
    return ids.flatMap(id => files.get(id) ?? [])
  }

  async unsubmitted(accountId: string): Promise<FileRecord[]> {
    const rows = await this.#sql.all`
      SELECT * FROM files WHERE account_id = ${accountId} AND submitted = 0 ORDER BY added_at, rowid`
    return rows.map(toFile)
  }

  async getMany(ids: readonly string[], accountId: string): Promise<FileRecord[]> {
    const rows = await this.#sql.all`
      SELECT * FROM files WHERE account_id = ${accountId} AND id ${this.#sql.dialect.anyOf(ids)}`
    return rows.map(toFile)
  }

  async choices(accountId: string): Promise<Map<string, unknown>> {
    const rows = await this.#sql.all`
      SELECT id, choice FROM files WHERE account_id = ${accountId} AND choice IS NOT NULL`
    return new Map(rows.map(({ id, choice }) => [String(id), JSON.parse(String(choice))]))
  }

  async choose(choices: ReadonlyMap<string, unknown>, accountId: string): Promise<void> {
    await this.#sql.transaction(async tx => {
      for (const [id, choice] of choices)
        await tx.run`
          UPDATE files SET choice = ${choice === null ? null : JSON.stringify(choice)}
          WHERE id = ${id} AND account_id = ${accountId}`
    })
  }

  async existing(ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.#sql.all`SELECT id FROM files WHERE id ${this.#sql.dialect.anyOf(ids)}`
    return new Set(rows.map(row => String(row.id)))
  }

  async remove(ids: readonly string[], accountId: string): Promise<string[]> {
    const rows = await this.#sql.all`
      DELETE FROM files WHERE account_id = ${accountId} AND id ${this.#sql.dialect.anyOf(ids)} RETURNING id`
    if (rows.length > 0) await this.#sql.durable()
    return rows.map(row => String(row.id))
  }

  async removeUnused(before: number): Promise<string[]> {
    const gone = (
      await this.#sql.all`
        DELETE FROM files
        WHERE used_at < ${before}
          AND NOT EXISTS (SELECT 1 FROM batch_items WHERE file_id = files.id AND state = 'waiting')
        RETURNING id`
    ).map(row => String(row.id))
    if (gone.length > 0) await this.#sql.durable()
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
  submitted: Number(row.submitted) === 1,
  createdAt: Number(row.created_at),
})
