import { createReadStream } from 'node:fs'
import { chmod, constants, copyFile, link, mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { BlobStore, LocalFile } from '../../stores/blobs.ts'
import { syncFile, syncFolder } from '../../stores/durable.ts'

/** Bytes read at a time. */
const CHUNK_BYTES = 2 ** 17
/** Blobs are their owner's alone, wherever they came from. */
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

/** Disks without owners (FAT, some network drives) refuse it, and have nothing to protect by it. */
const makePrivate = (path: string) => chmod(path, FILE_MODE).catch(() => {})

/** Blobs as files below one folder. */
export class DiskBlobs implements BlobStore {
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  #path(key: string): string {
    return join(this.#root, key)
  }

  async put(key: string, path: string): Promise<void> {
    await mkdir(dirname(this.#path(key)), { recursive: true, mode: FOLDER_MODE })
    await makePrivate(path)
    await rename(path, this.#path(key))
    await syncFile(this.#path(key))
    await syncFolder(dirname(this.#path(key)))
  }

  async clone(key: string, path: string): Promise<boolean> {
    await mkdir(dirname(this.#path(key)), { recursive: true, mode: FOLDER_MODE })
    try {
      await copyFile(path, this.#path(key), constants.COPYFILE_FICLONE_FORCE)
      await makePrivate(this.#path(key))
      return true
    } catch {
      // Most file systems cannot share the bytes of two files, and none can over its border.
      await rm(this.#path(key), { force: true })
      await rmdir(dirname(this.#path(key))).catch(() => {})
      return false
    }
  }

  async copy(from: string, to: string): Promise<void> {
    await mkdir(dirname(this.#path(to)), { recursive: true, mode: FOLDER_MODE })
    // A hard link costs nothing; disks that have none (FAT, some network drives) get a copy.
    await link(this.#path(from), this.#path(to)).catch(() =>
      copyFile(this.#path(from), this.#path(to), constants.COPYFILE_FICLONE),
    )
  }

  async checkout(key: string): Promise<LocalFile> {
    return { path: this.#path(key), [Symbol.asyncDispose]: async () => {} }
  }

  async open(key: string): Promise<{ stream: Readable; bytes: number }> {
    const { size } = await stat(this.#path(key))
    // With its end given, no more memory is taken than the file needs, and none to find out that it has ended.
    const range = { start: 0, end: Math.max(0, size - 1) }
    const stream = createReadStream(this.#path(key), { ...range, highWaterMark: CHUNK_BYTES })
    return { stream, bytes: size }
  }

  async remove(prefix: string): Promise<void> {
    await rm(this.#path(prefix), { recursive: true, force: true })
  }

  async list(prefix: string): Promise<string[]> {
    return readdir(this.#path(prefix)).catch(() => [])
  }
}
