import { createReadStream } from 'node:fs'
import { constants, copyFile, link, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'

/**
 * Where the files of jobs live. Keys are relative paths such as `jobs/<id>/output`. A second implementation may
 * keep them in an object store: it downloads in `checkout` and uploads in `put`.
 */
export interface BlobStore {
  /** Takes the local file at `path` in under `key`; the file is gone from `path` afterwards. */
  put(key: string, path: string): Promise<void>
  /** Makes `to` hold the same content as `from`, without copying bytes where the disk can share them. */
  copy(from: string, to: string): Promise<void>
  /** A local path with the content of `key`, to be read only. */
  checkout(key: string): Promise<string>
  open(key: string): Promise<{ stream: Readable; bytes: number }>
  /** Deletes `prefix` and everything under it; nothing happens when there is nothing. */
  remove(prefix: string): Promise<void>
  /** Names directly under `prefix`. */
  list(prefix: string): Promise<string[]>
}

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
    await mkdir(dirname(this.#path(key)), { recursive: true })
    await rename(path, this.#path(key))
  }

  async copy(from: string, to: string): Promise<void> {
    await mkdir(dirname(this.#path(to)), { recursive: true })
    // A hard link costs nothing; disks that have none (FAT, some network drives) get a copy.
    await link(this.#path(from), this.#path(to)).catch(() =>
      copyFile(this.#path(from), this.#path(to), constants.COPYFILE_FICLONE),
    )
  }

  async checkout(key: string): Promise<string> {
    return this.#path(key)
  }

  async open(key: string): Promise<{ stream: Readable; bytes: number }> {
    const { size } = await stat(this.#path(key))
    return { stream: createReadStream(this.#path(key), { highWaterMark: 2 ** 20 }), bytes: size }
  }

  async remove(prefix: string): Promise<void> {
    await rm(this.#path(prefix), { recursive: true, force: true })
  }

  async list(prefix: string): Promise<string[]> {
    return readdir(this.#path(prefix)).catch(() => [])
  }
}
