import { createReadStream } from 'node:fs'
import {
  access,
  chmod,
  constants,
  copyFile,
  link,
  mkdir,
  readdir,
  rename,
  rm,
  rmdir,
  stat,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFile, syncFolder } from '../../shared/placing/durable.ts'
import type { BlobStore } from '../interfaces/blobs.ts'
import { asStoreError, BlobGone, ContentLost, StoreUnavailable, storeFault } from '../interfaces/errors.ts'
import { guid } from '../interfaces/ids.ts'

/** Bytes read at a time. */
const CHUNK_BYTES = 2 ** 17
/** Only the owner can access blobs, wherever they came from. */
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
/** Folder for copies in progress; no key begins with it. */
const PARTIAL = 'partial'
/** File systems without owners (FAT, some network drives) refuse chmod, and have no permissions to restrict. */
const makePrivate = (path: string) => chmod(path, FILE_MODE).catch(() => {})
const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? ''

/**
 * Blobs as files below one folder, which belongs to one machine or is shared by several hosts.
 * @param mark key of a blob that a shared folder always contains: if it is missing, the folder is not mounted, and nothing
 *   must be written in its place
 */
export function diskBlobs(root: string, mark?: string): BlobStore {
  const pathOf = (key: string) => join(root, key)

  const check = async (): Promise<void> => {
    if (mark === undefined) return
    await access(pathOf(mark)).catch(error => {
      throw new StoreUnavailable('The shared folder of blobs is not connected.', { cause: error })
    })
  }

  const makeFolder = async (key: string): Promise<void> => {
    if (key !== mark) await check()
    await mkdir(dirname(pathOf(key)), { recursive: true, mode: FOLDER_MODE }).catch(error => {
      throw asDiskError(error)
    })
  }

  /** Copies a file to a temporary name and renames it into place, so that no host sees a partial file. */
  const copyIn = async (path: string, key: string): Promise<void> => {
    const partial = pathOf(join(PARTIAL, guid()))
    try {
      await mkdir(dirname(partial), { recursive: true, mode: FOLDER_MODE })
      await copyFile(path, partial, constants.COPYFILE_FICLONE)
      await makePrivate(partial)
      await syncFile(partial)
      await rename(partial, pathOf(key))
      await syncFolder(dirname(pathOf(key)))
    } catch (error) {
      await rm(partial, { force: true }).catch(() => {})
      throw asDiskError(error)
    }
  }

  const reading = async <T>(key: string, read: () => Promise<T>): Promise<T> => {
    try {
      return await read()
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw asDiskError(error)
      if (key !== mark) await check()
      throw new BlobGone(key, { cause: error })
    }
  }

  return {
    async put(key, path) {
      await makeFolder(key)
      await makePrivate(path)
      try {
        // Its content first, so that a name never leads to less after a power loss, and a failure leaves the file where it was.
        await syncFile(path).catch(error => {
          throw storeFault(error) === 'transient' ? new ContentLost({ cause: error }) : error
        })
        await rename(path, pathOf(key))
      } catch (error) {
        if (codeOf(error) !== 'EXDEV') throw asDiskError(error)
        await copyIn(path, key)
        return rm(path)
      }
      await syncFolder(dirname(pathOf(key))).catch(async error => {
        // Whoever tries again finds the file where it was.
        await rename(pathOf(key), path)
        throw asDiskError(error)
      })
    },

    async clone(key, path) {
      await makeFolder(key)
      try {
        await copyFile(path, pathOf(key), constants.COPYFILE_FICLONE_FORCE)
        await makePrivate(pathOf(key))
        return true
      } catch {
        // Most file systems cannot clone files, and none can across file systems.
        await rm(pathOf(key), { force: true })
        if (mark !== undefined) {
          // Other hosts cannot read the file at its present path.
          await copyIn(path, key)
          return true
        }
        await rmdir(dirname(pathOf(key))).catch(() => {})
        return false
      }
    },

    async copy(from, to) {
      await reading(from, () => access(pathOf(from)))
      await makeFolder(to)
      // A hard link costs nothing; file systems without hard links (FAT, some network drives) get a copy.
      await link(pathOf(from), pathOf(to)).catch(() => copyIn(pathOf(from), to))
    },

    async checkout(key) {
      await reading(key, () => access(pathOf(key)))
      return { path: pathOf(key), [Symbol.asyncDispose]: async () => {} }
    },

    async open(key, range) {
      const { size } = await reading(key, () => stat(pathOf(key)))
      // With an explicit end, the stream allocates no more memory than the file needs, and none to detect its end.
      const { start, end } = range ?? { start: 0, end: Math.max(0, size - 1) }
      const stream = createReadStream(pathOf(key), { start, end, highWaterMark: CHUNK_BYTES })
      return { stream, bytes: range ? end - start + 1 : size }
    },

    link: async () => undefined,

    remove: prefix => rm(pathOf(prefix), { recursive: true, force: true }),

    list: prefix => readdir(pathOf(prefix)).catch(() => []),

    async dropUnfinished(before) {
      for (const name of await this.list(PARTIAL)) {
        const path = pathOf(join(PARTIAL, name))
        const found = await stat(path).catch(() => undefined)
        // The modification time is that of the last write, so a copy that is still growing stays.
        if (found && found.mtimeMs < before) await rm(path, { force: true })
      }
    },

    check,

    [Symbol.asyncDispose]: async () => {},
  }
}

const asDiskError = (error: unknown) => asStoreError(error, 'The folder of blobs does not answer.')
