import type { Readable } from 'node:stream'

/** A read-only local file; disposing lets the store delete a copy it made. */
export interface LocalFile extends AsyncDisposable {
  readonly path: string
}

/** A part of a blob, by the positions of its first and last byte. */
export interface ByteRange {
  start: number
  end: number
}

/** Name and media type of a download. */
export interface DownloadAs {
  disposition: string
  contentType: string
}

/**
 * Contents of files. Keys are relative paths such as `jobs/<id>/input`. A blob under a key is always complete: nobody sees a
 * part of it. Every method may throw StoreUnavailable.
 */
export interface BlobStore extends AsyncDisposable {
  /**
   * Moves the local file at `path` into the store under `key`, such that it survives a power loss. If it fails, it may be
   * repeated.
   * @throws ContentLost if the file must be written again for that
   */
  put(key: string, path: string, signal?: AbortSignal): Promise<void>
  /**
   * Stores a file of this machine without moving it. A store on this machine only does so if no bytes have to be copied.
   * @returns false if that is not possible, with nothing done
   */
  clone(key: string, path: string): Promise<boolean>
  /** Gives `to` the same content as `from`, without copying bytes if possible. */
  copy(from: string, to: string): Promise<void>
  /** The content of `key` as a local file. @throws BlobGone */
  checkout(key: string, signal?: AbortSignal): Promise<LocalFile>
  /**
   * The content of `key`, or a range within it, and its length in bytes.
   * @throws BlobGone
   */
  open(key: string, range?: ByteRange): Promise<{ stream: Readable; bytes: number }>
  /** A URL from which anybody can download the content for a while; undefined if the store has no such URLs. */
  link(key: string, as: DownloadAs): Promise<string | undefined>
  /** Deletes `prefix` and everything under it; does nothing if there is nothing. */
  remove(prefix: string): Promise<void>
  /** Names directly under `prefix`. */
  list(prefix: string): Promise<string[]>
  /** Deletes incomplete uploads that were started before a time, in milliseconds since 1970. */
  dropUnfinished(begunBefore: number): Promise<void>
  /** Resolves if the store is available. @throws StoreUnavailable */
  check(): Promise<void>
}
