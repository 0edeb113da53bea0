import type { Readable } from 'node:stream'

/** A local file to be read only; disposing of it lets the store drop a copy it made. */
export interface LocalFile extends AsyncDisposable {
  readonly path: string
}

/** Contents of files. Keys are relative paths such as `jobs/<id>/input`. */
export interface BlobStore {
  /** Takes the local file at `path` in under `key`; the file is gone from `path` afterwards, and outlasts a loss of power. */
  put(key: string, path: string): Promise<void>
  /**
   * Takes in a file of this machine that stays where it is, if that can be done without copying its bytes on this disk.
   * @returns false when it cannot, and nothing was done
   */
  clone(key: string, path: string): Promise<boolean>
  /** Makes `to` hold the same content as `from`, without copying bytes where that is possible. */
  copy(from: string, to: string): Promise<void>
  /** The content of `key` as a local file. */
  checkout(key: string): Promise<LocalFile>
  /** @throws when there is no such blob */
  open(key: string): Promise<{ stream: Readable; bytes: number }>
  /** Deletes `prefix` and everything under it; nothing happens when there is nothing. */
  remove(prefix: string): Promise<void>
  /** Names directly under `prefix`. */
  list(prefix: string): Promise<string[]>
}
