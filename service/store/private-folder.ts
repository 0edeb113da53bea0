import { chmod, lstat, open, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../shared/make-folder.ts'

/**
 * The contents of the data folder. Other files there, in a folder that somebody chose unwisely, are left as they are.
 */
const folders = 'backups blobs incoming scratch workers checkouts leftover models window'.split(' ')
const files =
  'refile.sqlite refile.sqlite-wal refile.sqlite-shm refile.sqlite-closed damage.json host-id secrets.key service.json'.split(
    ' ',
  )
/** Folders in which everything is made private; those of the browser and of models contain nothing of jobs. */
const restrictedWhole = ['backups', 'blobs']

const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
const MODE_BITS = 0o777
/** Set on folders such as /tmp, which are public by design. */
const STICKY_BIT = 0o1000

/**
 * Makes the data folder and its contents readable only by their owner, whatever it was before; the database and SQLite's
 * files beside it are created like that. Windows keeps a user's folders private by itself.
 * @param onError called with what cannot be changed, as on disks without owners
 * @throws the system's error if the folder cannot be made
 */
export async function makePrivate(home: string, onError: (error: unknown) => void): Promise<void> {
  await makeFolder(home, FOLDER_MODE)
  if (process.platform === 'win32') return
  await restrict(await realpath(home), onError)
  for (const name of folders) await restrict(join(home, name), onError)
  for (const name of files) await restrict(join(home, name), onError)
  for (const name of restrictedWhole) await restrictAll(join(home, name), onError)
  // SQLite gives its other files the mode of this one.
  await (await open(join(home, 'refile.sqlite'), 'a', FILE_MODE)).close()
}

async function restrictAll(folder: string, onError: (error: unknown) => void): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name)
    await restrict(path, onError)
    if (entry.isDirectory()) await restrictAll(path, onError)
  }
}

async function restrict(path: string, onError: (error: unknown) => void): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  if (!found || !(found.isFile() || found.isDirectory()) || found.mode & STICKY_BIT) return
  const mode = found.isDirectory() ? FOLDER_MODE : FILE_MODE
  if ((found.mode & MODE_BITS) !== mode) await chmod(path, mode).catch(onError)
}
