import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedStores } from '../service/store/embedded.ts'
import type { BlobStore } from '../service/store/interfaces/blobs.ts'
import type { QueueLimits } from '../service/store/interfaces/jobs.ts'
import type { Stores } from '../service/store/interfaces/stores.ts'
import { openStores } from '../service/store/open.ts'
import { storesFor } from './shared-stores.ts'

/**
 * Opens the embedded stores in their own data folder, which is deleted with them.
 * @param blobsIn opens another blob store, given a folder that is deleted too
 */
export async function embeddedStores(
  limits: QueueLimits,
  blobsIn?: (folder: string) => BlobStore,
): Promise<Stores> {
  const home = await mkdtemp(join(tmpdir(), 'refile-stores-'))
  const stores = await openEmbeddedStores(home, limits, () => {}, blobsIn?.(join(home, 'others')))
  return {
    ...stores,
    [Symbol.asyncDispose]: async () => {
      await stores[Symbol.asyncDispose]()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Opens the stores that tests run on, in their own data folder, which is deleted with them. */
export async function testStores(limits: QueueLimits): Promise<Stores> {
  const home = await mkdtemp(join(tmpdir(), 'refile-stores-'))
  const stores = await storesOf(home, limits)
  return {
    ...stores,
    [Symbol.asyncDispose]: async () => {
      await stores[Symbol.asyncDispose]()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Opens the stores of a data folder that a service of tests was started with. */
export async function storesOf(home: string, limits: QueueLimits): Promise<Stores> {
  const { options } = await storesFor(home)
  return openStores({ home, blobs: null, databaseUrl: null, secretsKey: null, ...options }, limits, () => {})
}
