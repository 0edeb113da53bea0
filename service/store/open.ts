import type { Config } from '../shared/config.ts'
import { openBlobs } from './blobs.ts'
import { openEmbeddedStores } from './embedded.ts'
import type { AccountStore } from './interfaces/accounts.ts'
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

/**
 * Opens only the accounts: those of a shared database also while hosts use it.
 * @throws DatabaseInUse if a service uses the data folder that has them; StoreUnavailable
 */
export async function openAccounts(
  config: Pick<Config, 'home' | 'databaseUrl'>,
  limits: QueueLimits,
  onError: (error: unknown) => void,
): Promise<AsyncDisposable & { accounts: AccountStore }> {
  const { home, databaseUrl } = config
  if (databaseUrl === null) return openEmbeddedStores(home, limits, onError)
  const { openPostgresAccounts } = await import('./postgres/stores.ts')
  return openPostgresAccounts(databaseUrl)
}
