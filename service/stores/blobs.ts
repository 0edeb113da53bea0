import type { Readable } from 'node:stream'

/** A local file to be read only; disposing of it lets the store drop a copy it made. */
export interface LocalFile extends AsyncDisposable {
  readonly path: string
}

/** A part of a content, by the positions of its first and last byte. */
export interface ByteRange {
  start: number
  end: number
}

/** How a file is named and typed that is downloaded. */
export interface DownloadAs {
  disposition: string
  contentType: string
}

/**
 * Contents of files. Keys are relative paths such as `jobs/<id>/input`. What is under a key is whole: nobody sees a part of it.
 * Every method may throw StoreUnavailable.
 */
export interface BlobStore extends AsyncDisposable {
  /**
   * Takes the local file at `path` in under `key`; the file is gone from `path` afterwards, and outlasts a loss of power.
   * When it fails, the file may be put again.
   */
  put(key: string, path: string, signal?: AbortSignal): Promise<void>
  /**
   * Takes in a file of this machine that stays where it is. A store of this machine alone does so only where no bytes are
   * copied.
   * @returns false when it cannot, and nothing was done
   */
  clone(key: string, path: string): Promise<boolean>
  /** Makes `to` hold the same content as `from`, without copying bytes where that is possible. */
  copy(from: string, to: string): Promise<void>
  /** The content of `key` as a local file. @throws BlobGone */
  checkout(key: string, signal?: AbortSignal): Promise<LocalFile>
  /**
   * The content of `key`, or a part of it that lies within, and how many bytes that is.
   * @throws BlobGone
   */
  open(key: string, range?: ByteRange): Promise<{ stream: Readable; bytes: number }>
  /** An address anybody can get the content from for a while; undefined for stores that give none. */
  link(key: string, as: DownloadAs): Promise<string | undefined>
  /** Deletes `prefix` and everything under it; nothing happens when there is nothing. */
  remove(prefix: string): Promise<void>
  /** Names directly under `prefix`. */
  list(prefix: string): Promise<string[]>
  /** Drops what was begun to be put before a time, in milliseconds since 1970, and never came to its end. */
  dropUnfinished(begunBefore: number): Promise<void>
  /** Resolves when the store is there. @throws StoreUnavailable */
  check(): Promise<void>
}
