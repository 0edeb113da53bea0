import type { Config } from '../config.ts'
import type { QueueLimits } from '../stores/jobs.ts'
import type { Stores } from '../stores/stores.ts'
import { openBlobs } from './blobs.ts'
import { openEmbeddedStores } from './embedded.ts'

/**
 * Opens the stores that the settings name.
 * @param onError is told of what fails by the way
 * @throws DatabaseInUse, SecretsKeyError, StoreUnavailable
 */
export async function openStores(
  config: Pick<Config, 'home' | 'blobs'>,
  limits: QueueLimits,
  onError: (error: unknown) => void,
): Promise<Stores> {
  await using starting = new AsyncDisposableStack()
  const blobs = starting.use(await openBlobs(config))
  const stores = await openEmbeddedStores(config.home, limits, onError, blobs)
  // From here on they are the stores' to dispose of.
  starting.move()
  return stores
}
