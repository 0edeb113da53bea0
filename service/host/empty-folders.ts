import { randomUUID } from 'node:crypto'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { removeTree } from '../shared/remove-tree.ts'

/**
 * Empties folders of the data folder, which an earlier run may have left in any state: each is moved away, replaced, and deleted.
 * What cannot be deleted stays in `leftover`, keeps nothing from starting, and is tried again at the next start.
 * @param onError called with what could not be deleted
 */
export async function emptyFolders(
  home: string,
  names: readonly string[],
  onError: (error: unknown) => void,
): Promise<void> {
  const leftover = join(home, 'leftover')
  await mkdir(leftover, { recursive: true, mode: 0o700 })
  for (const name of names) {
    const path = join(home, name)
    // A disk mounted there cannot be moved, and is emptied where it is.
    await rename(path, join(leftover, randomUUID())).catch(() => removeTree(path).catch(onError))
    await mkdir(path, { recursive: true, mode: 0o700 })
  }
  await removeTree(leftover).catch(onError)
}
