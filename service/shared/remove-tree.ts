import { randomUUID } from 'node:crypto'
import { chmod, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Deletes a folder or file with everything in it, whatever a program has left there: also folders that cannot be read or changed,
 * and paths longer than the system accepts. Nothing is followed out of it, and what is gone already is no error.
 * @throws the system's error if something cannot be deleted
 */
export async function removeTree(path: string): Promise<void> {
  // Most are files or gone, and `rm` looks at a path twice before it deletes it.
  const isGone = await unlink(path).then(
    () => true,
    error => error.code === 'ENOENT',
  )
  if (isGone) return
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 })
  } catch (error) {
    if (!['EACCES', 'EPERM', 'ENAMETOOLONG'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error
    await removeFlat(path)
  }
}

/** Moves every folder up to the top before it is read, so that no path becomes long, and makes it accessible. */
async function removeFlat(top: string): Promise<void> {
  const folders = [top]
  for (const folder of folders) {
    await chmod(folder, 0o700)
    // Names need not be UTF-8.
    for (const entry of await readdir(folder, { withFileTypes: true, encoding: 'buffer' })) {
      const path = Buffer.concat([Buffer.from(`${folder}/`), entry.name])
      if (!entry.isDirectory()) {
        await unlink(path)
        continue
      }
      const above = join(top, randomUUID())
      // Moving a folder changes its link to the one above it, which takes the right to write.
      await chmod(path, 0o700)
      await rename(path, above)
      folders.push(above)
    }
  }
  for (const folder of folders.reverse()) await rmdir(folder)
}
