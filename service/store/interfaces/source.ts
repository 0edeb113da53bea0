import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { BlobStore, ByteRange, LocalFile } from './blobs.ts'
import type { FileSource } from './files.ts'

/** A file of this machine is no longer the one that was added. */
export class FileChangedError extends Error {
  constructor(path: string) {
    super(`${path} has changed or is gone.`)
    this.name = 'FileChangedError'
  }
}

/** A file of this machine as a source, in its current state. */
export async function sourceAt(path: string): Promise<FileSource & { kind: 'path' }> {
  const { size, mtimeMs } = await stat(path)
  return { kind: 'path', path, bytes: size, modifiedAt: mtimeMs }
}

/** @throws FileChangedError if a file of this machine was changed or deleted */
export async function assertUnchanged(source: FileSource): Promise<void> {
  if (source.kind === 'blob') return
  const now = await sourceAt(source.path).catch(() => undefined)
  if (now?.bytes !== source.bytes || now.modifiedAt !== source.modifiedAt) {
    throw new FileChangedError(source.path)
  }
}

/**
 * The content of a source as a local file.
 * @param key its key in the blob store, if it is there
 * @throws FileChangedError if a file of this machine has changed; BlobGone, StoreUnavailable
 */
export async function checkoutSource(
  blobs: BlobStore,
  source: FileSource,
  key: string,
  signal?: AbortSignal,
): Promise<LocalFile> {
  if (source.kind === 'blob') return blobs.checkout(key, signal)
  await assertUnchanged(source)
  return { path: source.path, [Symbol.asyncDispose]: async () => {} }
}

/**
 * The content of a source, or a range within it.
 * @param key its key in the blob store, if it is there
 * @throws FileChangedError if a file of this machine has changed; BlobGone, StoreUnavailable
 */
export async function openSource(
  blobs: BlobStore,
  source: FileSource,
  key: string,
  range?: ByteRange,
): Promise<Readable> {
  if (source.kind === 'blob') return (await blobs.open(key, range)).stream
  await assertUnchanged(source)
  return createReadStream(source.path, range)
}
