import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../shared/config.ts'
import { BLOBS_MARK } from './blob-ownership.ts'
import { diskBlobs } from './disk/blobs.ts'
import type { BlobStore } from './interfaces/blobs.ts'
import { StoreUnavailable } from './interfaces/errors.ts'

/**
 * Opens the blob store in the settings.
 * @throws StoreUnavailable if it does not exist
 */
export async function openBlobs({ home, blobs }: Pick<Config, 'home' | 'blobs'>): Promise<BlobStore> {
  if (blobs === null) return diskBlobs(join(home, 'blobs'))
  if (blobs.kind === 'folder') {
    const found = await stat(blobs.path).catch(() => undefined)
    // The folder must not be created, since its disk may just not be connected.
    if (!found?.isDirectory()) throw new StoreUnavailable(`REFILE_BLOBS: there is no folder ${blobs.path}.`)
    return diskBlobs(blobs.path, BLOBS_MARK)
  }
  // The S3 client takes 35 MB of memory, and half a second to load.
  const { s3Blobs } = await import('./s3/blobs.ts')
  const store = s3Blobs(blobs, join(home, 'checkouts'))
  await store.check()
  return store
}
