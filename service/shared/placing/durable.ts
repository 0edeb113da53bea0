import { open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { partialPath } from './partial-name.ts'

/** Makes the content of a file survive a power loss. */
export async function syncFile(path: string): Promise<void> {
  // Windows only syncs files that are open for writing.
  await using file = await open(path, 'r+')
  await file.sync().catch(unlessUnsupported)
}

/** Codes of disks, many of them in a network, that cannot sync a file or a folder: what was written there is as safe as it gets. */
const CANNOT_SYNC = new Set(['EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'ENOTTY', 'EBADF', 'EISDIR'])

/** For a promise's `catch`: nothing where the disk cannot sync. An error of one that can means that something may be lost. */
function unlessUnsupported(error: NodeJS.ErrnoException): void {
  if (!CANNOT_SYNC.has(error.code ?? '')) throw error
}

/** Makes new names in a folder survive a power loss, on systems that support it. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders, and others refuse it for a folder that may only be written to.
  await using folder = await open(path).catch(() => undefined)
  await folder?.sync().catch(unlessUnsupported)
}

/**
 * Puts a file under its name at once, in place of what has it; nothing is left if that breaks off.
 * @param write makes the file at a path beside it
 */
export async function putDurably(path: string, write: (partial: string) => Promise<unknown>): Promise<void> {
  const partial = await partialPath(dirname(path))
  try {
    await write(partial)
    await syncFile(partial)
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {})
    throw error
  }
  await syncFolder(dirname(path))
}

/** Writes a small file so, for its owner only. */
export const writeDurably = (path: string, content: string | Uint8Array): Promise<void> =>
  putDurably(path, partial => writeFile(partial, content, { flag: 'wx', mode: 0o600 }))
