import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Total size of all files in a folder and its subfolders; 0 if it is gone. */
export async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    entries
      .filter(entry => entry.isFile())
      .map(entry =>
        stat(join(entry.parentPath, entry.name))
          .then(found => found.size)
          .catch(() => 0),
      ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
