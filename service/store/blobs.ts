import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../shared/config.ts'
import { BLOBS_MARK } from './blob-ownership.ts'
import { DiskBlobs } from './disk/blobs.ts'
import type { BlobStore } from './interfaces/blobs.ts'
import { StoreUnavailable } from './interfaces/errors.ts'

/**
 * Opens the blob store in the settings.
 * @throws StoreUnavailable if it does not exist
 */
export async function openBlobs({ home, blobs }: Pick<Config, 'home' | 'blobs'>): Promise<BlobStore> {
  if (blobs === null) return new DiskBlobs(join(home, 'blobs'))
  if (blobs.kind === 'folder') {
    const found = await stat(blobs.path).catch(() => undefined)
    // The folder must not be created, since its disk may just not be connected.
    if (!found?.isDirectory()) throw new StoreUnavailable(`REFILE_BLOBS: there is no folder ${blobs.path}.`)
    return new DiskBlobs(blobs.path, BLOBS_MARK)
  }
  // The S3 client takes 35 MB of memory, and half a second to load.
  const { S3Blobs } = await import('./s3/blobs.ts')
  const store = new S3Blobs(blobs, join(home, 'checkouts'))
  await store.check()
  return store
}
