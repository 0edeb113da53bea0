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
import type { Readable } from 'node:stream'
import { syncFile, syncFolder } from '../../shared/placing/durable.ts'
import type { BlobStore, ByteRange, LocalFile } from '../interfaces/blobs.ts'
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

/** Blobs as files below one folder, which belongs to one machine or is shared by several hosts. */
export class DiskBlobs implements BlobStore {
  readonly #root: string
  readonly #mark: string | undefined

  /**
   * @param mark key of a blob that a shared folder always contains: if it is missing, the folder is not mounted, and nothing
   *   must be written in its place
   */
  constructor(root: string, mark?: string) {
    this.#root = root
    this.#mark = mark
  }

  #path(key: string): string {
    return join(this.#root, key)
  }

  async put(key: string, path: string): Promise<void> {
    await this.#makeFolder(key)
    await makePrivate(path)
    try {
      // Its content first, so that a name never leads to less after a power loss, and a failure leaves the file where it was.
      await syncFile(path).catch(error => {
        throw storeFault(error) === 'transient' ? new ContentLost({ cause: error }) : error
      })
      await rename(path, this.#path(key))
    } catch (error) {
      if (codeOf(error) !== 'EXDEV') throw asDiskError(error)
      await this.#copyIn(path, key)
      return rm(path)
    }
    await syncFolder(dirname(this.#path(key))).catch(async error => {
      // Whoever tries again finds the file where it was.
      await rename(this.#path(key), path)
      throw asDiskError(error)
    })
  }

  async clone(key: string, path: string): Promise<boolean> {
    await this.#makeFolder(key)
    try {
      await copyFile(path, this.#path(key), constants.COPYFILE_FICLONE_FORCE)
      await makePrivate(this.#path(key))
      return true
    } catch {
      // Most file systems cannot clone files, and none can across file systems.
      await rm(this.#path(key), { force: true })
      if (this.#mark !== undefined) {
        // Other hosts cannot read the file at its present path.
        await this.#copyIn(path, key)
        return true
      }
      await rmdir(dirname(this.#path(key))).catch(() => {})
      return false
    }
  }

  async copy(from: string, to: string): Promise<void> {
    await this.#reading(from, () => access(this.#path(from)))
    await this.#makeFolder(to)
    // A hard link costs nothing; file systems without hard links (FAT, some network drives) get a copy.
    await link(this.#path(from), this.#path(to)).catch(() => this.#copyIn(this.#path(from), to))
  }

  async checkout(key: string): Promise<LocalFile> {
    await this.#reading(key, () => access(this.#path(key)))
    return { path: this.#path(key), [Symbol.asyncDispose]: async () => {} }
  }

  async open(key: string, range?: ByteRange): Promise<{ stream: Readable; bytes: number }> {
    const { size } = await this.#reading(key, () => stat(this.#path(key)))
    // With an explicit end, the stream allocates no more memory than the file needs, and none to detect its end.
    const { start, end } = range ?? { start: 0, end: Math.max(0, size - 1) }
    const stream = createReadStream(this.#path(key), { start, end, highWaterMark: CHUNK_BYTES })
    return { stream, bytes: range ? end - start + 1 : size }
  }

  async link(): Promise<undefined> {
    return undefined
  }

  async remove(prefix: string): Promise<void> {
    await rm(this.#path(prefix), { recursive: true, force: true })
  }

  async list(prefix: string): Promise<string[]> {
    return readdir(this.#path(prefix)).catch(() => [])
  }

  async dropUnfinished(begunBefore: number): Promise<void> {
    for (const name of await this.list(PARTIAL)) {
      const path = this.#path(join(PARTIAL, name))
      const found = await stat(path).catch(() => undefined)
      // The modification time is that of the last write, so a copy that is still growing stays.
      if (found && found.mtimeMs < begunBefore) await rm(path, { force: true })
    }
  }

  async check(): Promise<void> {
    if (this.#mark === undefined) return
    await access(this.#path(this.#mark)).catch(error => {
      throw new StoreUnavailable('The shared folder of blobs is not connected.', { cause: error })
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #makeFolder(key: string): Promise<void> {
    if (key !== this.#mark) await this.check()
    await mkdir(dirname(this.#path(key)), { recursive: true, mode: FOLDER_MODE }).catch(error => {
      throw asDiskError(error)
    })
  }

  /** Copies a file to a temporary name and renames it into place, so that no host sees a partial file. */
  async #copyIn(path: string, key: string): Promise<void> {
    const partial = this.#path(join(PARTIAL, guid()))
    try {
      await mkdir(dirname(partial), { recursive: true, mode: FOLDER_MODE })
      await copyFile(path, partial, constants.COPYFILE_FICLONE)
      await makePrivate(partial)
      await syncFile(partial)
      await rename(partial, this.#path(key))
      await syncFolder(dirname(this.#path(key)))
    } catch (error) {
      await rm(partial, { force: true }).catch(() => {})
      throw asDiskError(error)
    }
  }

  async #reading<T>(key: string, read: () => Promise<T>): Promise<T> {
    try {
      return await read()
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw asDiskError(error)
      if (key !== this.#mark) await this.check()
      throw new BlobGone(key, { cause: error })
    }
  }
}

const asDiskError = (error: unknown) => asStoreError(error, 'The folder of blobs does not answer.')
