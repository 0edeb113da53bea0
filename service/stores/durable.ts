import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Makes what is in a file outlast a loss of power. */
export async function syncFile(path: string): Promise<void> {
  // Windows syncs only what is open for writing.
  await using file = await open(path, 'r+')
  await file.sync()
}

/** Makes new names in a folder outlast a loss of power, on systems where that can be asked for. */
export async function syncFolder(path: string): Promise<void> {
  try {
    await using folder = await open(path)
    await folder.sync()
  } catch {
    // Windows opens no folders.
  }
}

/** Writes a small file that is there whole or not at all, whatever happens meanwhile, for its owner only. */
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
