import type { Measure } from '../catalogue/task.ts'
import type { BlobStore } from '../storage/blobs.ts'
import type { Database, Row } from '../storage/database.ts'
import { guid } from '../storage/ids.ts'
import type { UploadedFile } from './upload.ts'

/** A file dropped on the app: taken in, recognised and measured, waiting to be told what to become. */
export interface Staged {
  id: string
  accountId: string
  name: string
  bytes: number
  format: string | null
  measure: Measure
}

const blobKey = (id: string) => `files/${id}/content`

/** Files between drop and conversion. They are kept for a while after use, so that a job can be repeated. */
export class StagedFiles {
  readonly #database: Database
  readonly #blobs: BlobStore

  constructor(database: Database, blobs: BlobStore) {
    this.#database = database
    this.#blobs = blobs
  }

  /** Takes an uploaded file over. */
  async add(
    accountId: string,
    file: UploadedFile,
    known: { format: string | null; measure: Measure },
  ): Promise<Staged> {
    const id = guid()
    // Recorded before it is put, so that a sweep in between does not take it for a stray.
    this.#database.run(
      'INSERT INTO files (id, account_id, name, bytes, format, measures, used_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
      id,
      accountId,
      file.name,
      file.bytes,
      known.format,
      JSON.stringify(known.measure),
      Date.now(),
    )
    await this.#blobs.put(blobKey(id), file.path)
    return { id, accountId, name: file.name, bytes: file.bytes, ...known }
  }

  /** An account's file; using it prolongs its stay. */
  use(id: string, accountId: string): Staged | undefined {
    this.#database.run('UPDATE files SET used_at = ? WHERE id = ?', Date.now(), id)
    const row = this.#database.get('SELECT * FROM files WHERE id = ? AND account_id = ?', id, accountId)
    return row && toStaged(row)
  }

  has(id: string): boolean {
    return this.#database.get('SELECT 1 FROM files WHERE id = ?', id) !== undefined
  }

  /** Local path of the content, to be read only. */
  path(id: string): Promise<string> {
    return this.#blobs.checkout(blobKey(id))
  }

  /** Puts the content under another key as well. */
  copyTo(id: string, key: string): Promise<void> {
    return this.#blobs.copy(blobKey(id), key)
  }

  async remove(id: string, accountId: string): Promise<boolean> {
    const removed =
      this.#database.run('DELETE FROM files WHERE id = ? AND account_id = ?', id, accountId) === 1
    if (removed) await this.#blobs.remove(`files/${id}`)
    return removed
  }

  /** Deletes files unused since a time, and strays that no record names. */
  async sweep(unusedSince: number): Promise<void> {
    this.#database.run('DELETE FROM files WHERE used_at < ?', unusedSince)
    for (const id of await this.#blobs.list('files')) {
      if (!this.has(id)) await this.#blobs.remove(`files/${id}`)
    }
  }
}

const toStaged = (row: Row): Staged => ({
  id: String(row.id),
  accountId: String(row.account_id),
  name: String(row.name),
  bytes: Number(row.bytes),
  format: row.format === null ? null : String(row.format),
  measure: JSON.parse(String(row.measures)) as Measure,
})
