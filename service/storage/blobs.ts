import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { BlobStore } from '../stores/blobs.ts'
import { StoreUnavailable } from '../stores/errors.ts'
import { BLOBS_MARK } from './belonging.ts'
import { DiskBlobs } from './disk/blobs.ts'

/**
 * Opens the store of blobs that the settings name.
 * @throws StoreUnavailable when it is not there
 */
export async function openBlobs({ home, blobs }: Pick<Config, 'home' | 'blobs'>): Promise<BlobStore> {
  if (blobs === null) return new DiskBlobs(join(home, 'blobs'))
  if (blobs.kind === 'folder') {
    const found = await stat(blobs.path).catch(() => undefined)
    // A folder of a disk that is not connected must not be made in its place.
    if (!found?.isDirectory()) throw new StoreUnavailable(`REFILE_BLOBS: there is no folder ${blobs.path}.`)
    return new DiskBlobs(blobs.path, BLOBS_MARK)
  }
  // The client of S3 takes 35 MB of memory, and half a second to load.
  const { S3Blobs } = await import('./s3/blobs.ts')
  const store = new S3Blobs(blobs, join(home, 'checkouts'))
  await store.check()
  return store
}
