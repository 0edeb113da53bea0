import { copyFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { putDurably } from '../../shared/placing/durable.ts'
import { backupsOf, keepBeforeMigration } from './backups.ts'
import { DamageNote } from './damage-note.ts'
import { Database, DatabaseDamaged } from './database.ts'
import { isIntact } from './intact.ts'

/** Suffixes of a database's files. */
const PARTS = ['', '-wal', '-shm', '-closed']

/** An opened database, and the report of a damage. */
interface Opened {
  database: Database
  /** Of this start or an earlier one; undefined if nobody has to know of one. */
  note: DamageNote | undefined
}

/**
 * Opens a database. One that is damaged, empty or missing although there was one is set aside without writing to it, and replaced by
 * its newest intact backup, or by an empty one if there is none. Before a migration a backup is made.
 * @param onDamage called with a description of what was found and done
 * @throws DatabaseInUse, and the system's errors
 */
export async function openSound(path: string, onDamage: (error: Error) => void): Promise<Opened> {
  const open = async () => ({
    database: await openUpToDate(path),
    note: await DamageNote.read(dirname(path)),
  })
  if (await isLost(path)) return replace(path, new DatabaseDamaged('it is empty or missing'), onDamage)
  try {
    return await open()
  } catch (error) {
    if (!(error instanceof DatabaseDamaged)) throw error
    return (await isDamaged(path)) ? replace(path, error, onDamage) : open()
  }
}

/**
 * Whether a copy of a database is damaged as well. SQLite also reports damage when the disk fails to read, which is no reason to replace
 * anything.
 * @throws the system's errors if it cannot be read or copied
 */
async function isDamaged(path: string): Promise<boolean> {
  const copy = `${path}.part`
  const remove = () => Promise.all(PARTS.map(part => rm(`${copy}${part}`, { force: true })))
  await remove()
  try {
    for (const part of ['', '-wal']) await copyFile(`${path}${part}`, `${copy}${part}`).catch(orMissing)
    new Database(copy, { migrate: false }).close()
    return false
  } catch (error) {
    if (error instanceof DatabaseDamaged) return true
    throw error
  } finally {
    await remove()
  }
}

function orMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

/** Whether there is no database although there was one; a power cut may leave an empty file. */
async function isLost(path: string): Promise<boolean> {
  if (((await sizeOf(path)) ?? 0) > 0) return false
  const hasKey = (await sizeOf(join(dirname(path), 'secrets.key'))) !== undefined
  return hasKey || (await backupsOf(path)).length > 0
}

const sizeOf = async (path: string) => (await stat(path).catch(() => undefined))?.size

async function openUpToDate(path: string): Promise<Database> {
  const database = new Database(path, { migrate: false })
  try {
    if (database.isOutdated) await keepBeforeMigration(database, path)
    database.migrate()
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

async function replace(path: string, damage: Error, onDamage: (error: Error) => void): Promise<Opened> {
  const aside = await setAside(path)
  // Before there is a database again: a stop in between must not make the next start look like any other.
  const note = await DamageNote.write(dirname(path), aside)
  for (const backup of await backupsOf(path)) {
    if (!isIntact(backup)) continue
    try {
      await putDurably(path, partial => copyFile(backup, partial))
      const database = await openUpToDate(path)
      await note.restored(basename(backup))
      const what = `its backup ${basename(backup)} is used instead; what happened since is not in it`
      onDamage(described(aside, what, damage))
      return { database, note }
    } catch (error) {
      if (!(error instanceof DatabaseDamaged)) throw error
      await setAside(path)
    }
  }
  onDamage(described(aside, 'there is no sound backup, so a new one is used', damage))
  return { database: new Database(path), note }
}

const described = (aside: string | null, what: string, cause: Error) => {
  const kept = aside === null ? 'Nothing of it was left' : `It was kept as ${aside}`
  return new Error(`The database was damaged (${cause.message}). ${kept}, and ${what}.`, { cause })
}

/** Renames what there is of a damaged database, and returns the new name; null if there is nothing. */
async function setAside(path: string): Promise<string | null> {
  const date = new Date().toISOString().slice(0, 10)
  const taken = await readdir(dirname(path))
  const base = basename(path)
  if (!PARTS.some(part => taken.includes(base + part))) return null
  let name = `${base}.damaged-${date}`
  for (let number = 2; taken.includes(name); number++) name = `${base}.damaged-${date}-${number}`
  for (const part of PARTS) {
    await rename(`${path}${part}`, join(dirname(path), `${name}${part}`)).catch(orMissing)
  }
  return name
}
