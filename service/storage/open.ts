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
  config: Pick<Config, 'home' | 'blobs' | 'databaseUrl' | 'secretsKey'>,
  limits: QueueLimits,
  onError: (error: unknown) => void,
): Promise<Stores> {
  const { home, databaseUrl: url, secretsKey } = config
  await using starting = new AsyncDisposableStack()
  const blobs = starting.use(await openBlobs(config))
  let stores: Stores
  if (url === null) stores = await openEmbeddedStores(home, limits, onError, blobs)
  else {
    // Loaded only where it is used: the embedded stores start without the driver.
    const { openPostgresStores } = await import('./postgres/stores.ts')
    stores = await openPostgresStores({ url, home, limits, blobs, onError, secretsKey })
  }
  // From here on they are the stores' to dispose of.
  starting.move()
  return stores
}
