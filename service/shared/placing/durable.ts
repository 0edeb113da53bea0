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
export function unlessUnsupported(error: NodeJS.ErrnoException): void {
  if (!CANNOT_SYNC.has(error.code ?? '')) throw error
}

/** Makes new names in a folder survive a power loss, on systems that support it. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders, and others refuse it for a folder that may only be written to.
  await using folder = await open(path).catch(() => undefined)
  await folder?.sync().catch(unlessUnsupported)
}

/** Writes a new file, through no link; nothing is left if that breaks off. @param mode before the umask */
export async function writeNew(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  { isSynced = true, mode = 0o666 } = {},
): Promise<void> {
  try {
    await writeFile(path, content, { flag: 'wx', mode })
    if (isSynced) await syncFile(path)
  } catch (error) {
    await rm(path, { force: true }).catch(() => {})
    throw error
  }
}

/** Writes a small file atomically, for its owner only. */
export async function writeDurably(path: string, content: string | Uint8Array): Promise<void> {
  const partial = await partialPath(dirname(path))
  await writeNew(partial, content, { mode: 0o600 })
  await rename(partial, path)
  await syncFolder(dirname(path))
}
