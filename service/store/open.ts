import type { Config } from '../shared/config.ts'
import { openBlobs } from './blobs.ts'
import { openEmbeddedStores } from './embedded.ts'
import type { QueueLimits } from './interfaces/jobs.ts'
import type { Stores } from './interfaces/stores.ts'

/**
 * Opens the stores in the settings.
 * @param onError called with errors that do not prevent opening
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
    // Loaded only if used: the embedded stores start without the driver.
    const { openPostgresStores } = await import('./postgres/stores.ts')
    stores = await openPostgresStores({ url, home, limits, blobs, onError, secretsKey })
  }
  // From here on the stores dispose of them.
  starting.move()
  return stores
}
