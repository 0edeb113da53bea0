import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { schemaOf } from '../schema.ts'

export const { migrations } = schemaOf('sqlite')

/** Whether a database that nobody has open, without a log, is whole and of a version that can be opened. */
export function isIntact(path: string): boolean {
  try {
    const url = pathToFileURL(path)
    // SQLite creates no files beside it.
    url.searchParams.set('immutable', '1')
    using connection = new DatabaseSync(url, { readOnly: true })
    const version = Number(connection.prepare('PRAGMA user_version').get()?.user_version)
    const found = connection.prepare('PRAGMA quick_check(1)').get()?.quick_check
    return version > 0 && version <= migrations.length && found === 'ok'
  } catch {
    return false
  }
}

const markOf = (path: string) => `${path}-closed`

const stateOf = (path: string) => {
  const { size, mtimeMs } = statSync(path)
  return `${size} ${mtimeMs}\n`
}

/** Marks a database that was just closed without a problem. */
export function markClosed(path: string): void {
  writeFileSync(markOf(path), stateOf(path), { mode: 0o600 })
}

/** Whether a database is as it was when it was closed. */
export function isUnchangedSinceClosed(path: string): boolean {
  try {
    return readFileSync(markOf(path), 'utf8') === stateOf(path)
  } catch {
    return false
  }
}

/** Removes the mark, since the database is in use. */
export const unmarkClosed = (path: string): void => rmSync(markOf(path), { force: true })
