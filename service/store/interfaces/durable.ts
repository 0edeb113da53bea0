import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Makes the content of a file survive a power loss. */
export async function syncFile(path: string): Promise<void> {
  // Windows only syncs files that are open for writing.
  await using file = await open(path, 'r+')
  await file.sync()
}

/** Makes new names in a folder survive a power loss, on systems that support it. */
export async function syncFolder(path: string): Promise<void> {
  try {
    await using folder = await open(path)
    await folder.sync()
  } catch {
    // Windows cannot open folders.
  }
}

/** Writes a small file atomically, for its owner only. */
export async function writeDurably(path: string, content: string | Uint8Array): Promise<void> {
  const partial = `${path}.part`
  {
    await using file = await open(partial, 'w', 0o600)
    await file.writeFile(content)
    await file.sync()
  }
  await rename(partial, path)
  await syncFolder(dirname(path))
}
