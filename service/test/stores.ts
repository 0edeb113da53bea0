import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedStores } from '../storage/embedded.ts'
import type { QueueLimits } from '../stores/jobs.ts'
import type { Stores } from '../stores/stores.ts'

/** Opens the embedded stores on a data folder of their own, which goes with them. */
export async function embeddedStores(limits: QueueLimits): Promise<Stores> {
  const home = await mkdtemp(join(tmpdir(), 'refile-stores-'))
  const stores = await openEmbeddedStores(home, limits, () => {})
  return {
    ...stores,
    [Symbol.asyncDispose]: async () => {
      await stores[Symbol.asyncDispose]()
      await rm(home, { recursive: true, force: true })
    },
  }
}
