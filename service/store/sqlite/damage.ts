import { copyFile, readdir, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { backupsOf } from './backups.ts'
import { Database, DatabaseDamaged } from './database.ts'

/** Suffixes of a database's files. */
const PARTS = ['', '-wal', '-shm']

/**
 * Opens a database. A damaged one is set aside without writing to it, and replaced by its newest backup, or by an empty one if
 * no backup is intact.
 * @param onDamage called with a description of what was found and done
 * @throws DatabaseInUse, and the system's errors
 */
export async function openSound(path: string, onDamage: (error: Error) => void): Promise<Database> {
  try {
    return new Database(path)
  } catch (error) {
    if (!(error instanceof DatabaseDamaged)) throw error
    return await replace(path, error, onDamage)
  }
}

async function replace(path: string, damage: Error, onDamage: (error: Error) => void): Promise<Database> {
  const aside = await setAside(path)
  for (const backup of await backupsOf(path)) {
    try {
      await copyFile(backup, path)
      const database = new Database(path)
      onDamage(
        told(
          aside,
          `its backup ${basename(backup)} is used instead; what happened since is not in it`,
          damage,
        ),
      )
      return database
    } catch (error) {
      if (!(error instanceof DatabaseDamaged)) throw error
      await setAside(path)
    }
  }
  onDamage(told(aside, 'there is no sound backup, so a new one is used', damage))
  return new Database(path)
}

const told = (aside: string, what: string, cause: Error) =>
  new Error(`The database was damaged (${cause.message}). It was kept as ${aside}, and ${what}.`, { cause })

/** Renames a damaged database, and returns the new name. */
async function setAside(path: string): Promise<string> {
  const date = new Date().toISOString().slice(0, 10)
  const taken = await readdir(dirname(path))
  let name = `${basename(path)}.damaged-${date}`
  for (let number = 2; taken.includes(name); number++) name = `${basename(path)}.damaged-${date}-${number}`
  for (const part of PARTS) {
    await rename(`${path}${part}`, join(dirname(path), `${name}${part}`)).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      },
    )
  }
  return name
}
